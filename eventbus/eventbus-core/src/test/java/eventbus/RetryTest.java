package eventbus;

import static org.assertj.core.api.Assertions.assertThat;

import holdfast.testkit.db.DatabaseKind;
import holdfast.testkit.db.EachDatabase;
import holdfast.testkit.log.CapturedLog;
import holdfast.testkit.threads.Eventually;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.logging.Level;
import org.junit.jupiter.api.Timeout;

/** What becomes of events whose handlers fail: tried again, or given up. */
@Timeout(120)
class RetryTest extends BusFixture {
  @EachDatabase(DatabaseKind.H2)
  void typeAndErrorCannotForgeALineOfTheLog() throws Exception {
    String type = "A\nERROR forged";
    try (CapturedLog log = new CapturedLog("eventbus")) {
      EventBus bus =
          buses.started(
              b ->
                  b.handler(
                      type,
                      event -> {
                        throw new NonRetryableException("broken\rERROR forged");
                      }));
      long id = bus.publish(Buses.event(type));
      awaitLogged(1);
      Eventually.await("logged", () -> !log.messages(Level.SEVERE).isEmpty());
      assertThat(log.messages(Level.SEVERE))
          .containsExactly(
              "eventbus failed id="
                  + id
                  + " type=A\\nERROR forged error=eventbus.NonRetryableException:"
                  + " broken\\u000DERROR forged");
      assertThat(log.lines()).noneMatch(line -> line.contains("\n") || line.contains("\r"));
    }
  }

  @EachDatabase
  void aFailureIsTriedAgainUntilItWorks() throws Exception {
    AtomicInteger tries = new AtomicInteger();
    List<String> told = Collections.synchronizedList(new ArrayList<>());
    EventBus bus =
        buses.started(
            b ->
                b.lifecycleListener(telling(told))
                    .handler(
                        "A",
                        event -> {
                          if (tries.incrementAndGet() < 3) {
                            throw new IllegalStateException("not yet");
                          }
                        }));
    long id = bus.publish(Buses.event("A"));
    awaitLogged(1);
    assertThat(tries).hasValue(3);
    assertThat(buses.tables.logged(id))
        .containsEntry("status", "COMPLETED")
        .containsEntry("error", null);
    assertThat(((Number) buses.tables.logged(id).get("attempts")).intValue()).isEqualTo(3);
    Eventually.await("told", () -> told.size() == 3);
    String retry = "retry " + id + " java.lang.IllegalStateException: not yet";
    assertThat(told).containsExactly(retry, retry, "completed " + id);
    assertThat(bus.counts().retried()).isEqualTo(2);
  }

  private static EventBusLifecycleListener telling(List<String> told) {
    return new EventBusLifecycleListener() {
      @Override
      public void onCompleted(Event event, Duration handling) {
        told.add("completed " + event.id());
        throw new AssertionError("a listener's own trouble");
      }

      @Override
      public void onRetry(Event event, Duration delay, String error) {
        told.add("retry " + event.id() + " " + error);
        assertThat(delay).isPositive();
      }

      @Override
      public void onFailed(long id, String type, String error) {
        told.add("failed " + id + " " + type + " " + error);
      }
    };
  }

  @EachDatabase
  void whatFailsTooOftenIsFailedWithItsError() throws Exception {
    List<String> told = Collections.synchronizedList(new ArrayList<>());
    EventBus bus =
        buses.started(
            b ->
                b.lifecycleListener(telling(told))
                    .retryPolicy(RetryPolicy.backoff(3, Duration.ofMillis(1), Duration.ofMillis(5)))
                    .handler("A", failing(new IllegalStateException("broken \0 for good"))));
    long id = bus.publish(Buses.event("A"));
    awaitLogged(1);
    assertThat(buses.tables.logged(id))
        .containsEntry("status", "FAILED")
        .containsEntry("error", "java.lang.IllegalStateException: broken  for good");
    assertThat(((Number) buses.tables.logged(id).get("attempts")).intValue()).isEqualTo(3);
    Eventually.await("told", () -> told.size() == 3);
    assertThat(told.get(2)).startsWith("failed " + id + " A java.lang.IllegalState");
  }

  private static EventHandler failing(Throwable failure) {
    return event -> {
      if (failure instanceof Error error) {
        throw error;
      }
      throw (Exception) failure;
    };
  }

