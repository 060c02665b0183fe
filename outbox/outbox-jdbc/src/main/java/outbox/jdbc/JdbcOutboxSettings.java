package outbox.jdbc;

import holdfast.jdbc.Dialect;
import holdfast.jdbc.TableName;
import org.jspecify.annotations.Nullable;

/** Which table, on which database, by which rules. Immutable. */
record JdbcOutboxSettings(TableName table, @Nullable Dialect dialect, OnDead onDead, Clock clock) {
  static final JdbcOutboxSettings DEFAULT =
      new JdbcOutboxSettings(
          TableName.of(JdbcOutboxRepository.DEFAULT_TABLE), null, OnDead.BLOCK, Clock.TRUE);

  JdbcOutboxSettings withTable(TableName table) {
    return new JdbcOutboxSettings(table, dialect, onDead, clock);
  }

  JdbcOutboxSettings withDialect(Dialect dialect) {
    return new JdbcOutboxSettings(table, dialect, onDead, clock);
  }

  JdbcOutboxSettings withOnDead(OnDead onDead) {
    return new JdbcOutboxSettings(table, dialect, onDead, clock);
  }

  JdbcOutboxSettings withClock(Clock clock) {
    return new JdbcOutboxSettings(table, dialect, onDead, clock);
  }
}
