package outbox.jdbc;

import holdfast.jdbc.Sql;
import holdfast.jdbc.TableName;
import holdfast.work.Nodes;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import javax.sql.DataSource;
import outbox.OutboxException;

/**
 * What should have been delivered and is not: the sign that nodes are missing or too slow, or that
 * listeners hang.
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
  private final Nodes nodes;
  private final Supplier<Duration> inFlight;

  OutboxBacklog(
      DataSource dataSource,
      JdbcOutboxRepository repository,
      JdbcOutboxSettings settings,
      Nodes nodes,
      Supplier<Duration> inFlight) {
    this.dataSource = dataSource;
    this.onDead = settings.onDead();
    this.repository = repository;
    this.nodes = nodes;
    this.inFlight = inFlight;
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
    return new OutboxBacklog(
        dataSource, new JdbcOutboxRepository(settings), settings, Nodes.ALONE, () -> Duration.ZERO);
  }

  /**
   * Returns how long the event that is due for longest has been due: one that no node has taken, or
   * one that this node has in flight, queued or with its listeners.
   *
   * @return the time; empty if nothing is due
   * @throws OutboxException if the database cannot tell
   */
  public Optional<Duration> overdue() {
    Duration here = inFlight.get();
    Optional<Duration> inTable = unclaimed();
    return here.isZero() || inTable.filter(age -> age.compareTo(here) > 0).isPresent()
        ? inTable
        : Optional.of(here);
  }

  /**
   * Returns how long the event that is due for longest has been due without any node taking it.
   * Types that are paused do not count.
   *
   * @return the time; empty if every event that is due is in flight on some node
   * @throws OutboxException if the database cannot tell
   */
  public Optional<Duration> unclaimed() {
    nodes.refresh(); // a node that only publishes has no thread for it
    List<String> paused = nodes.pausedTypes().stream().sorted().toList();
    if (nodes.isAllPaused()) {
      return Optional.empty();
    }
    try (Connection conn = dataSource.getConnection()) {
      OutboxTable words = repository.statements(conn).table();
      String condition =
          repository.supportsLeases(conn)
              ? "{pending}" + ClaimEvents.HEAD.formatted(onDead.openStatuses())
              : "e.status IN (0, 2)";
      String text = SOONEST + condition + ClaimEvents.notOfTypes(paused.size()) + FIRST;
      try (Sql sql = words.sql(conn, text)) {
        for (String type : paused) {
          sql.bind(type);
        }
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
