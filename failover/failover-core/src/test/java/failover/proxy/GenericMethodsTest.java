package failover.proxy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import failover.Failover;
import failover.FailoverResult;
import failover.Failovers;
import failover.store.InMemoryFailoverStore;
import java.io.IOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.Test;

/** Methods whose answers are of a type that only the class of the object says. */
class GenericMethodsTest {
  record Price(String sku, List<Integer> cents) {}

  interface Answers<K, T> {
    @Failover(name = "one", pause = "0s")
    T one(K key) throws IOException;

    @Failover(name = "many", pause = "0s")
    Map<String, List<? extends T>> many(K key) throws IOException;

    @Failover(name = "all", pause = "0s")
    T[] all(K key) throws IOException;

    @Failover(name = "later", pause = "0s")
    CompletionStage<T> later(K key);

    FailoverResult<T> fresh(K key) throws IOException;
  }

  abstract static class Remote<T> implements Answers<String, T> {
    IOException failure;

    void check() throws IOException {
      if (failure != null) {
        throw failure;
      }
    }
  }

  static class Prices extends Remote<Price> {
    @Override
    public Price one(String key) throws IOException {
      check();
      return new Price(key, List.of(1));
    }

    @Override
    public Map<String, List<? extends Price>> many(String key) throws IOException {
      check();
      return Map.of(key, List.of(new Price(key, List.of(2))));
    }

    @Override
    public Price[] all(String key) throws IOException {
      check();
      return new Price[] {new Price(key, List.of(3))};
    }

    @Override
    public CompletionStage<Price> later(String key) {
      return failure == null
          ? CompletableFuture.completedFuture(new Price(key, List.of(4)))
          : CompletableFuture.failedFuture(failure);
    }

    @Override
    @Failover(name = "fresh", pause = "0s")
    public FailoverResult<Price> fresh(String key) throws IOException {
      check();
      return FailoverResult.live(new Price(key, List.of(5)), Instant.EPOCH);
    }
  }

  private final Failovers failovers = Failovers.builder(new InMemoryFailoverStore()).build();

  @Test
  @SuppressWarnings("unchecked") // the interface is only known without its arguments
  void answersAreOfWhatTheClassOfTheObjectSays() throws Exception {
    Prices real = new Prices();
    Answers<String, Price> prices = FailoverProxies.protect(failovers, Answers.class, real);
    prices.one("a");
    prices.many("a");
    prices.all("a");
    prices.later("a");
    prices.fresh("a");
    real.failure = new IOException("down");
    Price one = prices.one("a");
    assertThat(one).isEqualTo(new Price("a", List.of(1)));
    Price many = prices.many("a").get("a").get(0);
    assertThat(many).isEqualTo(new Price("a", List.of(2)));
    Price[] all = prices.all("a");
    assertThat(all).containsExactly(new Price("a", List.of(3)));
    Price later = prices.later("a").toCompletableFuture().get();
    assertThat(later).isEqualTo(new Price("a", List.of(4)));
    Price fresh = prices.fresh("a").value();
    assertThat(fresh).isEqualTo(new Price("a", List.of(5)));
  }

  interface OneAnswer<T> {
    @Failover(name = "one-answer", pause = "0s")
    T ask(String key) throws IOException;
  }

  interface ManyAnswers {
    @Failover(name = "many-answers")
    <T> List<T> ask(Class<T> type);
  }

  static class AllAnswers implements ManyAnswers {
    @Override
    public <T> List<T> ask(Class<T> type) {
      return List.of();
    }
  }

  @Test
  void anAnswerThatMayBeOfAnyTypeIsRefusedWithTheRemedy() {
    OneAnswer<String> anything = key -> key;
    assertThatThrownBy(() -> FailoverProxies.protect(failovers, OneAnswer.class, anything))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("failover 'one-answer'")
        .hasMessageContaining("must be of a known type but is of T")
        .hasMessageContaining("override the method");
    assertThatThrownBy(
            () -> FailoverProxies.protect(failovers, ManyAnswers.class, new AllAnswers()))
        .hasMessageContaining("failover 'many-answers'")
        .hasMessageContaining("is of java.util.List<T>");
  }

  interface PriceAnswer extends OneAnswer<CompletionStage<Price>> {}

  @Test
  void aStageIsRecognisedWhereATypeArgumentSaysIt() throws Exception {
    CompletableFuture<Price> failed = CompletableFuture.failedFuture(new IOException("down"));
    CompletableFuture<Price> well = CompletableFuture.completedFuture(new Price("a", List.of(1)));
    List<CompletableFuture<Price>> both = new ArrayList<>(List.of(well, failed));
    PriceAnswer price =
        FailoverProxies.protect(failovers, PriceAnswer.class, key -> both.remove(0));
    price.ask("a");
    assertThat(price.ask("a").toCompletableFuture())
        .isCompletedWithValue(new Price("a", List.of(1)));
  }

  interface RawResult {
    @Failover(name = "raw-result")
    @SuppressWarnings("rawtypes")
    FailoverResult ask();
  }

  @Test
  void aResultWithoutItsTypeIsRefusedWithAnExampleOfItsOwn() {
    assertThatThrownBy(() -> FailoverProxies.protect(failovers, RawResult.class, () -> null))
        .hasMessageContaining("failover 'raw-result'")
        .hasMessageContaining("as in FailoverResult<Price>");
  }
}
