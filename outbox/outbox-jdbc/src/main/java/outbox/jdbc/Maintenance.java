package outbox.jdbc;

import holdfast.jdbc.DeliveryControl;
import holdfast.jdbc.NodeTables;
import holdfast.jdbc.TableLedger;
import holdfast.ledger.LedgerSnapshot;
import holdfast.time.TimeSource;
import holdfast.work.Retention;
import java.time.Duration;
import java.util.List;
import java.util.function.Supplier;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import outbox.dispatch.OutboxDispatcher;

/**
 * What looks after the table beside delivery: dead and waiting events, purge, ledger, backlog,
 * control and retention. Immutable; safe for use by many threads.
 */
record Maintenance(
    DeadEvents deadEvents,
    Purge purge,
    Supplier<LedgerSnapshot> ledger,
    OutboxBacklog backlog,
    WaitingEvents waiting,
    DeliveryControl control,
    @Nullable Retention retention) {

  private static final TableLedger LEDGER =
      new TableLedger(
          "outbox",
          List.of("new", "retry", "dead"),
          """
          SELECT CASE e.status WHEN 0 THEN 'new' ELSE 'retry' END, COUNT(*) FROM {table} e
           WHERE e.status IN (0, 2) GROUP BY e.status
          UNION ALL
          SELECT 'dead', COUNT(*) FROM {table} e WHERE e.status = 3
          """,
          LossReason.PURGED_DEAD.code());

  static Maintenance of(
      DataSource dataSource,
      JdbcOutboxRepository store,
      JdbcOutboxSettings settings,
      OutboxDispatcher dispatcher,
      NodeTables nodes,
      Runnable wakeUp,
      boolean publishOnly,
      @Nullable Duration keepDone,
      TimeSource time) {
    UpkeepTransactions transactions = new UpkeepTransactions(dataSource, store, settings);
    Purge purge = new Purge(transactions);
    return new Maintenance(
        new DeadEvents(transactions, wakeUp),
        purge,
        () -> transactions.call("read the ledger", LEDGER::read),
        new OutboxBacklog(dataSource, store, settings, nodes, dispatcher::oldestInFlight),
        new WaitingEvents(transactions),
        new DeliveryControl(
            "outbox",
            nodes,
            type -> publishOnly || dispatcher.handles(type),
            UpkeepTransactions::failure),
        keepDone == null
            ? null
            : new Retention(
                "outbox", keepDone, stop -> purge.done(keepDone, stop), dispatcher.outage(), time));
  }

  void start() {
    if (retention != null) {
      retention.start();
    }
  }

  void close(Duration timeout) {
    if (retention != null) {
      retention.close(timeout);
    }
  }
}
