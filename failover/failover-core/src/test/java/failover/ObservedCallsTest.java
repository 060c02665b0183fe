package failover;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import failover.Prices.Price;
import failover.observe.Metrics;
import failover.store.FailoverStore;
import failover.store.FailoverStoreException;
import holdfast.testkit.log.CapturedLog;
import java.io.IOException;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import java.util.logging.Level;
import org.junit.jupiter.api.Test;

class ObservedCallsTest extends PricesFixture {

  @Test
  void aStoreThatFailsDoesNotHurtTheCall() throws Throwable {
    FailoverStore broken =
        (FailoverStore)
            Proxy.newProxyInstance(
                getClass().getClassLoader(),
                new Class<?>[] {FailoverStore.class},
                (proxy, method, args) -> {
                  throw new FailoverStoreException("broken", null);
                });
    Failovers failovers = Failovers.builder(broken).time(time).build();
    try (CapturedLog log = new CapturedLog("failover")) {
      for (int i = 0; i < 3; i++) {
        assertThat(ask(failovers, spec, "a")).isEqualTo(new Price("a", 100));
      }
      prices.failure = new IOException("down");
      assertThatThrownBy(() -> ask(failovers, spec, "a")).isSameAs(prices.failure);
      assertThatThrownBy(() -> ask(failovers, spec, "a")).isSameAs(prices.failure);
      assertThat(log.messages(Level.WARNING)).hasSize(3);
    }
    assertThat(failovers.counts().get("price").storeFailures()).isEqualTo(3);
    assertThat(failovers.books().lostByReason()).containsEntry("store_failed", 2L);
  }

  @Test
  void troubleIsLoggedWhenItBeginsAndWhenItEnds() throws Throwable {
    Failovers failovers = builder().build();
    try (CapturedLog log = new CapturedLog("failover")) {
      for (int outage = 1; outage <= 2; outage++) {
        prices.failure = null;
        ask(failovers, spec, "a");
        ask(failovers, spec, "a");
        prices.failure = new IOException("down");
        for (int i = 0; i < 5; i++) {
          ask(failovers, spec, "a");
        }
        assertThat(log.messages(Level.WARNING)).hasSize(outage);
        assertThat(log.messages(Level.INFO)).hasSize(outage - 1);
      }
      assertThat(log.messages(Level.WARNING).get(0))
          .contains("name=price", "cause=java.io.IOException");
      assertThat(log.thrown(Level.WARNING)).isEmpty();
    }
  }

  @Test
  void publishersAreToldAndCannotHurt() throws Throwable {
    List<Metrics> events = new ArrayList<>();
    Failovers failovers =
        builder()
            .publisher(
                event -> {
                  throw new IllegalStateException("broken");
                })
            .publisher(events::add)
            .build();
    ask(failovers, spec, "a");
    prices.failure = new IOException("down");
    ask(failovers, spec, "a");
    assertThat(events)
        .extracting(event -> event.fields().get("failover-action"))
        .containsExactly("upstream", "upstream", "recover");
    assertThat(events.get(2).fields())
        .containsEntry("failover-is-recovered", "true")
        .containsEntry("failover-exception", "java.io.IOException")
        .containsEntry("failover-recovery-failure-message", "");
  }

  @Test
  void pointsBeyondTheBoundAreCountedTogether() throws Throwable {
    Failovers failovers = builder().maxPoints(2).build();
    for (int i = 0; i < 5; i++) {
      ask(failovers, spec("p" + i).build(), "a");
    }
    assertThat(failovers.counts()).containsOnlyKeys("p0", "p1", "_others_");
    assertThat(failovers.counts().get("_others_").calls()).isEqualTo(3);
  }
}
