package eventbus;

import holdfast.jdbc.WakeUp;
import holdfast.testkit.db.ConnectionPool;
import holdfast.testkit.db.TestDatabase;
import holdfast.testkit.threads.Eventually;
import holdfast.testkit.time.SettableTime;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.UnaryOperator;

/** Nodes of one bus in one JVM, on fresh tables; closing closes all of them. */
final class Buses implements AutoCloseable {
  /** A time-out short enough for a test to see it run out. */
  static final Duration SHORT_TIMEOUT = Duration.ofSeconds(2);

  private static final int QUICK = 20;

  final Tables tables;
  final ConnectionPool pool;
  final Queue<Long> handled = new ConcurrentLinkedQueue<>();

  /** How far the database's clock is moved, for all nodes. */
  final AtomicReference<Duration> offset = new AtomicReference<>(Duration.ZERO);

  private final List<EventBus> open = new ArrayList<>();
  private final List<SettableTime> clocks = new ArrayList<>();

  private Buses(Tables tables, ConnectionPool pool) {
    this.tables = tables;
    this.pool = pool;
  }

  static Buses on(TestDatabase database) throws SQLException {
    return on(database, ConnectionPool.over(database.dataSource()));
  }

  static Buses on(TestDatabase database, ConnectionPool pool) throws SQLException {
    return new Buses(Tables.fresh(database), pool);
  }

  /** What most tests want: a node looks for events when they say so, or soon. */
  EventBusBuilder settings() {
    return EventBus.builder(pool)
        .wakeUp(WakeUp.OFF)
        .pollInterval(Duration.ofMillis(100))
        .retryPolicy(RetryPolicy.backoff(10, Duration.ofMillis(5), Duration.ofMillis(20)))
        .clockOffset(offset::get);
  }

  /** A node that is built and not started; looks often, retries soon. */
  EventBus made(UnaryOperator<EventBusBuilder> settings) {
    EventBusBuilder builder = settings.apply(settings());
    if (builder.time instanceof SettableTime clock) {
      clocks.add(clock);
    }
    EventBus bus = builder.build();
    open.add(bus);
    return bus;
  }

  EventBus made() {
    return made(b -> b);
  }

  EventBus started(UnaryOperator<EventBusBuilder> settings) {
    EventBus bus = made(settings);
    bus.start();
    return bus;
  }

  /** A node that claims ahead: it has handled some events quickly. Their type is "quick". */
  EventBus claimingAhead(UnaryOperator<EventBusBuilder> settings) throws Exception {
    EventBus bus = started(b -> settings.apply(b).handler("quick", event -> {}));
    bus.publishAll(Collections.nCopies(QUICK, event("quick")));
    Eventually.await(
        "quick", () -> bus.counts().completed() == QUICK && tables.count("event_log") == QUICK);
    tables.execute("DELETE FROM event_log");
    return bus;
  }

  /** Remembers the ids of what is handled. */
  EventHandler recording() {
    return event -> handled.add(event.id());
  }

  /** Lets time pass for the database. */
  void advance(Duration duration) {
    offset.updateAndGet(before -> before.plus(duration));
  }

  static Event event(String type) {
    return Event.of(type, "{}");
  }

  /** Closing has deadlines: by a clock that stands they would never be over. */
  @Override
  public void close() throws SQLException {
    CompletableFuture<Void> closed =
        CompletableFuture.runAsync(
            () -> open.forEach(bus -> bus.close(Duration.ofSeconds(10))),
            task -> new Thread(task, "closes-buses").start());
    Eventually.await(
        "closed",
        Duration.ofMinutes(1),
        () -> {
          clocks.forEach(clock -> clock.advance(Duration.ofMillis(10)));
          return closed.isDone();
        });
    closed.join();
    pool.close();
  }
}
