package outbox.jdbc;

import holdfast.jdbc.Dialect;
import holdfast.jdbc.TableColumns;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** All statements for one table on one database. Safe for use by many threads. */
final class OutboxStatements {
  private final OutboxTable table;
  private final PlainStatements plain;
  private final InsertEvents inserts;
  private final ClaimEvents claims;
  private final LeasedEventUpdates updates;
  private final AggregateOrder order;
  private volatile @Nullable Boolean supportsLeases;

  OutboxStatements(Dialect dialect, JdbcOutboxSettings settings) {
    this.table = new OutboxTable(dialect, settings.table(), settings.clock());
    this.plain = new PlainStatements(table);
    this.inserts = new InsertEvents(table);
    this.order = new AggregateOrder(table, settings.onDead());
    this.claims = new ClaimEvents(table, settings.onDead(), order);
    this.updates = new LeasedEventUpdates(table);
  }

  Dialect dialect() {
    return table.dialect();
  }

  OutboxTable table() {
    return table;
  }

  PlainStatements plain() {
    return plain;
  }

  InsertEvents inserts() {
    return inserts;
  }

  ClaimEvents claims() {
    return claims;
  }

  LeasedEventUpdates updates() {
    return updates;
  }

  AggregateOrder order() {
    return order;
  }

  /** Asks the metadata once: a statement that fails would end the caller's transaction. */
  boolean supportsLeases(Connection conn) throws SQLException {
    Boolean known = supportsLeases;
    if (known == null) {
      Set<String> columns = TableColumns.of(conn, table.name());
      if (columns.isEmpty()) {
        throw new SQLException(
            "table "
                + table.name()
                + " must exist but was not found; create it with createTables(), or with"
                + " outbox/jdbc/schema/"
                + dialect().name()
                + ".sql of the jar outbox-jdbc");
      }
      known = OutboxTable.isFull(table.name(), columns) && dialect().supportsSkipLocked();
      supportsLeases = known;
    }
    return known;
  }
}