  @EachDatabase
  void failFastFailsAtOnce() throws Exception {
    EventBus bus =
        buses.started(
            b ->
                b.retryPolicy(RetryPolicy.FAIL_FAST)
                    .handler("A", failing(new IllegalStateException("no"))));
    long id = bus.publish(Buses.event("A"));
    awaitLogged(1);
    assertThat(buses.tables.logged(id)).containsEntry("status", "FAILED");
    assertThat(bus.counts().handled()).isEqualTo(1);
  }

  @EachDatabase(DatabaseKind.H2)
  void whateverAHandlerThrowsTheWorkersLiveOn() throws Exception {
    List<Throwable> all =
        List.of(
            new Exception("checked"),
            new RuntimeException("unchecked"),
            new AssertionError("error"),
            new StackOverflowError("deep"),
            new OutOfMemoryError("made up"),
            new NoClassDefFoundError("missing"),
            new InterruptedException("by itself"),
            new Speechless(),
            new ThreadDeathLike());
    EventBus bus =
        buses.started(
            b -> {
              for (int i = 0; i < all.size(); i++) {
                b.handler("T" + i, failing(all.get(i)));
              }
              return b.workers(2)
                  .retryPolicy(RetryPolicy.FAIL_FAST)
                  .handler("good", buses.recording())
                  .handler("leaves an interrupt", event -> Thread.currentThread().interrupt());
            });
    for (int round = 0; round < 3; round++) {
      for (int i = 0; i < all.size(); i++) {
        bus.publish(Buses.event("T" + i));
      }
      bus.publish(Buses.event("leaves an interrupt"));
    }
    List<Long> good = bus.publishAll(Collections.nCopies(10, Buses.event("good")));
    awaitLogged(3 * all.size() + 3 + 10);
    assertThat(buses.handled).containsExactlyInAnyOrderElementsOf(good);
    assertThat(buses.tables.loggedIds(EventStatus.FAILED)).hasSize(3 * all.size());
  }

  private static final class Speechless extends RuntimeException {
    private static final long serialVersionUID = 1L;

    @Override
    public String getMessage() {
      throw new IllegalStateException("no message");
    }
  }

  private static final class ThreadDeathLike extends Error {
    private static final long serialVersionUID = 1L;
  }

  @EachDatabase
  void aHandlerCanSayWhenAndNever() throws Exception {
    AtomicInteger tries = new AtomicInteger();
    EventBus bus =
        buses.started(
            b ->
                b.handler("never", failing(new NonRetryableException("hopeless")))
                    .handler(
                        "later",
                        event -> {
                          if (tries.incrementAndGet() == 1) {
                            throw new RetryAfterException(Duration.ofHours(1));
                          }
                        }));
    long never = bus.publish(Buses.event("never"));
    awaitLogged(1);
    assertThat(buses.tables.logged(never))
        .containsEntry("error", "eventbus.NonRetryableException: hopeless");
    long later = bus.publish(Buses.event("later"));
    Eventually.await("put off", () -> buses.tables.event(later).get("failing_since") != null);
    assertThat(buses.tables.number(later, "failures")).as("costs no attempt").isZero();
    assertThat(buses.tables.event(later))
        .containsEntry("status", "PENDING")
        .containsEntry("claimed_by", null)
        .containsEntry("processing_started_at", null);
    buses.advance(Duration.ofMinutes(61));
    awaitLogged(2);
    assertThat(tries).hasValue(2);
  }

  @EachDatabase
  void anEventIsFailedWhenItHasFailedForTheTimeAndNotAfterTenAttempts() throws Exception {
    EventBus bus =
        buses.started(
            b ->
                b.retryPolicy(RetryPolicy.backoff(Duration.ofMillis(1), Duration.ofMillis(2)))
                    .handler("A", failing(new IllegalStateException("down"))));
    long id = bus.publish(Buses.event("A"));
    Eventually.await("tries", () -> buses.tables.number(id, "failures") >= 12);
    assertThat(buses.tables.event(id).get("failing_since")).isNotNull();
    buses.advance(Duration.ofHours(23));
    Eventually.await("tries", () -> buses.tables.number(id, "failures") >= 15);
    buses.advance(Duration.ofHours(1));
    awaitLogged(1);
    assertThat(buses.tables.logged(id)).containsEntry("status", "FAILED");
  }

