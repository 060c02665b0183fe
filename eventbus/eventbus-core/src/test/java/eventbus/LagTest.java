package eventbus;

import static org.assertj.core.api.Assertions.assertThat;

import holdfast.testkit.db.EachDatabase;
import holdfast.testkit.threads.Eventually;
import java.time.Duration;
import java.util.Collections;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Timeout;

/** How long due events have waited for a worker. */
@Timeout(120)
class LagTest extends BusFixture {
  private static final Duration SLACK = Duration.ofMinutes(1);

  private EventBus bus;

  @BeforeEach
  void make() {
    bus = buses.made(b -> b.handler("A", event -> {}).handler("B", event -> {}));
  }

  private void assertLag(Duration lag) {
    assertThat(bus.lag()).isBetween(lag, lag.plus(SLACK));
  }

  @EachDatabase
  void itIsTheLongestWaitSinceAnEventBecameDue() {
    assertThat(bus.lag()).isZero();
    bus.publish(Buses.event("A"));
    buses.advance(Duration.ofMinutes(10));
    bus.publish(Event.builder("B").priority(0).build());
    assertLag(Duration.ofMinutes(10));
    buses.advance(Duration.ofMinutes(10));
    assertLag(Duration.ofMinutes(20));
    bus.finalize(bus.poll(2).get(1), true);
    assertThat(bus.lag()).as("nothing waits").isZero();
  }

  @EachDatabase
  void whatIsNotDueHasNoLagUntilItIs() {
    bus.publish(Event.builder("A").delay(Duration.ofHours(1)).build());
    buses.advance(Duration.ofMinutes(50));
    assertThat(bus.lag()).isZero();
    buses.advance(Duration.ofMinutes(15));
    assertLag(Duration.ofMinutes(5));
  }

  @EachDatabase
  void typesThatAreNotHandledHereDoNotCount() {
    bus.publish(Buses.event("C"));
    assertThat(bus.poll()).isPresent();
    bus.publish(Buses.event("C"));
    buses.advance(Duration.ofHours(1));
    assertThat(bus.lag()).isZero();
    assertThat(buses.made().lag()).as("of a node without handlers").isZero();
    assertThat(buses.made(b -> b.handler("C", event -> {})).lag())
        .isBetween(Duration.ofHours(1), Duration.ofHours(1).plus(SLACK));
  }

  @EachDatabase
  void whatAWorkerWasLostWithCountsFromTheEndOfItsClaim() {
    bus.publish(Buses.event("A"));
    assertThat(bus.poll()).isPresent();
    buses.advance(Duration.ofMinutes(4));
    assertThat(bus.lag()).as("a worker has it").isZero();
    buses.advance(Duration.ofMinutes(11));
    assertLag(Duration.ofMinutes(10));
  }

  @EachDatabase
  void aFailedTryDoesNotCountWhileItWaitsForTheNext() throws Exception {
    EventBus failing =
        buses.started(
            b ->
                b.handler(
                    "A",
                    event -> {
                      throw new RetryAfterException(Duration.ofHours(1));
                    }));
    long id = bus.publish(Buses.event("A"));
    failing.wakeUp();
    Eventually.await("failed", () -> buses.tables.event(id).get("failing_since") != null);
    buses.advance(Duration.ofMinutes(30));
    assertThat(bus.lag()).isZero();
  }

  @EachDatabase
  void whatWaitsInTheQueueOfTheNodeCounts() throws Exception {
    CountDownLatch end = new CountDownLatch(1);
    EventBus busy = buses.claimingAhead(b -> b.workers(1).handler("A", event -> end.await()));
    busy.publishAll(Collections.nCopies(2, Buses.event("A")));
    Eventually.await("one runs, one waits", () -> busy.inFlight() == 2);
    Eventually.await("counts", () -> !busy.lag().isZero());
    end.countDown();
    Eventually.await("handled", () -> buses.tables.count("event_log") == 2);
  }
}
