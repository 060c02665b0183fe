package eventbus;

import static org.assertj.core.api.Assertions.assertThat;

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
}
