package outbox.jdbc;

import holdfast.jdbc.Sql;
import holdfast.jdbc.TableName;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import javax.sql.DataSource;
import outbox.OutboxException;

/**
 * What should have been delivered and is in nobody's hands: the sign that nodes are missing or too
 * slow.
 *
 * <p>A failing listener does not make a backlog: its events wait for their next attempt, and
 * ordered events wait for theirs. Safe for use by many threads; each call is one query.
 */
public final class OutboxBacklog {
  private static final String SOONEST =
      "SELECT e.available_at, {now} FROM {table} e WHERE e.available_at <= {now} AND ";
  private static final String FIRST = " ORDER BY e.available_at LIMIT 1";

  private final DataSource dataSource;
  private final OnDead onDead;
  private final JdbcOutboxRepository repository;

  OutboxBacklog(
      DataSource dataSource, JdbcOutboxRepository repository, JdbcOutboxSettings settings) {
    this.dataSource = dataSource;
    this.onDead = settings.onDead();
    this.repository = repository;
  }

  /**
   * The backlog of a table whose dead events block the ordered ones after them; an outbox knows its
   * own, {@link JdbcOutbox#backlog()}.
   *
   * @param dataSource where it is
   * @param table {@code table} or {@code schema.table}
   * @return its backlog
   * @throws IllegalArgumentException if it is not a valid name
   */
  public static OutboxBacklog of(DataSource dataSource, String table) {
    JdbcOutboxSettings settings = JdbcOutboxSettings.DEFAULT.withTable(TableName.of(table));
    return new OutboxBacklog(dataSource, new JdbcOutboxRepository(settings), settings);
  }

  /**
   * How long the event that is due for longest has been due without any node taking it.
   *
   * @return the time; empty if nothing is due
   * @throws OutboxException if the database cannot tell
   */
  public Optional<Duration> overdue() {
    try (Connection conn = dataSource.getConnection()) {
      OutboxTable words = repository.statements(conn).table();
      String condition =
          repository.supportsLeases(conn)
              ? "{pending}" + ClaimEvents.HEAD.formatted(onDead.openStatuses())
              : "e.status IN (0, 2)";
      try (Sql sql = words.sql(conn, SOONEST + condition + FIRST)) {
        return sql.first(
            row -> {
              Instant due = row.instant();
              return Duration.between(due, row.instant());
            });
      } finally {
        if (!conn.getAutoCommit()) {
          conn.rollback(); // read only; leaves nothing open in a pool without auto-commit
        }
      }
    } catch (SQLException e) {
      throw new OutboxException("outbox could not read its backlog: " + e.getMessage(), e);
    }
  }
}
