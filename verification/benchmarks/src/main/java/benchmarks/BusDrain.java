package benchmarks;

import com.zaxxer.hikari.HikariDataSource;
import holdfast.testkit.db.DatabaseKind;
import holdfast.testkit.db.TestDatabase;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import javax.sql.DataSource;

/**
 * How fast stored events are worked off: all are in the table when the clock starts, and it stops
 * when each has been through its handler and nothing is left to be done. For one thread.
 */
final class BusDrain {
  private static final int CONNECTIONS = 24;
  private static final int WARM_UP = 4;

  private final int events;
  private final int rounds;

  /**
   * A contender that can be made on a fresh database, again and again. Immutable.
   *
   * @param name the contender's name
   * @param making makes it
   */
  record Entry(String name, Making making) {}

  /** Makes a contender that does not work yet. */
  @FunctionalInterface
  interface Making {
    Drainer make(DataSource dataSource, Deliveries deliveries) throws SQLException;
  }

  BusDrain(int events, int rounds) {
    this.events = events;
    this.rounds = rounds;
  }

  /** Some rounds come first, to warm up, and do not count. */
  Results run(List<Entry> field) throws SQLException, InterruptedException {
    Results results = new Results();
    for (int round = 1 - WARM_UP; round <= rounds; round++) {
      for (int i = 0; i < field.size(); i++) {
        // Each round starts with another contender, so that nobody always follows the same one.
        Entry next = field.get((i + round + WARM_UP) % field.size());
        Rate rate = measure(next);
        if (round > 0) {
          results.add(next.name(), rate);
        }
        System.err.printf("drain, round %d: %s %s%n", round, next.name(), rate);
      }
    }
    return results;
  }

  private Rate measure(Entry next) throws SQLException, InterruptedException {
    try (TestDatabase database = TestDatabase.open(DatabaseKind.POSTGRESQL);
        HikariDataSource pool = Pools.of(database, CONNECTIONS)) {
      LongAdder arrived = new LongAdder();
      try (Drainer drainer = next.making().make(pool, number -> arrived.increment());
          Connection conn = pool.getConnection();
          Statement statement = conn.createStatement()) {
        drainer.store(events);
        statement.execute("VACUUM ANALYZE");
        statement.execute("CHECKPOINT");
        CpuTime cpu = CpuTime.of(pool);
        long client = cpu.ofClient();
        long server = cpu.ofServer();
        long startedAt = System.nanoTime();
        drainer.start();
        // The table is asked only in the end: looking for what is left costs more the more is gone.
        while (arrived.sum() < events || isTrue(statement, drainer.unfinished())) {
          TimeUnit.MILLISECONDS.sleep(1);
        }
        long nanos = System.nanoTime() - startedAt;
        Rate rate =
            new Rate(
                events * 1e9 / nanos,
                (cpu.ofClient() - client) / 1e3 / events,
                (cpu.ofServer() - server) / 1e3 / events);
        if (arrived.sum() != events) {
          throw new IllegalStateException(
              "%s must handle %d events but handled %d; its numbers are void"
                  .formatted(next.name(), events, arrived.sum()));
        }
        return rate;
      }
    }
  }

  private static boolean isTrue(Statement statement, String query) throws SQLException {
    try (ResultSet answer = statement.executeQuery(query)) {
      return answer.next() && answer.getBoolean(1);
    }
  }
}
