package outbox.jdbc;

import holdfast.jdbc.DatabaseClock;
import holdfast.jdbc.Dialect;
import holdfast.jdbc.NodeTables;
import holdfast.jdbc.TableName;
import holdfast.jdbc.Transactions;
import holdfast.time.TimeSource;
import org.jspecify.annotations.Nullable;
import outbox.spi.ConnectionProvider;

/** Which table, on which database, by which rules. Immutable. */
record JdbcOutboxSettings(
    TableName table, @Nullable Dialect dialect, OnDead onDead, DatabaseClock clock) {
  static final JdbcOutboxSettings DEFAULT =
      new JdbcOutboxSettings(
          TableName.of(JdbcOutboxRepository.DEFAULT_TABLE), null, OnDead.BLOCK, DatabaseClock.TRUE);

  JdbcOutboxSettings withTable(TableName table) {
    return new JdbcOutboxSettings(table, dialect, onDead, clock);
  }

  JdbcOutboxSettings withDialect(Dialect dialect) {
    return new JdbcOutboxSettings(table, dialect, onDead, clock);
  }

  JdbcOutboxSettings withOnDead(OnDead onDead) {
    return new JdbcOutboxSettings(table, dialect, onDead, clock);
  }

  JdbcOutboxSettings withClock(DatabaseClock clock) {
    return new JdbcOutboxSettings(table, dialect, onDead, clock);
  }

  /** What a node of that name knows of others on the table. */
  NodeTables nodes(
      ConnectionProvider connections, JdbcOutboxRepository store, String node, TimeSource time) {
    return new NodeTables(
        Transactions.of(connections::getConnection),
        new NodeTables.Settings(
            "outbox",
            table,
            "event_type",
            node,
            conn -> store.statements(conn).dialect(),
            clock,
            "run OutboxSchema.upgrade, or outbox/jdbc/schema/<database>.sql"),
        time);
  }
}
