package holdfast.jdbc;

import holdfast.testkit.db.TestDatabase;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;

/** What tests do with databases over and over. Stateless. */
final class Databases {

  private Databases() {}

  static void execute(TestDatabase database, String... statements) throws SQLException {
    try (Connection connection = database.connect()) {
      execute(connection, statements);
    }
  }

  static void execute(Connection connection, String... statements) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      for (String text : statements) {
        statement.execute(text);
      }
    }
  }

  static long count(TestDatabase database, String table) throws SQLException {
    Dialect dialect = Dialect.of(database.dataSource());
    try (Connection connection = database.connect();
        Sql sql = dialect.sql(connection, "SELECT COUNT(*) FROM " + TableName.of(table))) {
      return sql.first(Row::longValue).orElseThrow();
    }
  }

  /** Runs all tasks from the same moment on and waits for their results. */
  static <T> List<T> allAtOnce(List<? extends Callable<T>> tasks) throws Exception {
    ExecutorService threads = Executors.newFixedThreadPool(tasks.size());
    try {
      CountDownLatch start = new CountDownLatch(1);
      List<Future<T>> running = new ArrayList<>();
      for (Callable<T> task : tasks) {
        running.add(
            threads.submit(
                () -> {
                  start.await();
                  return task.call();
                }));
      }
      start.countDown();
      List<T> results = new ArrayList<>();
      for (Future<T> future : running) {
        results.add(future.get(120, TimeUnit.SECONDS));
      }
      return results;
    } finally {
      threads.shutdownNow();
    }
  }
}
