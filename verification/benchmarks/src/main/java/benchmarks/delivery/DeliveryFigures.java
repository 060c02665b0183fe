package benchmarks.delivery;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import eventbus.Event;
import eventbus.EventBus;
import holdfast.testkit.db.DatabaseKind;
import holdfast.testkit.db.TestDatabase;
import holdfast.testkit.process.ChildJvm;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Collections;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;
import outbox.EventEnvelope;
import outbox.dispatch.LeaseSettings;
import outbox.jdbc.JdbcOutbox;
import outbox.jdbc.JdbcOutboxBuilder;
import outbox.jdbc.JdbcTransactionManager;

/** Runs all of it, on PostgreSQL. For one thread. */
public final class DeliveryFigures {
  private static final Duration WORK = Duration.ofMillis(20);
  private static final Duration LEASE = Duration.ofSeconds(4);
  private static final Duration PATIENCE = Duration.ofMinutes(2);

  private DeliveryFigures() {}

  /** Measures everything and prints a Markdown table. */
  public static void run() throws SQLException, InterruptedException {
    System.out.println("| case | figure |");
    System.out.println("| --- | --- |");
    largeTransaction();
    takeoverByOutbox();
    takeoverByBus();
    print("400 events of 1 MiB, -Xmx256m, outbox", largeEvents("outbox"));
    print("400 events of 1 MiB, -Xmx256m, event bus", largeEvents("bus"));
    fairShare();
    roundTrips();
  }

  private static void print(String what, String figure) {
    System.out.printf("| %s | %s |%n", what, figure);
  }

  static HikariDataSource pool(String url, String user, String password) {
    HikariConfig config = new HikariConfig();
    config.setJdbcUrl(url);
    config.setUsername(user);
    config.setPassword(password);
    config.setMaximumPoolSize(8);
    return new HikariDataSource(config);
  }

  private static HikariDataSource pool(TestDatabase database) {
    return pool(database.url(), database.user(), database.password());
  }

  static void publish(JdbcOutbox outbox, int count, String payload) {
    try (JdbcTransactionManager.Transaction tx = outbox.begin()) {
      outbox.publishAll(Collections.nCopies(count, 0).stream().map(i -> event(payload)).toList());
      tx.commit();
    }
  }

  private static EventEnvelope event(String payload) {
    return EventEnvelope.ofJson("Measured", payload);
  }

  private static LeaseSettings lease(String node) {
    return new LeaseSettings(
        node, LEASE, LEASE.dividedBy(4), Duration.ofMillis(100), Duration.ofMinutes(1));
  }

  private static void largeTransaction() throws SQLException, InterruptedException {
    Arrivals arrivals = new Arrivals(50_000);
    try (TestDatabase database = TestDatabase.open(DatabaseKind.POSTGRESQL);
        HikariDataSource pool = pool(database);
        JdbcOutbox outbox =
            JdbcOutbox.builder(pool)
                .createTables()
                .listener("Measured", event -> arrivals.workFor(Duration.ofMillis(5)))
                .build()) {
      outbox.start();
      publish(outbox, 50_000, "{}");
      arrivals.await();
    }
    print(
        "publishAll(50,000), 5 ms listener, 4 workers: events/s by fifths",
        "%.0f, %.0f, %.0f, %.0f, %.0f"
            .formatted(
                arrivals.rate(0, 0.2),
                arrivals.rate(0.2, 0.4),
                arrivals.rate(0.4, 0.6),
                arrivals.rate(0.6, 0.8),
                arrivals.rate(0.8, 1)));
  }

  private static Arrivals outboxOf8(boolean killed) throws SQLException, InterruptedException {
    Arrivals arrivals = new Arrivals(1_000);
    UnaryOperator<JdbcOutboxBuilder> settings =
        b -> b.workers(8).lease(lease("measured")).pollInterval(Duration.ofMillis(500));
    try (TestDatabase database = TestDatabase.open(DatabaseKind.POSTGRESQL);
        HikariDataSource pool = pool(database);
        JdbcOutbox outbox =
            settings
                .apply(JdbcOutbox.builder(pool))
                .createTables()
                .listener("Measured", event -> arrivals.workFor(WORK))
                .build()) {
      if (killed) {
        killHolder("outbox", database);
      } else {
        try (JdbcOutbox publisher = JdbcOutbox.builder(pool).publishOnly().build()) {
          publish(publisher, 1_000, "{}");
        }
      }
      outbox.start();
      arrivals.await();
    }
    return arrivals;
  }

  /** A node that has begun four events and holds the others, until it is killed. */
  private static void killHolder(String library, TestDatabase database)
      throws InterruptedException {
    try (ChildJvm holder =
        ChildJvm.of(
                HoldingNode.class, library, database.url(), database.user(), database.password())
            .start()) {
      holder.awaitLine(HoldingNode.READY::equals, PATIENCE);
    }
  }

