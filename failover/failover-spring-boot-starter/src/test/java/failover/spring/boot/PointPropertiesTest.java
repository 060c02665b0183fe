package failover.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import failover.Failover;
import failover.FailoverScanner;
import failover.FailoverSpec;
import failover.Failovers;
import failover.expiry.Expiry;
import failover.expiry.ExpiryPolicy;
import failover.key.KeyGenerator;
import failover.store.FailoverStore;
import holdfast.spring.boot.StartException;
import java.io.EOFException;
import java.io.IOException;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.function.Predicate;
import org.junit.jupiter.api.Test;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ApplicationContext;

/** Settings of single points come before what annotations say. */
class PointPropertiesTest {

  private static FailoverSpec<?> price(ApplicationContext context) {
    return context.getBean(FailoverScanner.class).findFailoverByName("price").orElseThrow();
  }

  @Test
  void everySettingOfAPointCounts() {
    Contexts.shop()
        .withPropertyValues(
            "failover.points.price.expiry=6h",
            "failover.points.price.soft-timeout=300ms",
            "failover.points.price.hard-timeout=2s",
            "failover.points.price.pause=5s",
            "failover.points.price.longest-pause=1m",
            "failover.points.price.pause-share=0.8",
            "failover.points.price.pause-minimum=5",
            "failover.points.price.pause-window=30s",
            "failover.points.price.tombstones=false",
            "failover.points.price.recover-on=java.io.IOException,java.lang.RuntimeException",
            "failover.points.price.never-on=java.io.EOFException",
            "failover.points.price.removes-on=java.util.NoSuchElementException")
        .run(
            context -> {
              FailoverSpec<?> spec = price(context);
              assertThat(spec.expiry()).isEqualTo(Expiry.of(Duration.ofHours(6)));
              assertThat(spec.softTimeout()).contains(Duration.ofMillis(300));
              assertThat(spec.hardTimeout()).contains(Duration.ofSeconds(2));
              assertThat(spec.pause()).isEqualTo(Duration.ofSeconds(5));
              assertThat(spec.longestPause()).isEqualTo(Duration.ofMinutes(1));
              assertThat(spec.pauseShare()).isEqualTo(0.8);
              assertThat(spec.pauseMinimum()).isEqualTo(5);
              assertThat(spec.pauseWindow()).isEqualTo(Duration.ofSeconds(30));
              assertThat(spec.tombstones()).isFalse();
              assertThat(spec.recoverable().orElseThrow())
                  .accepts(new IOException(), new IllegalArgumentException())
                  .rejects(new EOFException());
              assertThat(spec.removes(new NoSuchElementException())).isTrue();
            });
  }

  @Test
  void onePropertyAloneLeavesTheRestToTheAnnotation() {
    Contexts.shop()
        .withPropertyValues("failover.points.price.hard-timeout=2s")
        .run(
            context -> {
              assertThat(price(context).hardTimeout()).contains(Duration.ofSeconds(2));
              assertThat(price(context).softTimeout()).isEmpty();
            });
  }

  /** Takes answers and gives none back. */
  private static FailoverStore hung(CountDownLatch released) {
    return (FailoverStore)
        Proxy.newProxyInstance(
            FailoverStore.class.getClassLoader(),
            new Class<?>[] {FailoverStore.class},
            (proxy, method, args) -> {
              if (method.getName().equals("find")) {
                released.await();
                return Optional.empty();
              }
              Class<?> type = method.getReturnType();
              return type == boolean.class
                  ? (Object) false
                  : type == int.class ? (Object) 0 : type == long.class ? (Object) 0L : null;
            });
  }

