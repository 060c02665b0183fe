package demo.outboxtobus;

import eventbus.EventBus;
import eventbus.RetryPolicy;
import holdfast.ledger.LedgerSnapshot;
import java.io.PrintStream;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.h2.jdbcx.JdbcConnectionPool;
import outbox.EventEnvelope;
import outbox.jdbc.JdbcOutbox;
import outbox.jdbc.JdbcTransactionManager;
import outbox.jdbc.OutboxSchema;

/** The story of some orders that go through two libraries, each once. For one thread. */
public final class OutboxToBus {
  private static final int MOST_TURNS = 3_000;

  private final PrintStream out;
  private final Shop shop;
  private final EventBus bus;
  private final JdbcOutbox outbox;
  private final AtomicBoolean cutOff = new AtomicBoolean();
  private final AtomicBoolean paperJam = new AtomicBoolean();

  private OutboxToBus(JdbcConnectionPool pool, PrintStream out) throws SQLException {
    this.out = out;
    this.shop = new Shop(pool);
    OutboxSchema.createInboxIfMissing(pool);
    this.bus =
        EventBus.builder(pool)
            .createTables()
            .retryPolicy(RetryPolicy.backoff(3, Duration.ofMillis(20), Duration.ofMillis(20)))
            .handler(OrderPlaced.class, this::writeInvoice)
            .build();
    Forwarder forwarder = new Forwarder(pool, bus);
    this.outbox =
        JdbcOutbox.builder(pool)
            .createTables()
            .retryPolicy(attempts -> 20)
            .listener(OrderPlaced.class, (order, event) -> forward(forwarder, order, event))
            .build();
  }

  /**
   * Tells the story; ends with exit code 1 if an order was lost or doubled.
   *
   * @param args none
   */
  public static void main(String[] args) throws SQLException, InterruptedException {
    JdbcConnectionPool pool = JdbcConnectionPool.create("jdbc:h2:mem:outbox-to-bus", "sa", "");
    LogLines log = new LogLines(System.out);
    try {
      if (!new OutboxToBus(pool, System.out).run()) {
        System.exit(1);
      }
    } finally {
      log.close();
      pool.dispose();
    }
  }

  private boolean run() throws SQLException, InterruptedException {
    try (EventBus runningBus = bus;
        JdbcOutbox runningOutbox = outbox) {
      runningBus.start();
      runningOutbox.start();
      showTheWay();
      showRollback();
      showRepeatedDelivery();
      showFailingHandler();
    }
    return showLedger();
  }

  private void showTheWay() throws SQLException, InterruptedException {
    out.println("1. Five orders: outbox, bus, invoice");
    for (int order = 1; order <= 5; order++) {
      place(order, true);
    }
    awaitInvoices(5);
  }

  private void showRollback() throws SQLException {
    out.println("2. Order 6 is rolled back: nothing of it is in either library");
    place(6, false);
    out.println("   orders: " + shop.orders() + ", events: " + outbox.ledger().accepted());
  }

  private void showRepeatedDelivery() throws SQLException, InterruptedException {
    out.println("3. Order 7 is on the bus, but the outbox does not hear of it and delivers again");
    cutOff.set(true);
    place(7, true);
    awaitInvoices(6);
  }

  private void showFailingHandler() throws SQLException, InterruptedException {
    out.println("4. The invoice of order 8 does not print the first time, and the bus tries again");
    paperJam.set(true);
    place(8, true);
    awaitInvoices(7);
  }

  private boolean showLedger() throws SQLException {
    LedgerSnapshot first = outbox.ledger();
    LedgerSnapshot second = bus.ledger();
    boolean each =
        first.delivered() == shop.orders()
            && second.accepted() == first.delivered()
            && second.delivered() == second.accepted()
            && shop.invoices() == shop.orders();
    out.println("The ledger:");
    List.of(first, second).forEach(ledger -> out.println(ledger.toLine()));
    boolean balanced = first.isAccountedFor() && second.isAccountedFor() && each;
    out.println(balanced ? "Every order went through both libraries once." : "Something is wrong.");
    return balanced;
  }

  private void place(int order, boolean commit) throws SQLException {
    try (JdbcTransactionManager.Transaction tx = outbox.begin()) {
      shop.insertOrder(tx.connection(), order);
      outbox.publishPayload(new OrderPlaced(order));
      if (commit) {
        tx.commit();
      }
    }
  }

  private void forward(Forwarder forwarder, OrderPlaced placed, EventEnvelope event)
      throws Exception {
    forwarder.onEvent(event);
    if (cutOff.getAndSet(false)) {
      out.println("   outbox: cut off after the commit of order " + placed.order());
      throw new IllegalStateException("cut off");
    }
  }

  private void writeInvoice(OrderPlaced placed) throws SQLException {
    if (paperJam.getAndSet(false)) {
      throw new IllegalStateException("paper jam");
    }
    shop.writeInvoice(placed.order());
    out.println("   invoice: order " + placed.order());
  }

  /** Waits until so many invoices are written and nothing is under way in either library. */
  private void awaitInvoices(long invoices) throws SQLException, InterruptedException {
    for (int turn = 0; shop.invoices() < invoices || isUnderWay(); turn++) {
      if (turn == MOST_TURNS) {
        throw new IllegalStateException(
            "everything must be done by now but there are " + outbox.ledger() + bus.ledger());
      }
      TimeUnit.MILLISECONDS.sleep(10);
    }
  }

  private boolean isUnderWay() {
    return outbox.ledger().held() > 0 || bus.ledger().held() > 0;
  }
}
