package benchmarks.contenders;

import benchmarks.Contender;
import benchmarks.Deliveries;
import com.github.kagkarlsson.scheduler.Scheduler;
import com.github.kagkarlsson.scheduler.SchedulerClient;
import com.github.kagkarlsson.scheduler.task.helper.OneTimeTask;
import com.github.kagkarlsson.scheduler.task.helper.Tasks;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import javax.sql.DataSource;

/**
 * db-scheduler: a one-time task for each event, scheduled inside the business transaction, and the
 * check for due tasks triggered right after its commit. Polls by lock-and-fetch, which its
 * documentation recommends for throughput.
 */
public final class DbScheduler implements Contender {
  static final String[] SCHEMA = {
    """
    CREATE TABLE scheduled_tasks (
      task_name TEXT NOT NULL,
      task_instance TEXT NOT NULL,
      task_data BYTEA,
      execution_time TIMESTAMP WITH TIME ZONE NOT NULL,
      picked BOOLEAN NOT NULL,
      picked_by TEXT,
      last_success TIMESTAMP WITH TIME ZONE,
      last_failure TIMESTAMP WITH TIME ZONE,
      consecutive_failures INT,
      last_heartbeat TIMESTAMP WITH TIME ZONE,
      version BIGINT NOT NULL,
      priority SMALLINT,
      PRIMARY KEY (task_name, task_instance))
    """,
    "CREATE INDEX execution_time_idx ON scheduled_tasks (execution_time)",
    "CREATE INDEX last_heartbeat_idx ON scheduled_tasks (last_heartbeat)"
  };
  private static final int THREADS = 8;

  private final DataSource dataSource;
  private final BoundDataSource inTransaction;
  private final OneTimeTask<String> task;
  private final Scheduler scheduler;
  private final SchedulerClient client;

  /** Starts a scheduler. */
  public DbScheduler(DataSource dataSource, Deliveries deliveries) throws SQLException {
    this.dataSource = dataSource;
    this.inTransaction = new BoundDataSource(dataSource);
    try (Connection conn = dataSource.getConnection();
        Statement statement = conn.createStatement()) {
      for (String text : SCHEMA) {
        statement.execute(text);
      }
    }
    this.task =
        Tasks.oneTime("measured", String.class)
            .execute(
                (instance, context) -> deliveries.arrived(Business.number(instance.getData())));
    this.scheduler =
        Scheduler.create(dataSource, task)
            .threads(THREADS)
            .pollingInterval(Duration.ofSeconds(1))
            .pollUsingLockAndFetch(1.0, 4.0)
            .enableImmediateExecution()
            .build();
    this.client = SchedulerClient.Builder.create(inTransaction.asDataSource(), task).build();
    scheduler.start();
  }

  @Override
  public String name() {
    return "db-scheduler";
  }

  @Override
  public void publish(long number) throws SQLException {
    try (Connection conn = dataSource.getConnection()) {
      conn.setAutoCommit(false);
      Business.insert(conn, number);
      inTransaction.with(
          conn,
          () ->
              client.scheduleIfNotExists(
                  task.instance(Long.toString(number), Business.payload(number)), Instant.now()));
      conn.commit();
      conn.setAutoCommit(true);
    }
    scheduler.triggerCheckForDueExecutions();
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