  @Test
  void theTimeForReadingIsASetting() {
    CountDownLatch released = new CountDownLatch(1);
    Contexts.shop()
        .withBean(FailoverStore.class, () -> hung(released))
        .withPropertyValues("failover.store.type=custom", "failover.store.read-timeout=50ms")
        .run(
            context -> {
              Contexts.target(context).goDown();
              assertThatThrownBy(() -> context.getBean(Shop.class).price("a")).hasMessage("down");
              assertThat(context.getBean(Failovers.class).ledger().lostByReason())
                  .containsEntry("store_failed", 1L);
              released.countDown();
            });
  }

  @Test
  void aPointThatNobodyKnowsFailsTheStartWithTheNearestOne() {
    Contexts.shop()
        .withPropertyValues("failover.points.prices.expiry=6h")
        .run(
            context ->
                assertThat(context)
                    .getFailure()
                    .isInstanceOf(StartException.class)
                    .hasMessageContaining(
                        "failover.points.prices is set but no @Failover has that name; the nearest"
                            + " known one is 'price'"));
  }

  @Test
  void aSettingThatNobodyKnowsFailsTheStartWithTheNearestOne() {
    Contexts.shop()
        .withPropertyValues(
            "failover.points.price.expriy=6h",
            "failover.points.price.softTimeouts=1s",
            "failover.points.price.recover-on[0]=java.io.IOException",
            "failover.points.price.HARD_TIMEOUT=2s")
        .run(
            context ->
                assertThat(context)
                    .getFailure()
                    .hasMessageContaining(
                        "failover.points.price.expriy is no setting of a point; the nearest known"
                            + " one is 'expiry'")
                    .hasMessageContaining("the nearest known one is 'soft-timeout'")
                    .hasMessageNotContainingAny("recover", "hard"));
  }

  /** A bean all of whose methods are points. */
  @Failover(name = "stock")
  static class Stock {
    public List<String> itemsOf(Object shelf) {
      return List.of();
    }
  }

  private static ApplicationContextRunner stock() {
    return Contexts.bare()
        .withBean(Stock.class)
        .withBean("shelf", KeyGenerator.class, () -> (spec, args) -> "all")
        .withBean("forever", ExpiryPolicy.class, () -> (spec, asOf) -> Instant.MAX)
        .withBean("filled", Predicate.class, () -> answer -> !((List<?>) answer).isEmpty());
  }

  @Test
  void settingsMayNameBeansAndAMethodOfAnAnnotatedTypeHasItsOwn() {
    stock()
        .withPropertyValues(
            "failover.points.stock-itemsOf.domain=shelves",
            "failover.points.stock-itemsOf.key-generator=shelf",
            "failover.points.stock-itemsOf.expiry-policy=forever",
            "failover.points.stock-itemsOf.keep-if=filled",
            "failover.points.stock-itemsOf.schema-version=3")
        .run(
            context -> {
              @SuppressWarnings("unchecked")
              FailoverSpec<Object> spec =
                  (FailoverSpec<Object>)
                      context
                          .getBean(FailoverScanner.class)
                          .findFailoverByName("stock-itemsOf")
                          .orElseThrow();
              assertThat(spec.effectiveName()).isEqualTo("shelves");
              assertThat(spec.keyGenerator().orElseThrow().key(spec, List.of())).isEqualTo("all");
              assertThat(spec.expiryPolicy().computeExpiry(spec, Instant.EPOCH))
                  .isEqualTo(Instant.MAX);
              assertThat(spec.keeps(List.of())).isFalse();
              assertThat(spec.keeps(List.of("a"))).isTrue();
              assertThat(spec.schemaVersion()).isEqualTo(3);
            });
  }

  @Test
  void aBeanThatIsNotThereIsNamedWithThoseThatAre() {
    stock()
        .withPropertyValues(
            "failover.points.stock-itemsOf.key-generator=shelf",
            "failover.points.stock-itemsOf.keep-if=full")
        .run(
            context ->
                assertThat(context)
                    .getFailure()
                    .hasMessageContaining(
                        "failover.points.stock-itemsOf.keep-if must name one of the Predicate beans"
                            + " [filled] but was 'full'"));
  }
}