  @EachDatabase
  void aHandlerThatChoosesTheDelayCostsNoAttemptAndEndsAllTheSame() throws Exception {
    AtomicInteger calls = new AtomicInteger();
    EventBus bus =
        buses.started(
            b ->
                b.retryPolicy(RetryPolicy.FAIL_FAST)
                    .handler(
                        "A",
                        event -> {
                          calls.incrementAndGet();
                          throw new IllegalStateException(
                              new RetryAfterException(Duration.ofMillis(1)));
                        }));
    long id = bus.publish(Buses.event("A"));
    Eventually.await("called again and again", () -> calls.get() > 5);
    assertThat(buses.tables.number(id, "failures")).isZero();
    buses.advance(Duration.ofHours(24));
    awaitLogged(1);
    assertThat(buses.tables.logged(id)).containsEntry("status", "FAILED");
  }

  @EachDatabase
  void theFirstSuccessOfATypeMakesItsWaitingRetriesDue() throws Exception {
    AtomicBoolean down = new AtomicBoolean(true);
    EventBus bus =
        buses.started(
            b ->
                b.retryPolicy((failures, failure) -> Optional.of(Duration.ofHours(1)))
                    .handler("A", event -> failIf(down.get()))
                    .handler("B", event -> failIf(true)));
    for (int i = 0; i < 20; i++) {
      bus.publish(Event.builder("A").payload("{}").priority(i % 10).build());
    }
    long other = bus.publish(Buses.event("B"));
    Eventually.await(
        "all wait", () -> buses.tables.count("events WHERE failing_since IS NOT NULL") == 21);
    down.set(false);
    bus.publish(Buses.event("A"));
    awaitLogged(21);
    assertThat(buses.tables.eventIds()).containsExactly(other);
    assertThat(buses.tables.number(other, "failures")).isEqualTo(1);
  }

  /** As after a deployment: no node that has seen a failure is there any more. */
  @EachDatabase
  void theFirstSuccessOnANewNodeMakesWhatOthersLeftDue() throws Exception {
    EventBus failing =
        buses.started(
            b ->
                b.retryPolicy((failures, failure) -> Optional.of(Duration.ofHours(1)))
                    .handler("A", event -> failIf(true)));
    failing.publishAll(Collections.nCopies(5, Buses.event("A")));
    Eventually.await(
        "all wait", () -> buses.tables.count("events WHERE failing_since IS NOT NULL") == 5);
    Eventually.await("let go", () -> failing.inFlight() == 0);
    failing.close();
    EventBus deployed = buses.started(b -> b.handler("A", event -> {}));
    deployed.publish(Buses.event("A"));
    awaitLogged(6);
  }

  private static void failIf(boolean fails) {
    if (fails) {
      throw new IllegalStateException("down");
    }
  }

  @EachDatabase
  void aTypeCanHaveAPolicyThatIsAskedWithTheFailure() throws Exception {
    RetryPolicy onlyIfDown =
        (failures, failure) ->
            failure instanceof IllegalStateException
                ? Optional.of(Duration.ofHours(1))
                : Optional.empty();
    EventBus bus =
        buses.started(
            b ->
                b.retryPolicy("A", onlyIfDown)
                    .handler(
                        "A",
                        event -> {
                          failIf(event.payload().equals("{}"));
                          throw new IllegalArgumentException("bad");
                        })
                    .handler("B", failing(new IllegalArgumentException("bad"))));
    long down = bus.publish(Buses.event("A"));
    long bad = bus.publish(Event.of("A", "1"));
    long usual = bus.publish(Buses.event("B"));
    Eventually.await("usual", () -> buses.tables.number(usual, "failures") >= 2);
    Eventually.await("waits", () -> buses.tables.number(down, "failures") == 1);
    Eventually.await("given up", () -> !buses.tables.logged(bad).isEmpty());
    assertThat(buses.tables.logged(bad)).containsEntry("status", "FAILED");
  }

  @EachDatabase
  void onARetryOnlyTheUnfinishedHandlersRunAgain() throws Exception {
    Map<String, Integer> ran = new ConcurrentHashMap<>();
    EventBus bus =
        buses.started(
            b ->
                b.handler("A", "first", event -> ran.merge("first", 1, Integer::sum))
                    .handler(
                        "A",
                        "second, shaky",
                        event -> {
                          if (ran.merge("second", 1, Integer::sum) < 3) {
                            throw new IllegalStateException("shaky");
                          }
                        })
                    .handler("A", "third", event -> ran.merge("third", 1, Integer::sum)));
    bus.publish(Buses.event("A"));
    awaitLogged(1);
    assertThat(ran)
        .containsOnly(Map.entry("first", 1), Map.entry("second", 3), Map.entry("third", 1));
  }
}
