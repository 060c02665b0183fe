package outbox.jdbc;

import holdfast.jdbc.Isolation;
import holdfast.jdbc.LedgerCounters;
import holdfast.jdbc.Transactions;
import java.sql.Connection;
import java.sql.SQLException;
import javax.sql.DataSource;
import outbox.OutboxException;

/**
 * The short transactions in which people and schedules look after the table. READ COMMITTED,
 * because MariaDB and MySQL would otherwise lock the gaps between rows too, and with them
 * publishers. Safe for use by many threads.
 */
final class UpkeepTransactions {
  private final Transactions transactions;
  private final JdbcOutboxRepository store;
  private final JdbcOutboxSettings settings;

  UpkeepTransactions(
      DataSource dataSource, JdbcOutboxRepository store, JdbcOutboxSettings settings) {
    this.transactions = Transactions.of(dataSource).withIsolation(Isolation.READ_COMMITTED);
    this.store = store;
    this.settings = settings;
  }

  interface Work<T> {
    T in(Connection conn, OutboxTable table) throws SQLException;
  }

  JdbcOutboxSettings settings() {
    return settings;
  }

  /** Does the work in a transaction of its own; {@code what} says in the error what was tried. */
  <T> T call(String what, Work<T> work) {
    try {
      return transactions.call(conn -> work.in(conn, fullTable(conn)));
    } catch (SQLException e) {
      throw failure(what + " in table " + settings.table(), e);
    }
  }

  LedgerCounters counters(Connection conn) throws SQLException {
    return store.statements(conn).counters();
  }

  static OutboxException failure(String what, SQLException e) {
    return new OutboxException("outbox could not " + what + ": " + e.getMessage(), e);
  }

  private OutboxTable fullTable(Connection conn) throws SQLException {
    JdbcOutboxRepository.Statements statements = store.statements(conn);
    if (!statements.supportsLeases(conn)) {
      throw new SQLException(
          "the table must have all columns but is the plain one; run OutboxSchema.upgrade");
    }
    return statements.table();
  }
}
