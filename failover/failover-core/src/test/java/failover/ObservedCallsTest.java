package failover;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import failover.Prices.Price;
import failover.observe.FailoverLifecycleListener;
import failover.observe.ObservablePublisher.Metrics;
import failover.observe.internal.StateLog;
import failover.recovery.RecoveredPayloadHandler;
import failover.store.AsyncFailoverStore;
import failover.store.FailoverStore;
import failover.store.FailoverStore.StoreListener;
import failover.store.FailoverStoreException;
import failover.store.InMemoryFailoverStore;
import holdfast.testkit.log.CapturedLog;
import holdfast.testkit.threads.Eventually;
import java.io.IOException;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
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
                  if (method.getName().equals("listener")) {
                    return null;
                  }
                  throw new FailoverStoreException("broken", null);
                });
    Failovers failovers =
        Failovers.builder(broken).readTimeout(Duration.ofSeconds(60)).time(time).build();
    try (CapturedLog log = new CapturedLog("failover")) {
      for (int i = 0; i < 3; i++) {
        assertThat(ask(failovers, spec, "a")).isEqualTo(new Price("a", 100));
      }
      prices.failure = new IOException("down");
      assertThatThrownBy(() -> ask(failovers, spec, "a")).isSameAs(prices.failure);
      assertThatThrownBy(() -> ask(failovers, spec, "a")).isSameAs(prices.failure);
      assertThat(log.messages(Level.WARNING)).hasSize(3);
      failovers.call(spec("other").build(), List.of("a"), () -> new Price("a", 1));
      assertThat(log.messages(Level.WARNING))
          .filteredOn(line -> line.startsWith("failover cannot store answers name="))
          .hasSize(2)
          .anyMatch(line -> line.contains("name=other"));
    }
    assertThat(failovers.counts().get("price").storeFailures()).isEqualTo(3);
    assertThat(failovers.ledger().lostByReason()).containsEntry("store_failed", 2L);
  }

  @Test
  void asynchronousWritesThatFailAreLoggedAndThatTheyWorkAgain() throws Throwable {
    AtomicBoolean down = new AtomicBoolean(true);
    InMemoryFailoverStore memory = new InMemoryFailoverStore();
    FailoverStore table =
        (FailoverStore)
            Proxy.newProxyInstance(
                getClass().getClassLoader(),
                new Class<?>[] {FailoverStore.class},
                (proxy, method, args) -> {
                  if (method.getName().startsWith("store") && down.get()) {
                    throw new FailoverStoreException("no connection", null);
                  }
                  return method.invoke(memory, args);
                });
    FailoverStore store = new AsyncFailoverStore(table, 100, StoreListener.NONE, time);
    Failovers failovers = Failovers.builder(store).time(time).build();
    try (CapturedLog log = new CapturedLog("failover")) {
      ask(failovers, spec, "a");
      Eventually.await("failed", () -> !log.messages(Level.WARNING).isEmpty());
      down.set(false);
      Eventually.await(
          "works again",
          () -> {
            time.advance(StateLog.QUIET);
            failovers.call(spec, List.of("a"), () -> new Price("a", 100));
            return !log.messages(Level.INFO).isEmpty();
          });
      assertThat(log.messages(Level.WARNING))
          .containsExactly(
              "failover cannot store answers name=price reason=no connection"
                  + " cause=failover.store.FailoverStoreException");
      assertThat(log.messages(Level.INFO))
          .containsExactly("failover stores answers again name=price");
    } finally {
      failovers.close();
    }
  }

  @Test
  void troubleIsLoggedWhenItBeginsAndWhenItEnds() throws Throwable {
    Failovers failovers = builder().build();
    try (CapturedLog log = new CapturedLog("failover")) {
      for (int outage = 1; outage <= 2; outage++) {
        prices.failure = null;
        time.advance(StateLog.QUIET);
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
          .contains("name=price", "cause=java.io.IOException: down");
      assertThat(log.thrown(Level.WARNING)).isEmpty();
    }
  }

  @Test
  void outcomesThatAlternateAreOneTrouble() throws Throwable {
    Failovers failovers = builder().build();
    try (CapturedLog log = new CapturedLog("failover")) {
      for (int i = 0; i < 100; i++) {
        prices.failure = i % 2 == 0 ? null : new IOException("down");
        time.advance(Duration.ofMillis(200));
        ask(failovers, spec, "a");
      }
      assertThat(log.messages(Level.WARNING)).hasSize(1);
      assertThat(log.messages(Level.INFO)).isEmpty();
      prices.failure = null;
      time.advance(StateLog.QUIET);
      ask(failovers, spec, "a");
      assertThat(log.messages(Level.INFO)).hasSize(1);
    }
  }

  @Test
  void aHookThatFailsIsLoggedOnce() throws Throwable {
    RecoveredPayloadHandler broken =
        new RecoveredPayloadHandler() {
          @Override
          public <T> T handle(FailoverCall<T> call, T recovered, Throwable cause) {
            throw new IllegalStateException("broken hook");
          }
        };
    Failovers failovers = builder().recoveredPayloadHandler(broken).build();
    ask(failovers, spec, "a");
    prices.failure = new IOException("down");
    try (CapturedLog log = new CapturedLog("failover")) {
      for (int i = 0; i < 3; i++) {
        assertThat(ask(failovers, spec, "a")).isEqualTo(new Price("a", 100));
      }
      assertThat(log.messages(Level.WARNING))
          .filteredOn(line -> line.contains("RecoveredPayloadHandler"))
          .containsExactly(
              "failover RecoveredPayloadHandler fails name=price"
                  + " cause=java.lang.IllegalStateException");
    }
  }

  @Test
  void argumentsWithoutAKeyAreNamedOncePerPoint() throws Throwable {
    Failovers failovers = builder().build();
    FailoverSpec<Price> other = spec("other").build();
    try (CapturedLog log = new CapturedLog("failover")) {
      for (int i = 0; i < 3; i++) {
        failovers.call(spec, List.of(new Object()), () -> prices.of("a"));
        failovers.call(other, List.of(new Object()), () -> prices.of("a"));
      }
      assertThat(log.messages(Level.WARNING)).hasSize(2);
    }
    assertThat(failovers.counts().get("other").unkeyable()).isEqualTo(3);
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
            .publisherQueue(0)
            .build();
    ask(failovers, spec, "a");
    prices.failure = new IOException("down");
    ask(failovers, spec, "a");
    assertThat(events)
        .extracting(event -> event.fields().get("failover-action"))
        .containsExactly("upstream", "store", "upstream", "recover");
    assertThat(failovers.droppedEvents()).isEqualTo(4);
    assertThat(events.get(1).fields())
        .containsEntry("failover-is-stored", "true")
        .containsEntry("failover-expiry-unit", "HOURS");
    assertThat(events.get(3).fields())
        .containsEntry("failover-is-recovered", "true")
        .containsEntry("failover-exception", "java.io.IOException")
        .containsEntry("failover-recovery-failure-message", "");
    events.clear();
    failovers.observe();
    assertThat(events).extracting(Metrics::name).containsExactly("failover-report-price");
    assertThat(events.get(0).fields()).doesNotContainKey("failover-action");
  }

  @Test
  void durationsAreMeasured() throws Throwable {
    List<String> told = new ArrayList<>();
    FailoverLifecycleListener listener =
        new FailoverLifecycleListener() {
          @Override
          public void registered(FailoverSpec<?> point) {
            told.add("registered " + point.name());
          }

          @Override
          public void upstream(FailoverSpec<?> point, boolean answered, long nanos) {
            told.add("upstream " + answered + " " + Duration.ofNanos(nanos));
          }

          @Override
          public void stored(FailoverSpec<?> point, boolean kept, long nanos) {
            told.add("stored " + kept);
          }

          @Override
          public void recovered(
              FailoverSpec<?> point, Throwable cause, boolean found, Throwable why, long nanos) {
            told.add("recovered " + found + " " + why);
          }

          @Override
          public void ended(FailoverSpec<?> point, FailoverOutcome.Kind kind, boolean gotValue) {
            told.add(kind + " " + gotValue);
          }
        };
    Failovers failovers = builder().lifecycleListener(listener).build();
    failovers.call(
        spec,
        List.of("a"),
        () -> {
          time.advance(Duration.ofSeconds(2));
          return prices.of("a");
        });
    prices.failure = new IOException("down");
    ask(failovers, spec, "a");
    assertThatThrownBy(() -> ask(failovers, spec, "b")).isSameAs(prices.failure);
    assertThat(told)
        .containsExactly(
            "registered price",
            "upstream true PT2S",
            "stored true",
            "LIVE true",
            "upstream false PT0S",
            "recovered true null",
            "RECOVERED true",
            "upstream false PT0S",
            "recovered false null",
            "FAILED false");
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
