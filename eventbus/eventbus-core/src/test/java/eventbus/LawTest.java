package eventbus;

import static org.assertj.core.api.Assertions.assertThat;

import holdfast.ledger.LedgerSnapshot;
import holdfast.testkit.db.EachDatabase;
import holdfast.testkit.db.TestDatabase;
import holdfast.testkit.threads.Eventually;
import holdfast.testkit.threads.Together;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;

/**
 * published = completed + held + purged, whatever is done in whatever order while statements fail,
 * answers get lost, time jumps and nodes come and go.
 */
@Timeout(900)
class LawTest {
  private static final int THREADS = 4;
  private static final List<String> TYPES = List.of("A", "B", "C");

  @EachDatabase
  void holdsUnderRandomOperationsWithFaults(TestDatabase database) throws Exception {
    new Run(database, 20261115, 60).check();
  }

  @Tag("long")
  @EachDatabase
  void holdsForLonger(TestDatabase database) throws Exception {
    for (int seed = 1; seed <= 5; seed++) {
      new Run(database, seed, 1_500).check();
    }
  }

  /** One run with one seed. */
  private static final class Run {
    private final int seed;
    private final int steps;
    private final Buses buses;

    // What the callers know: an exception leaves open whether its transaction was committed.
    private final AtomicLong committed = new AtomicLong();
    private final AtomicLong perhaps = new AtomicLong();
    private final AtomicLong begun = new AtomicLong();
    private final Set<String> sure = ConcurrentHashMap.newKeySet();
    private final Set<String> rolledBack = ConcurrentHashMap.newKeySet();
    private final Set<String> handled = ConcurrentHashMap.newKeySet();
    private final AtomicInteger keys = new AtomicInteger();

    Run(TestDatabase database, int seed, int steps) throws SQLException {
      this.seed = seed;
      this.steps = steps;
      this.buses = Buses.on(database);
    }

    void check() throws Exception {
      try (buses) {
        AtomicInteger thread = new AtomicInteger();
        EventBus reader = EventBus.builder(buses.tables.database.dataSource()).build();
        Together.runAll(THREADS, () -> operate(new Random(seed * 31L + thread.getAndIncrement())));
        buses.pool.heal();
        buses.advance(Duration.ofHours(1)); // whatever was forgotten is abandoned by now
        EventBus last = node();
        Eventually.await(
            "at rest, seed " + seed,
            Duration.ofSeconds(120),
            () -> {
              LedgerSnapshot now = reader.ledger();
              assertThat(now.isAccountedFor()).as(now.toLine()).isTrue();
              return now.heldByPlace().get("pending") == 0
                  && now.heldByPlace().get("processing") == 0;
            });
        last.close();
        atRest(reader.ledger());
      }
    }

    private void atRest(LedgerSnapshot ledger) throws SQLException {
      String what = "seed " + seed + ": " + ledger.toLine();
      assertThat(ledger.accepted())
          .as(what)
          .isBetween(committed.get(), committed.get() + perhaps.get());
      long purged = ledger.accepted() - buses.tables.count("event_log");
      assertThat(ledger.accepted() - ledger.delivered() - ledger.lost())
          .as(what)
          .isEqualTo(buses.tables.count("event_log WHERE status = 'FAILED'"));
      assertThat(purged).as(what).isNotNegative();
      assertThat(handled)
          .as("nothing of a rolled-back transaction")
          .doesNotContainAnyElementsOf(rolledBack);
      assertThat(handled).as("everything committed was handled").containsAll(sure);
    }

    private EventBus node() {
      EventBus bus =
          buses
              .settings()
              .workers(2)
              .batchSize(5)
              .maxLapses(1_000)
              .retryPolicy(RetryPolicy.backoff(3, Duration.ofMillis(1), Duration.ofMillis(3)))
              .handler("A", this::handle)
              .asyncHandler("B", event -> CompletableFuture.runAsync(() -> handle(event)))
              .batchHandler("C", this::handleAll)
              .build();
      bus.start();
      return bus;
    }

    private void handle(Event event) {
      handled.add(event.payload());
      if (event.type().equals("B") && isThird(event)) {
        throw new IllegalStateException("every third");
      }
    }

