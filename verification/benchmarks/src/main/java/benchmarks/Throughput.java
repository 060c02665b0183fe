package benchmarks;

import com.zaxxer.hikari.HikariDataSource;
import holdfast.testkit.db.DatabaseKind;
import holdfast.testkit.db.TestDatabase;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;

/**
 * End-to-end throughput: threads publish for a while, one business row and one event for each
 * transaction, and the clock stops when nothing is left to be marked. For one thread.
 */
final class Throughput {
  private final int threads;
  private final Duration publishing;
  private final int rounds;

  Throughput(int threads, Duration publishing, int rounds) {
    this.threads = threads;
    this.publishing = publishing;
    this.rounds = rounds;
  }

  /** Round zero is for warming up and does not count. */
  Results run(List<Field> field) throws SQLException, InterruptedException, ExecutionException {
    Results results = new Results();
    for (int round = 0; round <= rounds; round++) {
      for (int i = 0; i < field.size(); i++) {
        // Each round starts with another contender, so that nobody always follows the same one.
        Field next = field.get((i + round) % field.size());
        Rate rate = measure(next);
        if (round > 0) {
          results.add(next.name(), rate);
        }
        System.err.printf("%d threads, round %d: %s %s%n", threads, round, next.name(), rate);
      }
    }
    return results;
  }

  private Rate measure(Field next) throws SQLException, InterruptedException, ExecutionException {
    try (TestDatabase database = TestDatabase.open(DatabaseKind.POSTGRESQL);
        HikariDataSource pool = Pools.of(database, threads + 12)) {
      benchmarks.contenders.Business.create(pool);
      LongAdder arrived = new LongAdder();
      try (Contender contender = next.start(pool, number -> arrived.increment())) {
        checkpoint(pool);
        // Long enough for the compiler to follow: who came before was other code.
        publishFor(contender, Duration.ofMillis(publishing.toMillis() / 2), 1_000_000_000L, pool);
        return publishFor(contender, publishing, 0, pool);
      }
    }
  }

  private Rate publishFor(
      Contender contender, Duration time, long firstNumber, HikariDataSource pool)
      throws SQLException, InterruptedException, ExecutionException {
    ExecutorService publishers = Executors.newFixedThreadPool(threads);
    try {
      CpuTime cpu = CpuTime.of(pool);
      long client = cpu.ofClient();
      long server = cpu.ofServer();
      long startedAt = System.nanoTime();
      List<Future<Long>> published = new ArrayList<>();
      for (int thread = 0; thread < threads; thread++) {
        long first = firstNumber + thread;
        published.add(publishers.submit(() -> publishUntil(contender, startedAt, time, first)));
      }
      long events = 0;
      for (Future<Long> one : published) {
        events += one.get();
      }
      awaitFinished(contender, pool);
      return new Rate(
          events * 1e9 / (System.nanoTime() - startedAt),
          (cpu.ofClient() - client) / 1e3 / events,
          (cpu.ofServer() - server) / 1e3 / events);
    } finally {
      publishers.shutdown();
    }
  }

  private long publishUntil(Contender contender, long startedAt, Duration time, long first)
      throws SQLException {
    long events = 0;
    while (System.nanoTime() - startedAt < time.toNanos()) {
      contender.publish(first + events * threads);
      events++;
    }
    return events;
  }

  private static void awaitFinished(Contender contender, HikariDataSource pool)
      throws SQLException, InterruptedException {
    try (Connection conn = pool.getConnection();
        Statement statement = conn.createStatement()) {
      while (isTrue(statement, contender.unfinished())) {
        TimeUnit.MILLISECONDS.sleep(2);
      }
    }
  }

  private static boolean isTrue(Statement statement, String query) throws SQLException {
    try (ResultSet answer = statement.executeQuery(query)) {
      return answer.next() && answer.getBoolean(1);
    }
  }

  /** So that no contender pays for what the one before it wrote. */
  private static void checkpoint(HikariDataSource pool) throws SQLException {
    try (Connection conn = pool.getConnection();
        Statement statement = conn.createStatement()) {
      statement.execute("CHECKPOINT");
    }
  }
}
