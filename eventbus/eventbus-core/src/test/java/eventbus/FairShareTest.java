package eventbus;

import static org.assertj.core.api.Assertions.assertThat;

import holdfast.testkit.db.EachDatabase;
import holdfast.testkit.threads.Eventually;
import java.util.Collections;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
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

  @EachDatabase
  void noMoreBytesAreInFlightThanAllowed() throws Exception {
    AtomicInteger running = new AtomicInteger();
    AtomicInteger most = new AtomicInteger();
    EventBus bus =
        buses.made(
            b ->
                b.workers(8)
                    .maxInFlightBytes(2 * LARGE + LARGE / 2)
                    .handler(
                        "A",
                        event -> {
                          most.accumulateAndGet(running.incrementAndGet(), Math::max);
                          assertThat(event.payload()).hasSize(LARGE + 2);
                          running.decrementAndGet();
                        }));
    Event large = Event.of("A", "\"" + "x".repeat(LARGE) + "\"");
    bus.publishAll(Collections.nCopies(12, large));
    bus.start();
    Eventually.await("logged", () -> buses.tables.count("event_log") == 12);
    Eventually.await("counted", () -> bus.counts().completed() == 12);
    assertThat(most.get()).as("two fit, and one may always be claimed").isBetween(1, 3);
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
