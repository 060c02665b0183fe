package eventbus;

import static org.assertj.core.api.Assertions.assertThat;

import holdfast.lifecycle.CloseReport;
import holdfast.testkit.db.DatabaseKind;
import holdfast.testkit.db.EachDatabase;
import holdfast.testkit.threads.Eventually;
import java.time.Duration;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.Semaphore;
import org.junit.jupiter.api.Timeout;

/** Handlers whose workers do not wait for them, and handlers that take several events. */
@Timeout(120)
class AsyncHandlerTest extends BusFixture {
  private final LinkedBlockingQueue<CompletableFuture<Void>> pending = new LinkedBlockingQueue<>();

  private final AsyncEventHandler starting =
      event -> {
        CompletableFuture<Void> stage = new CompletableFuture<>();
        pending.add(stage);
        return stage;
      };

  @EachDatabase
  void oneWorkerHasManyEventsPending() throws Exception {
    EventBus bus = buses.started(b -> b.workers(1).asyncHandler("A", starting));
    bus.publishAll(Collections.nCopies(50, Buses.event("A")));
    Eventually.await("pending", () -> pending.size() == 50);
    assertThat(buses.tables.count("event_log")).isZero();
    pending.forEach(stage -> stage.complete(null));
    awaitLogged(50);
    Eventually.await("let go", () -> bus.inFlight() == 0);
  }

  @EachDatabase
  void noMoreArePendingThanAllowedAndWhatFailsIsTriedAgain() throws Exception {
    EventBus bus = buses.started(b -> b.concurrency("A", 3).asyncHandler("A", starting));
    bus.publishAll(Collections.nCopies(10, Buses.event("A")));
    Eventually.await("pending", () -> pending.size() == 3);
    bus.wakeUp();
    assertThat(buses.tables.count("events WHERE status = 'PENDING'")).isEqualTo(7);
    pending.take().completeExceptionally(new IllegalStateException("not yet"));
    for (int i = 0; i < 10; i++) {
      pending.take().complete(null);
    }
    awaitLogged(10);
    Eventually.await("counted", () -> bus.counts().retried() == 1);
  }

  @EachDatabase
  void aStageThatExceedsItsTimeIsCancelled() throws Exception {
    EventBus bus =
        buses.started(
            b ->
                b.handlerTimeout(Duration.ofMillis(50))
                    .asyncHandler(
                        "A",
                        event ->
                            pending.isEmpty()
                                ? starting.handleAsync(event)
                                : CompletableFuture.completedFuture(event)));
    bus.publish(Buses.event("A"));
    awaitLogged(1);
    assertThat(pending.take()).isCancelled();
  }

  @EachDatabase
  void aBatchHasAnOutcomeForEachEvent() throws Exception {
    CountDownLatch entered = new CountDownLatch(1);
    Semaphore begin = new Semaphore(0);
    Queue<Integer> sizes = new ConcurrentLinkedQueue<>();
    BatchEventHandler handler =
        events -> {
          sizes.add(events.size());
          entered.countDown();
          begin.acquire();
          Map<Long, Exception> failures = new HashMap<>();
          for (Event event : events) {
            if (event.attempts() == 1 && event.id() % 2 == 0) {
              failures.put(event.id(), new IllegalStateException("not this one"));
            }
          }
          return failures;
        };
    EventBus bus = buses.claimingAhead(b -> b.workers(1).batchHandler("A", handler));
    long first = bus.publish(Buses.event("A"));
    entered.await();
    List<Long> ids = bus.publishAll(Collections.nCopies(30, Buses.event("A")));
    Eventually.await("claimed ahead", () -> bus.inFlight() == 31);
    begin.release(100);
    awaitLogged(31);
    long even = ids.stream().filter(id -> id % 2 == 0).count() + (first % 2 == 0 ? 1 : 0);
    Eventually.await("counted", () -> bus.counts().retried() == even);
    assertThat(sizes).startsWith(1, 30);
  }

