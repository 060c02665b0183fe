import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.h2.jdbcx.JdbcConnectionPool;
import outbox.EventEnvelope;
import outbox.OutboxLifecycleListener;
import outbox.jdbc.JdbcOutbox;
import outbox.jdbc.JdbcTransactionManager;

/**
 * The program that is traced: an outbox with the default settings delivers single events, each from
 * {@code publish} until its row is DONE. The listener waits until the publishing thread has left
 * its transaction, so that each round takes the same way whichever thread is faster.
 */
public final class OneEvent implements OutboxLifecycleListener {
  private static final int WARM_UPS = 3;
  private static final int ROUNDS = 5;

  /** Longer than the poll interval and the interval of lease renewals, five seconds each. */
  private static final long IDLE_SECONDS = 6;

  private volatile Round round = new Round(false);

  private static final class Round {
    private final boolean traced;
    private final CountDownLatch committed = new CountDownLatch(1);
    private final CountDownLatch recorded = new CountDownLatch(1);

    Round(boolean traced) {
      this.traced = traced;
    }
  }

  public static void main(String[] args) throws SQLException, InterruptedException {
    JdbcConnectionPool pool = JdbcConnectionPool.create("jdbc:h2:mem:trace", "sa", "");
    OneEvent program = new OneEvent();
    try (Connection connection = pool.getConnection();
        Statement statement = connection.createStatement()) {
      statement.execute("CREATE TABLE orders (id INT PRIMARY KEY)");
    }
    try (JdbcOutbox outbox =
        JdbcOutbox.builder(pool)
            .createTables()
            .listener("OrderPlaced", event -> program.round.committed.await())
            .lifecycleListener(program)
            .build()) {
      outbox.start();
      for (int order = 0; order < WARM_UPS; order++) {
        program.publish(outbox, order, new Round(false));
      }
      idle();
      TimeUnit.SECONDS.sleep(IDLE_SECONDS);
      for (int order = WARM_UPS; order < WARM_UPS + ROUNDS; order++) {
        program.publish(outbox, order, new Round(true));
      }
    } finally {
      pool.dispose();
    }
  }

  private void publish(JdbcOutbox outbox, int order, Round next)
      throws SQLException, InterruptedException {
    round = next;
    EventEnvelope event = EventEnvelope.ofJson("OrderPlaced", "{\"id\":" + order + "}");
    try (JdbcTransactionManager.Transaction tx = outbox.begin()) {
      try (Statement statement = tx.connection().createStatement()) {
        statement.execute("INSERT INTO orders (id) VALUES (" + order + ")");
      }
      if (next.traced) {
        begin();
      }
      outbox.publish(event);
      tx.commit();
    }
    next.committed.countDown();
    if (!next.recorded.await(1, TimeUnit.MINUTES)) {
      throw new IllegalStateException("order " + order + " must be DONE after a minute but is not");
    }
    // the threads finish what they do after the outcome is recorded
    TimeUnit.MILLISECONDS.sleep(500);
  }

  @Override
  public void onDelivered(EventEnvelope event) {
    if (round.traced) {
      end();
    }
    round.recorded.countDown();
  }

  /** Tells the tracer that nothing is published until the first round begins. */
  private static void idle() {}

  /** Tells the tracer that a round begins. */
  private static void begin() {}

  /** Tells the tracer that a round has ended. */
  private static void end() {}
}
