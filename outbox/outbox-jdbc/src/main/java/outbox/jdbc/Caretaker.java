package outbox.jdbc;

import holdfast.log.Outage;
import holdfast.time.TimeSource;
import java.time.Duration;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * What looks after the table beside delivery: dead events, purge, ledger, backlog and retention.
 * Immutable; safe for use by many threads.
 */
record Caretaker(
    DeadEvents deadEvents,
    Purge purge,
    TableLedger ledger,
    OutboxBacklog backlog,
    @Nullable Retention retention) {

  static Caretaker of(
      DataSource dataSource,
      JdbcOutboxRepository store,
      JdbcOutboxSettings settings,
      Runnable wakeUp,
      Outage outage,
      @Nullable Duration keepDone) {
    UpkeepTransactions transactions = new UpkeepTransactions(dataSource, store, settings);
    Purge purge = new Purge(transactions);
    return new Caretaker(
        new DeadEvents(transactions, wakeUp),
        purge,
        new TableLedger(transactions),
        new OutboxBacklog(dataSource, store, settings),
        keepDone == null ? null : new Retention(purge, keepDone, outage, TimeSource.system()));
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