  private static void takeoverByOutbox() throws SQLException, InterruptedException {
    double undisturbed = outboxOf8(false).rate(0, 1);
    double takenOver = outboxOf8(true).rate(0, 1);
    print(
        "1,000 events of a killed outbox node, 20 ms, 8 workers: of the undisturbed rate",
        "%.2f (%.0f of %.0f events/s)".formatted(takenOver / undisturbed, takenOver, undisturbed));
  }

  private static void takeoverByBus() throws SQLException, InterruptedException {
    int events = HoldingNode.BUS_EVENTS;
    Arrivals arrivals = new Arrivals(events);
    try (TestDatabase database = TestDatabase.open(DatabaseKind.POSTGRESQL);
        HikariDataSource pool = pool(database);
        EventBus bus =
            EventBus.builder(pool)
                .createTables()
                .abandonmentTimeout(LEASE)
                .handler("Measured", event -> arrivals.workFor(WORK))
                .build()) {
      killHolder("bus", database);
      bus.start();
      arrivals.await();
    }
    double ideal = events * WORK.toNanos() / 1e9 / 4;
    print(
        "80 events of a killed event bus node, 20 ms, 4 workers: of the ideal time",
        "%.2f (%.2f s of %.2f s)".formatted(arrivals.seconds() / ideal, arrivals.seconds(), ideal));
  }

  private static String largeEvents(String library) throws SQLException, InterruptedException {
    try (TestDatabase database = TestDatabase.open(DatabaseKind.POSTGRESQL);
        ChildJvm node =
            ChildJvm.of(
                    LargeEventsNode.class,
                    library,
                    database.url(),
                    database.user(),
                    database.password())
                .jvmOptions("-Xmx256m")
                .start()) {
      node.awaitLine(line -> line.startsWith(LargeEventsNode.DONE), PATIENCE.multipliedBy(3));
      return node.lines().get(node.lines().size() - 1);
    }
  }

  private static void fairShare() throws SQLException, InterruptedException {
    Arrivals one = new Arrivals(16);
    Arrivals two = new Arrivals(16);
    int ofFirst;
    Duration long15 = Duration.ofMillis(1_500);
    try (TestDatabase database = TestDatabase.open(DatabaseKind.POSTGRESQL);
        HikariDataSource pool = pool(database);
        EventBus first =
            EventBus.builder(pool)
                .createTables()
                .handler("Measured", event -> one.workFor(long15))
                .build();
        EventBus second =
            EventBus.builder(pool).handler("Measured", event -> two.workFor(long15)).build()) {
      first.start();
      second.start();
      first.publishAll(Collections.nCopies(16, Event.of("Measured", "{}")));
      while (one.count() + two.count() < 16) {
        TimeUnit.MILLISECONDS.sleep(50);
      }
      ofFirst = one.count();
    }
    print(
        "16 events of 1.5 s on two event bus nodes of 4 workers",
        "%d and %d".formatted(ofFirst, 16 - ofFirst));
  }

  private static void roundTrips() throws SQLException, InterruptedException {
    Executor later = CompletableFuture.delayedExecutor(WORK.toMillis(), TimeUnit.MILLISECONDS);
    double sync =
        roundTrips(2_000, (b, arrivals) -> b.listener("Measured", e -> arrivals.workFor(WORK)));
    double async =
        roundTrips(
            20_000,
            (b, arrivals) ->
                b.asyncListener(
                    "Measured", e -> CompletableFuture.runAsync(arrivals::note, later)));
    double batches =
        roundTrips(
            20_000,
            (b, arrivals) ->
                b.batchListener(
                    "Measured",
                    events -> {
                      arrivals.workFor(WORK);
                      events.stream().skip(1).forEach(e -> arrivals.note());
                      return Map.of();
                    }));
    print(
        "20 ms to a remote service, 4 workers: events/s one by one, asynchronous, in batches",
        "%.0f, %.0f, %.0f".formatted(sync, async, batches));
  }

  private interface Listening {
    JdbcOutboxBuilder to(JdbcOutboxBuilder builder, Arrivals arrivals);
  }

  private static double roundTrips(int events, Listening listening)
      throws SQLException, InterruptedException {
    Arrivals arrivals = new Arrivals(events);
    try (TestDatabase database = TestDatabase.open(DatabaseKind.POSTGRESQL);
        HikariDataSource pool = pool(database);
        JdbcOutbox outbox =
            listening.to(JdbcOutbox.builder(pool).createTables(), arrivals).build()) {
      try (JdbcOutbox publisher = JdbcOutbox.builder(pool).publishOnly().build()) {
        publish(publisher, events, "{}");
      }
      outbox.start();
      arrivals.await();
      return arrivals.rate(0.1, 1);
    }
  }
}