    private Map<Long, Exception> handleAll(List<Event> events) {
      events.forEach(event -> handled.add(event.payload()));
      return events.stream()
          .filter(Run::isThird)
          .collect(Collectors.toMap(Event::id, event -> new IllegalStateException("every third")));
    }

    private static boolean isThird(Event event) {
      return event.payload().hashCode() % 3 == 0;
    }

    private void operate(Random random) {
      List<EventBus> mine = new ArrayList<>(List.of(node()));
      try {
        for (int step = 0; step < steps; step++) {
          EventBus bus = mine.get(0);
          try {
            once(random, bus, mine);
          } catch (EventBusException | SQLException e) {
            assertThat(e.toString()).contains("told to");
          }
        }
      } finally {
        buses.pool.heal();
        mine.forEach(bus -> bus.close(Duration.ofSeconds(20)));
      }
    }

    private void once(Random random, EventBus bus, List<EventBus> mine) throws SQLException {
      switch (random.nextInt(12)) {
        case 0, 1, 2 -> publish(bus, List.of(event(random)));
        case 3 -> publish(bus, List.of(event(random), event(random), event(random)));
        case 4 -> publishInTransaction(random, bus);
        case 5 -> poll(random, bus);
        case 6 -> buses.advance(Duration.ofMinutes(random.nextInt(8)));
        case 7 -> bus.log().purgeCompleted(Duration.ofMinutes(random.nextInt(20)));
        case 8 -> bus.log().purgeFailed(Duration.ofMinutes(random.nextInt(60)));
        case 9 -> republish(bus);
        case 10 -> {
          mine.remove(0).close(Duration.ofSeconds(20));
          mine.add(node());
        }
        default -> disturb(random);
      }
    }

    private Event event(Random random) {
      String key = "key-" + keys.incrementAndGet();
      EventBuilder event = Event.builder(TYPES.get(random.nextInt(TYPES.size()))).payload(key);
      return event.priority(random.nextInt(10)).build();
    }

    private void publish(EventBus bus, List<Event> events) {
      begun.addAndGet(events.size());
      perhaps.addAndGet(events.size());
      bus.publishAll(events);
      perhaps.addAndGet(-events.size());
      committed.addAndGet(events.size());
      events.forEach(event -> sure.add(event.payload()));
    }

    private void publishInTransaction(Random random, EventBus bus) throws SQLException {
      Event event = event(random);
      boolean commit = random.nextBoolean();
      try (Connection conn = buses.tables.database.connect()) {
        conn.setAutoCommit(false);
        bus.publish(conn, event);
        if (commit) {
          conn.commit();
          committed.incrementAndGet();
          sure.add(event.payload());
        } else {
          conn.rollback();
          rolledBack.add(event.payload());
        }
      }
    }

    /** A loop of its own: closes, lets go, or forgets about what it got. */
    private void poll(Random random, EventBus bus) throws SQLException {
      for (Event event : bus.poll(3)) {
        handled.add(event.payload());
        switch (random.nextInt(4)) {
          case 0 -> close(bus, event, true);
          case 1 -> close(bus, event, false);
          case 2 -> bus.release(event);
          default -> handled.add(event.payload());
        }
      }
    }

    private void close(EventBus bus, Event event, boolean success) throws SQLException {
      try {
        bus.finalize(event, success);
      } catch (UnknownEventException e) {
        // Its claim had lapsed, another node has closed it, and it was purged.
        assertThat(buses.tables.count("events WHERE id = " + event.id())).isZero();
      }
    }

    private void republish(EventBus bus) {
      perhaps.addAndGet(1_000_000); // while it runs, and if it fails: nobody knows how many
      long made = bus.log().republishAll(LogFilter.FAILED);
      committed.addAndGet(made);
      perhaps.addAndGet(-1_000_000);
    }

    private void disturb(Random random) {
      int one = 3 + random.nextInt(20);
      AtomicInteger calls = new AtomicInteger();
      switch (random.nextInt(4)) {
        case 0 ->
            buses.pool.failOn(
                call -> call.contains("event_log") && calls.incrementAndGet() % one == 0);
        case 1 ->
            buses.pool.failOn(call -> call.equals("commit") && calls.incrementAndGet() % one == 0);
        case 2 ->
            buses.pool.failAfter(
                call -> call.equals("commit") && calls.incrementAndGet() % one == 0);
        default -> buses.pool.heal();
      }
    }
  }
}