  /** Holds its calls until it is told, and then those that follow return at once. */
  private static final class Holding implements BatchEventHandler {
    final CountDownLatch first = new CountDownLatch(1);
    final CountDownLatch second = new CountDownLatch(2);
    final Semaphore calls = new Semaphore(0);
    final CountDownLatch end = new CountDownLatch(1);

    @Override
    public Map<Long, Exception> handleAll(List<Event> events) throws Exception {
      first.countDown();
      second.countDown();
      if (second.getCount() > 0) {
        calls.acquire();
      } else {
        end.await();
      }
      return Map.of();
    }
  }

  /** Has a worker hold one event and then ten; returns the ids of the ten. */
  private List<Long> held(EventBus bus, Holding handler) throws Exception {
    bus.publish(Buses.event("A"));
    handler.first.await();
    List<Long> ids = bus.publishAll(Collections.nCopies(10, Buses.event("A")));
    Eventually.await("claimed ahead", () -> bus.inFlight() == 11);
    handler.calls.release();
    handler.second.await();
    return ids;
  }

  @EachDatabase
  void aBatchThatExceedsItsTimeHasFailed() throws Exception {
    Holding handler = new Holding();
    EventBus bus =
        buses.claimingAhead(
            b ->
                b.workers(1)
                    .retryPolicy("A", RetryPolicy.FAIL_FAST)
                    .handlerTimeout("A", Duration.ofSeconds(5))
                    .batchHandler("A", handler));
    List<Long> ids = held(bus, handler);
    awaitLogged(11);
    assertThat(buses.tables.loggedIds(EventStatus.FAILED)).isEqualTo(ids);
    assertThat(String.valueOf(buses.tables.logged(ids.get(9)).get("error")))
        .contains("handler ran longer than PT5S");
  }

  @EachDatabase({DatabaseKind.POSTGRESQL, DatabaseKind.MARIADB})
  void theClaimsOfABatchAreKept() throws Exception {
    Holding handler = new Holding();
    EventBus bus =
        buses.claimingAhead(
            b -> b.workers(1).abandonmentTimeout(Buses.SHORT_TIMEOUT).batchHandler("A", handler));
    long last = held(bus, handler).get(9);
    buses.started(b -> b.abandonmentTimeout(Buses.SHORT_TIMEOUT).handler("A", buses.recording()));
    Object claimEnd = buses.tables.event(last).get("available_at");
    for (int beat = 0; beat < 8; beat++) {
      Object before = claimEnd;
      Eventually.await(
          "heartbeat", () -> !before.equals(buses.tables.event(last).get("available_at")));
      claimEnd = buses.tables.event(last).get("available_at");
    }
    handler.end.countDown();
    awaitLogged(11);
    assertThat(buses.handled).as("by the other").isEmpty();
    assertThat(bus.counts().stale()).isZero();
  }

  @EachDatabase
  void closingWaitsForABatch() throws Exception {
    Holding handler = new Holding();
    EventBus bus = buses.claimingAhead(b -> b.workers(1).batchHandler("A", handler));
    held(bus, handler);
    CompletableFuture<CloseReport> closed =
        CompletableFuture.supplyAsync(() -> bus.close(Duration.ofSeconds(60)));
    handler.end.countDown();
    assertThat(closed.get()).isEqualTo(CloseReport.CLEAN);
    assertThat(buses.tables.count("event_log")).isEqualTo(11);
  }

  @EachDatabase
  void aBatchThatStillRunsAtTheDeadlineIsInterruptedAndReleased() throws Exception {
    Holding handler = new Holding();
    EventBus bus = buses.claimingAhead(b -> b.workers(1).batchHandler("A", handler));
    List<Long> ids = held(bus, handler);
    bus.close(Duration.ofMillis(200));
    Eventually.await(
        "released",
        () ->
            buses
                .tables
                .ids("SELECT id FROM events WHERE status = 'PENDING' ORDER BY id")
                .equals(ids));
    assertThat(buses.tables.count("events WHERE failures > 0")).isZero();
  }
}
