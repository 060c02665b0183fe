package benchmarks.contenders;

import benchmarks.Deliveries;
import benchmarks.Drainer;
import com.github.kagkarlsson.scheduler.Scheduler;
import com.github.kagkarlsson.scheduler.task.helper.OneTimeTask;
import com.github.kagkarlsson.scheduler.task.helper.Tasks;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import javax.sql.DataSource;

/**
 * db-scheduler with sixteen threads, by lock-and-fetch, which its documentation recommends for
 * throughput: a one-time task for each event, removed when it is done. For one thread.
 */
public final class DbSchedulerDrain implements Drainer {
  private static final int THREADS = 16;
  private static final String TASK = "measured";

  private final DataSource dataSource;
  private final Scheduler scheduler;

  /** A scheduler that is not started. */
  public DbSchedulerDrain(DataSource dataSource, Deliveries deliveries) throws SQLException {
    this.dataSource = dataSource;
    try (Connection conn = dataSource.getConnection();
        Statement statement = conn.createStatement()) {
      for (String text : DbScheduler.SCHEMA) {
        statement.execute(text);
      }
    }
    OneTimeTask<Void> task =
        Tasks.oneTime(TASK)
            .execute((instance, context) -> deliveries.arrived(Long.parseLong(instance.getId())));
    this.scheduler =
        Scheduler.create(dataSource, task)
            .threads(THREADS)
            .pollingInterval(Duration.ofMillis(100))
            .pollUsingLockAndFetch(1.0, 4.0)
            .build();
  }

  /** Written as its client writes them, only faster: that is not measured. */
  @Override
  public void store(int events) throws SQLException {
    try (Connection conn = dataSource.getConnection();
        PreparedStatement insert =
            conn.prepareStatement(
                "INSERT INTO scheduled_tasks (task_name, task_instance, execution_time, picked,"
                    + " version, consecutive_failures) VALUES (?, ?, now(), FALSE, 1, 0)")) {
      conn.setAutoCommit(false);
      for (int number = 0; number < events; number++) {
        insert.setString(1, TASK);
        insert.setString(2, Integer.toString(number));
        insert.addBatch();
      }
      insert.executeBatch();
      conn.commit();
      conn.setAutoCommit(true);
    }
  }

  @Override
  public void start() {
    scheduler.start();
  }

  @Override
  public String unfinished() {
    return "SELECT EXISTS (SELECT 1 FROM scheduled_tasks)";
  }

  @Override
  public void close() {
    scheduler.stop();
  }
}
