package outbox.jdbc;

import holdfast.jdbc.DatabaseClock;
import holdfast.jdbc.Dialect;
import holdfast.jdbc.TableName;
import org.jspecify.annotations.Nullable;

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
}
