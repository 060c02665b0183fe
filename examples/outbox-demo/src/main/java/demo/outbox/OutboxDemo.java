package demo.outbox;

import java.io.PrintStream;
import java.sql.SQLException;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.h2.jdbcx.JdbcConnectionPool;
import outbox.EventEnvelope;
import outbox.jdbc.JdbcOutbox;
import outbox.jdbc.JdbcTransactionManager;

/** The outbox without a framework, on a database in memory. For one thread. */
public final class OutboxDemo {
  private static final int HOT_QUEUE = 2;
  private static final int MAX_ATTEMPTS = 3;

  private final PrintStream out;
  private final Orders orders;
  private final JdbcOutbox outbox;
  private final AtomicInteger payments = new AtomicInteger();
  private final CountDownLatch printing = new CountDownLatch(1);
  private final CountDownLatch printerRepaired = new CountDownLatch(1);

  private OutboxDemo(JdbcConnectionPool pool, PrintStream out) throws SQLException {
    this.out = out;
    this.orders = new Orders(pool);
    this.outbox =
        JdbcOutbox.builder(pool)
            .createTables()
            .workers(1)
            .hotQueueCapacity(HOT_QUEUE)
            .maxAttempts(MAX_ATTEMPTS)
            .retryPolicy(attempts -> 100L * attempts)
            .pollInterval(Duration.ofMillis(200))
            .listener(OrderEvents.ORDER_PLACED, this::confirm)
            .listener(OrderEvents.ORDER_PRINTED, this::print)
            .listener(OrderEvents.ORDER_PAID, this::bookPayment)
            .listener(OrderEvents.ORDER_EXPORTED, this::export)
            .build();
  }

  /**
   * Runs the demo; ends with exit code 1 if the books do not balance.
   *
   * @param args none
   */
  public static void main(String[] args) throws SQLException, InterruptedException {
    JdbcConnectionPool pool = JdbcConnectionPool.create("jdbc:h2:mem:demo", "sa", "");
    try {
      if (!new OutboxDemo(pool, System.out).run()) {
        System.exit(1);
      }
    } finally {
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
    }
    return showBooks();
  }

  private void showHotPath() throws SQLException, InterruptedException {
    out.println("1. Hot path: committed, and delivered from memory");
    publish(OrderEvents.ORDER_PLACED, 1);
    orders.awaitOpen(0);
  }

  private void showRollback() throws SQLException {
    out.println("2. Rollback: the event vanishes with the order");
    try (JdbcTransactionManager.Transaction tx = outbox.begin()) {
      orders.insert(tx.connection(), 2);
      outbox.publish(event(OrderEvents.ORDER_PLACED, 2));
      tx.rollback();
    }
    out.println("   orders in the table: " + orders.count());
  }

  private void showDowngrade() throws SQLException, InterruptedException {
    out.println("3. Downgrade: the printer hangs, the hot queue has room for " + HOT_QUEUE);
    publish(OrderEvents.ORDER_PRINTED, 3);
    printing.await();
    for (int order = 4; order <= 8; order++) {
      publish(OrderEvents.ORDER_PRINTED, order);
    }
    out.println("   publishing never failed; the printer is repaired, the poller brings the rest");
    printerRepaired.countDown();
    orders.awaitOpen(0);
  }

  private void showRetry() throws SQLException, InterruptedException {
    out.println("4. Retry: the listener fails once");
    publish(OrderEvents.ORDER_PAID, 9);
    orders.awaitOpen(0);
  }

  private void showDead() throws SQLException, InterruptedException {
    out.println("5. Dead: the listener fails " + MAX_ATTEMPTS + " times, which is enough");
    publish(OrderEvents.ORDER_EXPORTED, 10);
    orders.awaitOpen(0);
    out.println("   last error: " + orders.lastError());
  }

  private boolean showBooks() throws SQLException {
    Orders.Books books = orders.books();
    out.printf(
        "published %d = done %d + dead %d + open %d%n",
        books.published(), books.done(), books.dead(), books.open());
    out.println(books.balance() ? "The books balance." : "The books do not balance.");
    return books.balance();
  }

  private void publish(OrderEvents type, int order) throws SQLException {
    try (JdbcTransactionManager.Transaction tx = outbox.begin()) {
      orders.insert(tx.connection(), order);
      outbox.publish(event(type, order));
      tx.commit();
    }
  }

  private static EventEnvelope event(OrderEvents type, int order) {
    return EventEnvelope.builder(type).payloadJson("{\"order\":" + order + "}").build();
  }

  private void confirm(EventEnvelope event) {
    out.println("   confirmed " + event.payloadJson());
  }

  private void print(EventEnvelope event) throws InterruptedException {
    printing.countDown();
    printerRepaired.await();
    out.println("   printed " + event.payloadJson());
  }

  private void bookPayment(EventEnvelope event) {
    if (payments.incrementAndGet() == 1) {
      out.println("   payment failed " + event.payloadJson());
      throw new IllegalStateException("the bank does not answer");
    }
    out.println("   payment booked " + event.payloadJson());
  }

  private void export(EventEnvelope event) {
    out.println("   export failed " + event.payloadJson());
    throw new IllegalStateException("the file is read-only");
  }
}
