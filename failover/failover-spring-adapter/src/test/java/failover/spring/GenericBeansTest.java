package failover.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import failover.Failover;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;

/** Beans that inherit annotated methods whose types they say themselves. */
class GenericBeansTest {
  record Price(String sku, List<Integer> cents) {}

  record Stock(String sku, List<Integer> pieces) {}

  abstract static class Remote<T> {
    boolean isDown;

    abstract T fetch(String key);

    @Failover(name = "one", pause = "0s")
    public T one(String key) throws IOException {
      if (isDown) {
        throw new IOException("down");
      }
      return fetch(key);
    }

    @Failover(name = "many", pause = "0s")
    public List<T> many(String key) throws IOException {
      return List.of(one(key));
    }
  }

  static class Prices extends Remote<Price> {
    @Override
    Price fetch(String key) {
      return new Price(key, List.of(1));
    }
  }

  static class MorePrices extends Prices {}

  static class Stocks extends Remote<Stock> {
    @Override
    Stock fetch(String key) {
      return new Stock(key, List.of(2));
    }
  }

  static class Anything<T> extends Remote<T> {
    @Override
    T fetch(String key) {
      throw new IllegalStateException(key);
    }
  }

  private static AnnotationConfigApplicationContext start(Class<?>... beans) {
    var context = new AnnotationConfigApplicationContext();
    context.register(Beans.class);
    context.register(beans);
    try {
      context.refresh();
      return context;
    } catch (RuntimeException e) {
      context.close();
      throw e;
    }
  }

  @Test
  void whatIsGivenIsOfTheTypeThatTheClassOfTheBeanSays() throws Exception {
    try (var context = start(Prices.class)) {
      Prices prices = context.getBean(Prices.class);
      prices.one("a");
      prices.many("a");
      Targets.of(prices).isDown = true;
      Price one = prices.one("a");
      assertThat(one).isEqualTo(new Price("a", List.of(1)));
      Price first = prices.many("a").get(0);
      assertThat(first).isEqualTo(new Price("a", List.of(1)));
    }
  }

  @Test
  void beansOfOneTypeShareThePoint() throws Exception {
    try (var context = start(Prices.class, MorePrices.class)) {
      MorePrices more = context.getBean(MorePrices.class);
      more.one("a");
      Targets.of(more).isDown = true;
      assertThat(more.one("a")).isEqualTo(new Price("a", List.of(1)));
    }
  }

  @Test
  void beansWhoseAnswersAreOfDifferentTypesMustNotShareAPoint() {
    assertThatThrownBy(() -> start(Prices.class, Stocks.class))
        .isInstanceOf(FailoverScannerException.class)
        .hasMessageContaining("failover 'one' on Remote#one")
        .hasMessageContaining(Price.class.getName())
        .hasMessageContaining(Stock.class.getName())
        .hasMessageContaining("override the method in each class");
  }

  @Test
  void aTypeThatNobodySaysFailsTheStart() {
    assertThatThrownBy(() -> start(Anything.class))
        .isInstanceOf(FailoverScannerException.class)
        .hasMessageContaining("must be of a known type but is of T")
        .hasMessageContaining("is of java.util.List<T>");
  }
}
