package eventbus;

import static org.assertj.core.api.Assertions.assertThat;

import holdfast.testkit.db.EachDatabase;
import holdfast.testkit.threads.Eventually;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Timeout;

/** Nodes take no more than they can work on: the rest is for others, and for what is urgent. */
@Timeout(120)
class FairShareTest extends BusFixture {
  private static final int LARGE = 100_000;

  @EachDatabase
  void beforeItsHandlersAreMeasuredANodeClaimsForFreeWorkersOnly() throws Exception {
    Semaphore end = new Semaphore(0);
    EventBus one = buses.started(b -> b.workers(4).handler("A", event -> end.acquire()));
    one.publishAll(Collections.nCopies(16, Buses.event("A")));
    Eventually.await("one is busy", () -> one.inFlight() == 4);
    EventBus two = buses.started(b -> b.workers(4).handler("A", event -> end.acquire()));
    Eventually.await("both are busy", () -> two.inFlight() == 4);
    for (int i = 0; i < 20; i++) {
      one.wakeUp();
      two.wakeUp();
    }
    assertThat(buses.tables.count("events WHERE status = 'PENDING'")).isEqualTo(8);
    end.release(16);
    Eventually.await("logged", () -> buses.tables.count("event_log") == 16);
    Eventually.await("counted", () -> one.counts().completed() + two.counts().completed() == 16);
  }

  @EachDatabase
  void aNodeWhoseHandlersAllHangClaimsNothing() throws Exception {
    CountDownLatch end = new CountDownLatch(1);
    AtomicInteger hanging = new AtomicInteger();
    EventBus hung =
        buses.claimingAhead(
            b ->
                b.workers(2)
                    .handler("A", event -> {})
                    .handler(
                        "Hang",
                        event -> {
                          hanging.incrementAndGet();
                          end.await();
                        }));
    hung.publishAll(Collections.nCopies(2, Buses.event("Hang")));
    Eventually.await("hangs", () -> hanging.get() == 2);
    Eventually.await(
        "overdue", () -> hung.longestRunning().compareTo(Duration.ofMillis(1_500)) > 0);
    buses.made().publishAll(Collections.nCopies(100, Buses.event("A")));
    for (int i = 0; i < 20; i++) {
      hung.wakeUp();
    }
    buses.started(b -> b.handler("A", buses.recording()));
    Eventually.await("logged", () -> buses.tables.count("event_log") == 100);
    assertThat(buses.handled).hasSize(100);
    assertThat(hung.inFlight()).isEqualTo(2);
    end.countDown();
    Eventually.await("logged", () -> buses.tables.count("event_log") == 102);
  }

  @EachDatabase
  void whatIsUrgentRunsNextWhenAWorkerIsFree() throws Exception {
    Semaphore end = new Semaphore(0);
    Queue<Integer> order = new ConcurrentLinkedQueue<>();
    EventBus bus =
        buses.started(
            b ->
                b.workers(1)
                    .handler(
                        "A",
                        event -> {
                          order.add(event.priority());
                          end.acquire();
                        }));
    for (int i = 0; i < 5; i++) {
      bus.publish(Event.builder("A").priority(5).build());
    }
    Eventually.await("busy", () -> order.size() == 1);
    bus.publish(Event.builder("A").priority(Event.FIRST_PRIORITY).build());
    end.release();
    Eventually.await("the next", () -> order.size() == 2);
    assertThat(order).containsExactly(5, Event.FIRST_PRIORITY);
    end.release(10);
    Eventually.await("logged", () -> buses.tables.count("event_log") == 6);
  }

  /** Handlers that were measured let a node claim ahead, but not past what is urgent. */
  @EachDatabase
  void whatIsUrgentRunsNextAlsoIfTheNodeHasClaimedAheadAllItMay() throws Exception {
    int batch = 10;
    Semaphore end = new Semaphore(0);
    Queue<Integer> order = new ConcurrentLinkedQueue<>();
    EventBus bus =
        buses.claimingAhead(
            b ->
                b.workers(1)
                    .batchSize(batch)
                    .handler(
                        "A",
                        event -> {
                          order.add(event.priority());
                          end.acquire();
                        }));
    bus.publishAll(Collections.nCopies(50, Buses.event("A")));
    Eventually.await("claimed ahead", () -> bus.inFlight() > batch + 2 && order.size() == 1);
    long urgent = bus.publish(Event.builder("A").priority(Event.FIRST_PRIORITY).build());
    Eventually.await(
        "claimed, and queued on the node",
        () ->
            buses.tables.count("events WHERE status = 'PROCESSING' AND id = " + urgent) == 1
                && isClaimerWaiting());
    assertThat(bus.inFlight()).as("and what is not urgent waits").isLessThan(50);
    end.release();
    Eventually.await("the next", () -> order.size() == 2);
    assertThat(order).containsExactly(Event.DEFAULT_PRIORITY, Event.FIRST_PRIORITY);
    end.release(100);
    awaitLogged(51);
  }

  /** The row says that an event is claimed before the node has put it into its queue. */
  private static boolean isClaimerWaiting() {
    List<Thread.State> claimers =
        Thread.getAllStackTraces().keySet().stream()
            .filter(thread -> thread.getName().startsWith("eventbus-claimer"))
            .map(Thread::getState)
            .toList();
    return !claimers.isEmpty()
        && claimers.stream()
            .allMatch(
                state -> state == Thread.State.WAITING || state == Thread.State.TIMED_WAITING);
  }

  @EachDatabase
  void noMoreBytesAreInFlightThanAllowed() throws Exception {
    Semaphore end = new Semaphore(0);
    AtomicInteger running = new AtomicInteger();
    EventBus bus =
        buses.made(
            b ->
                b.workers(8)
                    .maxInFlightBytes(2 * LARGE + LARGE / 2)
                    .handler(
                        "A",
                        event -> {
                          running.incrementAndGet();
                          end.acquire();
                        }));
    Event large = Event.of("A", "\"" + "x".repeat(LARGE) + "\"");
    bus.publishAll(Collections.nCopies(12, large));
    bus.start();
    Eventually.await("two fit", () -> running.get() >= 2);
    for (int i = 0; i < 20; i++) {
      bus.wakeUp();
      assertThat(bus.inFlight()).as("and one may always be claimed").isLessThanOrEqualTo(3);
    }
    end.release(12);
    awaitLogged(12);
    Eventually.await("counted", () -> bus.counts().completed() == 12);
  }

  @EachDatabase
  void aPollReturnsNoMoreBytesThanAllowedButOneEventAlways() {
    EventBus bus = buses.made(b -> b.maxInFlightBytes(LARGE + LARGE / 2));
    bus.publishAll(Collections.nCopies(3, Event.of("A", "x".repeat(LARGE))));
    assertThat(bus.poll(3)).hasSize(1);
    assertThat(buses.made(b -> b.maxInFlightBytes(1)).poll(3))
        .singleElement()
        .satisfies(event -> assertThat(event.payload()).hasSize(LARGE));
    assertThat(buses.made(b -> b).poll(3)).hasSize(1);
  }
}
