package benchmarks.delivery;

import com.zaxxer.hikari.HikariDataSource;
import eventbus.Event;
import eventbus.EventBus;
import holdfast.testkit.db.DatabaseKind;
import holdfast.testkit.db.TestDatabase;
import holdfast.testkit.process.ChildJvm;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.function.IntConsumer;
import outbox.EventEnvelope;
import outbox.jdbc.JdbcOutbox;
import outbox.jdbc.JdbcTransactionManager;

/**
 * The time from the commit of a sparse event to its listener in another JVM, and what an idle node
 * costs, with wake-up and without. All four run at the same time, each on a database of its own.
 * The monotonic clock of Linux is one for all processes. For one thread.
 */
public final class WakeUpFigures {
  private static final Duration EVERY = Duration.ofMillis(2_300);
  private static final int WARM_UP = 3;
  private static final int EVENTS = WARM_UP + Integer.getInteger("benchmark.events", 25);

  /** An idle session of PostgreSQL keeps its counts to itself for ten seconds. */
  private static final Duration SETTLING = Duration.ofSeconds(12);

  private static final Duration IDLE = Duration.ofSeconds(60);
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  private WakeUpFigures() {}

  private record Figures(String library, String wakeUp, List<Long> micros, double perSecond) {}

  /** Measures and prints a Markdown table. */
  public static void run() throws InterruptedException, ExecutionException {
    System.out.printf("One event every %,d ms, in another JVM%n%n", EVERY.toMillis());
    System.out.println(
        "| library | wake-up | p50 ms | p90 ms | most ms | transactions/s of an idle node |");
    System.out.println("| --- | --- | ---: | ---: | ---: | ---: |");
    ExecutorService threads = Executors.newCachedThreadPool();
    try {
      List<Callable<Figures>> runs = new ArrayList<>();
      for (String wakeUp : List.of("off", "on")) {
        runs.add(() -> outbox(wakeUp));
        runs.add(() -> bus(wakeUp));
      }
      for (Future<Figures> run : threads.invokeAll(runs)) {
        Figures figures = run.get();
        System.out.printf(
            "| %s | %s | %.1f | %.1f | %.1f | %.2f |%n",
            figures.library(),
            figures.wakeUp(),
            part(figures.micros(), 50),
            part(figures.micros(), 90),
            part(figures.micros(), 100),
            figures.perSecond());
      }
    } finally {
      threads.shutdown();
    }
    System.out.println();
  }

  private static double part(List<Long> micros, int percent) {
    return micros.get(Math.min(micros.size() - 1, micros.size() * percent / 100)) / 1e3;
  }

  private static Figures outbox(String wakeUp) throws SQLException, InterruptedException {
    try (TestDatabase database = TestDatabase.open(DatabaseKind.POSTGRESQL);
        HikariDataSource pool =
            DeliveryFigures.pool(database.url(), database.user(), database.password());
        JdbcOutbox outbox = JdbcOutbox.builder(pool).createTables().publishOnly().build()) {
      outbox.start();
      return measure(
          "outbox",
          wakeUp,
          database,
          number -> {
            try (JdbcTransactionManager.Transaction tx = outbox.begin()) {
              outbox.publish(EventEnvelope.ofJson("Measured", Integer.toString(number)));
              tx.commit();
            }
          });
    }
  }

  private static Figures bus(String wakeUp) throws SQLException, InterruptedException {
    try (TestDatabase database = TestDatabase.open(DatabaseKind.POSTGRESQL);
        HikariDataSource pool =
            DeliveryFigures.pool(database.url(), database.user(), database.password());
        EventBus bus = EventBus.builder(pool).createTables().publishOnly().build()) {
      bus.start();
      return measure(
          "event bus",
          wakeUp,
          database,
          number -> bus.publish(Event.of("Measured", Integer.toString(number))));
    }
  }

  private static Figures measure(
      String library, String wakeUp, TestDatabase database, IntConsumer publish)
      throws SQLException, InterruptedException {
    try (ChildJvm node =
        ChildJvm.of(
                WakeUpNode.class,
                library,
                wakeUp,
                database.url(),
                database.user(),
                database.password())
            .jvmOptions("-Dslf4j.internal.verbosity=ERROR")
            .start()) {
      node.awaitLine(WakeUpNode.READY::equals, PATIENCE);
      long[] committedAt = new long[EVENTS];
      for (int i = 0; i < EVENTS; i++) {
        TimeUnit.NANOSECONDS.sleep(EVERY.toNanos());
        publish.accept(i);
        committedAt[i] = System.nanoTime();
      }
      long[] micros = new long[EVENTS];
      node.awaitLines(1 + EVENTS, PATIENCE).stream()
          .skip(1)
          .map(line -> line.split(" ", -1))
          .forEach(
              words -> {
                int i = Integer.parseInt(words[0]);
                micros[i] = Math.max(0, Long.parseLong(words[1]) - committedAt[i]) / 1_000;
              });
      double perSecond = idle(database);
      List<Long> measured = Arrays.stream(micros).skip(WARM_UP).sorted().boxed().toList();
      return new Figures(library, wakeUp, measured, perSecond);
    }
  }

  /** Every statement of an idle node is a transaction of its own, but for those of a poll. */
  private static double idle(TestDatabase database) throws SQLException, InterruptedException {
    TimeUnit.NANOSECONDS.sleep(SETTLING.toNanos());
    long before = transactions(database);
    TimeUnit.NANOSECONDS.sleep(IDLE.toNanos());
    return (transactions(database) - before) / (double) IDLE.toSeconds();
  }

  private static long transactions(TestDatabase database) throws SQLException {
    try (Connection connection = database.connect();
        Statement statement = connection.createStatement();
        ResultSet row =
            statement.executeQuery(
                "SELECT xact_commit + xact_rollback FROM pg_stat_database"
                    + " WHERE datname = current_database()")) {
      row.next();
      return row.getLong(1);
    }
  }
}
