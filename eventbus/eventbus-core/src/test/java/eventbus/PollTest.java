package eventbus;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import holdfast.testkit.db.DatabaseKind;
import holdfast.testkit.db.EachDatabase;
import holdfast.testkit.threads.Together;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.BeforeEach;

/** Who gets which event, when many ask. */
class PollTest extends BusFixture {
  private static final int THREADS = 8;

  private EventBus bus;

  @BeforeEach
  void make() {
    bus = buses.made();
  }

  @EachDatabase
  void ofEightThreadsPollingOneEventExactlyOneGetsIt() throws Exception {
    for (int round = 0; round < 10; round++) {
      long id = bus.publish(Buses.event("A"));
      CyclicBarrier together = new CyclicBarrier(THREADS);
      List<Optional<Event>> got =
          Together.callAll(
              THREADS,
              () -> {
                together.await();
                return bus.poll();
              });
      assertThat(got.stream().flatMap(Optional::stream)).extracting(Event::id).containsExactly(id);
    }
  }

  @EachDatabase
  void nobodyGetsMoreThanAskedForAndNothingIsGivenTwice() throws Exception {
    List<Event> events = Collections.nCopies(400, Buses.event("A"));
    List<Long> ids = bus.publishAll(events);
    AtomicInteger most = new AtomicInteger();
    List<List<Long>> got =
        Together.callAll(
            THREADS,
            () -> {
              List<Long> mine = new ArrayList<>();
              List<Event> batch = bus.poll(7);
              while (!batch.isEmpty()) {
                most.accumulateAndGet(batch.size(), Math::max);
                batch.forEach(event -> mine.add(event.id()));
                batch = bus.poll(7);
              }
              return mine;
            });
    assertThat(most.get()).isEqualTo(7);
    assertThat(got.stream().flatMap(List::stream)).containsExactlyInAnyOrderElementsOf(ids);
    assertThat(buses.tables.count("events WHERE status = 'PROCESSING' AND attempts = 1"))
        .isEqualTo(400);
  }

  @EachDatabase
  void firstPriorityThenSoonestDueThenFirstPublished() {
    long third = bus.publish(Buses.event("B"));
    long fourth = bus.publish(Buses.event("A"));
    long last = bus.publish(Event.builder("A").priority(9).build());
    long second = bus.publish(Event.builder("C").priority(1).build());
    long first = bus.publish(Event.builder("D").priority(0).build());
    List<Long> order = new ArrayList<>();
    bus.poll().ifPresent(event -> order.add(event.id()));
    bus.poll().ifPresent(event -> order.add(event.id()));
    bus.poll(3).forEach(event -> order.add(event.id()));
    assertThat(order).containsExactly(first, second, third, fourth, last);
  }

  @EachDatabase
  void amongEventsDueAtTheSameMomentTheFirstPublishedGoesFirst() throws Exception {
    List<Long> ids = bus.publishAll(Collections.nCopies(20, Buses.event("A")));
    buses.tables.update("UPDATE events SET available_at = TIMESTAMP '2020-01-01 00:00:00'");
    List<Long> order = new ArrayList<>();
    for (int i = 0; i < 5; i++) {
      bus.poll(4).forEach(event -> order.add(event.id()));
    }
    assertThat(order).containsExactlyElementsOf(ids);
  }

  @EachDatabase
  void aDelayedEventOfFirstPriorityHidesNobody() {
    bus.publish(Event.builder("A").priority(0).delay(Duration.ofDays(1)).build());
    long id = bus.publish(Event.builder("A").priority(9).build());
    assertThat(bus.poll(10)).extracting(Event::id).containsExactly(id);
  }

  @EachDatabase
  void aPollBringsOneSuspectAtATime() {
    bus.publishAll(Collections.nCopies(5, Buses.event("A")));
    assertThat(bus.poll(5)).hasSize(5);
    buses.advance(Duration.ofMinutes(6));
    long fresh = bus.publish(Buses.event("A"));
    List<Event> next = bus.poll(5);
    assertThat(next).hasSize(2);
    assertThat(next.stream().filter(event -> event.claim().isSuspect())).hasSize(1);
    assertThat(next).extracting(Event::id).contains(fresh);
    assertThat(bus.poll(5)).as("and the next one").hasSize(1);
  }

  @EachDatabase
  void anEventThatLosesWorkerAfterWorkerIsClosedAsFailed() throws Exception {
    EventBus strict = buses.made(b -> b.maxLapses(3));
    long id = strict.publish(Buses.event("A"));
    for (int loss = 0; loss <= 3; loss++) {
      assertThat(strict.poll()).as("after " + loss + " losses").isPresent();
      buses.advance(Duration.ofMinutes(6));
    }
    assertThat(strict.poll()).isPresent();
    buses.advance(Duration.ofMinutes(6));
    assertThat(strict.poll()).isEmpty();
    assertThat(buses.tables.logged(id)).containsEntry("status", "FAILED");
    assertThat((String) buses.tables.logged(id).get("error")).contains("died or hung 4 times");
    assertThat(strict.counts().failed()).isEqualTo(1);
  }

  @EachDatabase
  void aRowThatCannotBeReadIsClosedAndStopsNobody() throws Exception {
    long broken = bus.publish(Buses.event("A"));
    long fine = bus.publish(Buses.event("A"));
    buses.tables.update("UPDATE events SET headers = 'no JSON' WHERE id = ?", broken);
    assertThat(bus.poll(10)).extracting(Event::id).containsExactly(fine);
    assertThat((String) buses.tables.logged(broken).get("error"))
        .startsWith("its headers cannot be read: ");
  }

  @EachDatabase
  void aPollOfNothingIsRefused() {
    assertThatThrownBy(() -> bus.poll(0)).hasMessage("EventBus: max must be 1 or more but was 0");
  }

  @EachDatabase
  void aReleasedEventKeepsItsSuspicion() {
    bus.publish(Buses.event("A"));
    bus.poll();
    buses.advance(Duration.ofMinutes(6));
    Event suspect = bus.poll().orElseThrow();
    assertThat(suspect.claim().isSuspect()).isTrue();
    bus.release(suspect);
    assertThat(bus.poll().orElseThrow().claim().isSuspect()).isTrue();
  }

  @EachDatabase({DatabaseKind.MARIADB, DatabaseKind.POSTGRESQL})
  void publishersAndPollersOfManyTypesDoNotLockEachOther() throws Exception {
    AtomicInteger publishing = new AtomicInteger(4);
    AtomicInteger closed = new AtomicInteger();
    Together.runAll(
        THREADS,
        () -> {
          int mine = publishing.decrementAndGet();
          if (mine >= 0) {
            for (int i = 0; i < 150; i++) {
              bus.publish(Event.builder("T" + i % 5).priority(i % 10).build());
            }
          } else {
            while (closed.get() < 600) {
              for (Event event : bus.poll(10)) {
                assertThat(bus.finalize(event, true)).isTrue();
                closed.incrementAndGet();
              }
            }
          }
        });
    assertThat(bus.ledger().delivered()).isEqualTo(600);
  }
}
