package eventbus;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import holdfast.testkit.db.EachDatabase;
import holdfast.testkit.threads.Eventually;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Timeout;

/** A type, or all of them, paused and resumed for all nodes. */
@Timeout(120)
class PauseTest extends BusFixture {

  private EventBus handling() {
    return buses.started(b -> b.handler("A", buses.recording()).handler("B", buses.recording()));
  }

  private static void awaitPaused(EventBus bus, String... types) {
    Eventually.await("paused", () -> bus.control().knownPaused().equals(Set.of(types)));
  }

  @EachDatabase
  void aPausedTypeWaitsOnAllNodesUntilItIsResumed() throws Exception {
    EventBus publisher = buses.made(b -> b.publishOnly());
    EventBus one = handling();
    EventBus two = handling();
    publisher.control().pause("A");
    assertThat(publisher.control().paused()).containsOnlyKeys("A");
    awaitPaused(one, "A");
    awaitPaused(two, "A");
    List<Long> waiting =
        List.of(
            publisher.publish(Buses.event("A")),
            one.publish(Buses.event("A")),
            two.publish(Buses.event("A")));
    one.publishAll(Collections.nCopies(4, Buses.event("B")));
    awaitLogged(4);
    assertThat(buses.handled).doesNotContainAnyElementsOf(waiting);
    assertThat(buses.tables.count("events WHERE attempts = 0")).isEqualTo(3);
    assertThat(one.lag()).as("nothing should have been handled").isZero();

    two.control().resume("A");
    awaitLogged(7);
    assertThat(buses.handled).containsAll(waiting).doesNotHaveDuplicates();
    assertThat(two.control().paused()).isEmpty();
  }

  @EachDatabase
  void asThePageShowsIt() {
    EventBus bus = handling();
    // spotless:off
    // region pause
    bus.control().pause("OrderPlaced");              // or pauseAll()
    bus.control().paused();                          // {OrderPlaced=2026-11-16T22:00:00Z}
    bus.control().resume("OrderPlaced");             // or resumeAll()
    // endregion
    // region waiting
    bus.waiting().count("OrderPlaced");              // null for any type
    bus.waiting().list("OrderPlaced", 100, null);    // failures, failing since, next try, last error with its stack
    // endregion
    // spotless:on
    assertThat(bus.control().paused()).isEmpty();
    assertThat(bus.waiting().list("OrderPlaced", 100, null)).isEmpty();
  }

  @EachDatabase
  void everythingIsPausedAndResumedAtOnce() throws Exception {
    EventBus bus = handling();
    bus.control().pauseAll();
    bus.control().pause("A");
    bus.publish(Buses.event("A"));
    bus.publish(Buses.event("B"));
    bus.control().resume("A");
    assertThat(bus.control().paused()).containsOnlyKeys("*");
    // A claim that was under way when the pause began may find them; it is given up then.
    Eventually.await("none is in flight", () -> bus.inFlight() == 0);
    assertThat(bus.lag()).isZero();
    assertThat(buses.handled).isEmpty();
    bus.control().pause("A");
    bus.control().resumeAll();
    awaitLogged(2);
    assertThat(bus.control().paused()).isEmpty();
  }

  @EachDatabase
  void whatWaitsInTheQueueIsReleasedAndWhatRunsIsFinished() throws Exception {
    Semaphore end = new Semaphore(0);
    AtomicInteger begun = new AtomicInteger();
    EventBus bus =
        buses.claimingAhead(
            b ->
                b.workers(1)
                    .handler(
                        "A",
                        event -> {
                          begun.incrementAndGet();
                          end.acquire();
                        }));
    bus.publishAll(Collections.nCopies(10, Buses.event("A")));
    Eventually.await("some wait", () -> begun.get() == 1 && bus.inFlight() > 1);
    bus.control().pause("A");
    Eventually.await("only one in flight", () -> bus.inFlight() == 1);
    assertThat(buses.tables.count("events WHERE status = 'PENDING'")).isEqualTo(9);
    end.release(100);
    awaitLogged(1);
    assertThat(begun).hasValue(1);
    bus.control().resume("A");
    awaitLogged(10);
  }

  @EachDatabase
  void aPollLeavesPausedTypesOut() throws Exception {
    EventBus bus = buses.made();
    long lost = bus.publish(Buses.event("A"));
    assertThat(bus.poll()).isPresent();
    buses.advance(Duration.ofMinutes(6)); // its worker was lost
    bus.publish(Buses.event("A"));
    long other = bus.publish(Buses.event("B"));
    bus.control().pause("A");
    assertThat(bus.poll(10)).extracting(Event::id).containsExactly(other);
    bus.control().pauseAll();
    assertThat(bus.poll(10)).isEmpty();
    bus.control().resumeAll();
    assertThat(bus.poll(10)).extracting(Event::id).hasSize(2).contains(lost);
  }

  @EachDatabase
  void aNodeIsThereUntilItIsClosed() throws Exception {
    EventBus publisher = buses.started(b -> b.publishOnly());
    EventBus node = buses.started(b -> b.name("one").handler("A", buses.recording()));
    Eventually.await("there", () -> buses.tables.count("events_node WHERE node = 'one'") == 1);
    publisher.publish(Buses.event("A"));
    awaitLogged(1);
    assertThat(buses.tables.count("events_node")).isEqualTo(1);
    node.close();
    assertThat(buses.tables.count("events_node")).isZero();
  }

  @EachDatabase
  void withoutItsTablesNothingIsPausedAndTheFixIsNamed() throws Exception {
    buses.tables.execute("DROP TABLE events_node");
    buses.tables.execute("DROP TABLE events_pause");
    EventBus bus = handling();
    bus.publish(Buses.event("A"));
    awaitLogged(1);
    assertThat(bus.control().paused()).isEmpty();
    assertThatThrownBy(() -> bus.control().pause("A"))
        .isInstanceOf(EventBusException.class)
        .hasMessageContaining("events_pause")
        .hasMessageContaining("create them with createTables()");
  }
}
