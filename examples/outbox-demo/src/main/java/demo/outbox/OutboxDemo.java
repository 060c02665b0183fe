package demo.outbox;

import holdfast.ledger.LedgerSnapshot;
import java.io.PrintStream;
import java.sql.SQLException;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.h2.jdbcx.JdbcConnectionPool;
import outbox.jdbc.DeadEvent;
import outbox.jdbc.DeadFilter;
import outbox.jdbc.JdbcOutbox;
import outbox.jdbc.JdbcTransactionManager;

/** The story of some orders, without a framework, on a database in memory. For one thread. */
public final class OutboxDemo {
  private static final int HOT_QUEUE = 2;
  private static final int MAX_ATTEMPTS = 3;
  private static final int MOST_TURNS = 3_000;

  private final PrintStream out;
  private final Orders orders;
  private final Partners partners;
  private final JdbcOutbox outbox;

  private OutboxDemo(JdbcConnectionPool pool, PrintStream out) throws SQLException {
    this.out = out;
    this.orders = new Orders(pool);
    this.partners = new Partners(out);
    this.outbox =
        JdbcOutbox.builder(pool)
            .createTables()
            .workers(1)
            .hotQueueCapacity(HOT_QUEUE)
            .maxAttempts(MAX_ATTEMPTS)
            .retryPolicy(attempts -> 100L * attempts)
            .pollInterval(Duration.ofMillis(200))
            .listener(OrderEvent.Placed.class, partners::mail)
            .listener(OrderEvent.Picked.class, partners::print)
            .listener(OrderEvent.Paid.class, partners::book)
            .listener(OrderEvent.Archived.class, partners::archive)
            .build();
  }

  /**
   * Tells the story; ends with exit code 1 if an event is not accounted for.
   *
   * @param args none
   */
  public static void main(String[] args) throws SQLException, InterruptedException {
    JdbcConnectionPool pool = JdbcConnectionPool.create("jdbc:h2:mem:demo", "sa", "");
    LogLines log = new LogLines(System.out);
    try {
      if (!new OutboxDemo(pool, System.out).run()) {
        System.exit(1);
      }
    } finally {
      log.close();
      pool.dispose();
    }
  }

  private boolean run() throws SQLException, InterruptedException {
    try (JdbcOutbox running = outbox) {
      running.start();
      showHotPath();
      showRollback();
      showDowngrade();
      showRetry();
      showDead();
      showRedeliver();
    }
    return showLedger();
  }

  private void showHotPath() throws SQLException, InterruptedException {
    out.println("1. Hot path: order 1 is committed, its event delivered from memory");
    publish(new OrderEvent.Placed(1));
    awaitNothingToDeliver();
  }

  private void showRollback() throws SQLException {
    out.println("2. Rollback: order 2 fails, and its event vanishes with it");
    try (JdbcTransactionManager.Transaction tx = outbox.begin()) {
      orders.insert(tx.connection(), 2);
      outbox.publishPayload(new OrderEvent.Placed(2));
      tx.rollback();
    }
    out.println(
        "   orders in the table: " + orders.count() + ", events: " + outbox.ledger().accepted());
  }

  private void showDowngrade() throws SQLException, InterruptedException {
    out.println("3. Downgrade: the warehouse printer hangs, five more orders come in meanwhile");
    publish(new OrderEvent.Picked(3));
    partners.awaitPrinting();
    for (int order = 4; order <= 8; order++) {
      publish(new OrderEvent.Picked(order));
    }
    out.println(
        "   no publish failed: "
            + outbox.dispatcher().hotDepth()
            + " events fill the hot queue, "
            + "the others wait in the table");
    out.println("   the printer is repaired, the poller brings the others");
    partners.repairPrinter();
    awaitNothingToDeliver();
  }

  private void showRetry() throws SQLException, InterruptedException {
    out.println("4. Retry: the bank does not answer the first time");
    publish(new OrderEvent.Paid(9));
    awaitNothingToDeliver();
  }

  private void showDead() throws SQLException, InterruptedException {
    out.println("5. Dead: the archive has no room, and " + MAX_ATTEMPTS + " attempts are enough");
    publish(new OrderEvent.Archived(10));
    awaitNothingToDeliver();
    for (DeadEvent dead : outbox.deadEvents().list(DeadFilter.ALL, 10)) {
      out.println(
          "   dead: %s after %d attempts, %s"
              .formatted(dead.eventType(), dead.attempts(), dead.lastError()));
    }
    out.println("   " + outbox.ledger().toLine());
  }

  private void showRedeliver() throws InterruptedException {
    out.println("6. Redeliver: there is room again, and what was dead is delivered");
    partners.makeRoom();
    long redelivered = outbox.deadEvents().redeliverAll(DeadFilter.ALL);
    awaitNothingToDeliver();
    out.println("   redelivered: " + redelivered);
  }

  private boolean showLedger() {
    LedgerSnapshot ledger = outbox.ledger();
    boolean balance = ledger.isAccountedFor() && ledger.held() == 0 && ledger.lost() == 0;
    out.println("The ledger:");
    out.println(ledger.toLine());
    out.println(balance ? "Every order was delivered." : "Something is missing.");
    return balance;
  }

  private void publish(OrderEvent event) throws SQLException {
    try (JdbcTransactionManager.Transaction tx = outbox.begin()) {
      orders.insert(tx.connection(), event.order());
      outbox.publishPayload(event);
      tx.commit();
    }
  }

  /** Waits until every event is delivered or dead. */
  private void awaitNothingToDeliver() throws InterruptedException {
    for (int turn = 0; toDeliver() > 0; turn++) {
      if (turn == MOST_TURNS) {
        throw new IllegalStateException(
            "every event must be delivered or dead by now but there are " + outbox.ledger());
      }
      TimeUnit.MILLISECONDS.sleep(10);
    }
  }

  private long toDeliver() {
    LedgerSnapshot ledger = outbox.ledger();
    return ledger.held() - ledger.heldByPlace().getOrDefault("dead", 0L);
  }
}
