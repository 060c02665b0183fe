package outbox.jdbc;

import holdfast.jdbc.Condition;
import holdfast.jdbc.RowReader;
import holdfast.jdbc.Sql;
import holdfast.problems.Problems;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Instant;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import outbox.OutboxException;

/**
 * The events that were given up: how many, which, and back into delivery.
 *
 * <p>A redelivered event is NEW again and due at once, with no attempt counted; its last error
 * stays until the next one. An ordered event keeps its place if dead events block those after them,
 * and comes last if they are skipped. Only dead events are ever touched. Safe for use by many
 * threads, on many nodes at once: each event is redelivered by one of them.
 */
public final class DeadEvents {
  /** The most events a page can have: {@value}. */
  public static final int MAX_PAGE = 1_000;

  /** How many events one transaction redelivers at most: {@value}. */
  static final int BATCH = 200;

  /** When an event was given up. The plain method to give one up does not write down when. */
  static final String DIED_AT = "COALESCE(e.done_at, e.available_at)";

  private static final String COUNT = "SELECT COUNT(*) FROM {table} e";
  private static final int ATTEMPTS = 3;
  private static final String LAST = "SELECT MAX(e.event_id) FROM {table} e";
  private static final String IDS = "SELECT e.event_id, e.order_number FROM {table} e";
  private static final String LIST =
      "SELECT e.event_id, e.event_type, e.aggregate_type, e.aggregate_id, e.tenant_id, e.attempts,"
          + " e.created_at, "
          + DIED_AT
          + ", e.last_error FROM {table} e";
  private static final String BY_ID = " ORDER BY e.event_id LIMIT ?";

  private final UpkeepTransactions transactions;
  private final RedeliverEvents redelivers;
  private final Runnable wakeUp;

  DeadEvents(UpkeepTransactions transactions, Runnable wakeUp) {
    this.transactions = transactions;
    this.redelivers = new RedeliverEvents(transactions.settings());
    this.wakeUp = wakeUp;
  }

  /** How many events are dead. */
  public long count() {
    return count(DeadFilter.ALL);
  }

  /**
   * How many dead events match.
   *
   * @param filter which ones
   * @return how many
   * @throws OutboxException if the database fails or the table is the plain one
   */
  public long count(DeadFilter filter) {
    return transactions.call(
        "count dead events",
        (conn, table) -> first(conn, table, COUNT, condition(filter), row -> row.longValue()));
  }

  /**
   * The first page of the dead events that match, in the order of their ids.
   *
   * @param filter which ones
   * @param limit how many at most, 1 to {@value #MAX_PAGE}
   * @return the events, without payload
   * @throws IllegalArgumentException if the limit is out of range
   * @throws OutboxException if the database fails or the table is the plain one
   */
  public List<DeadEvent> list(DeadFilter filter, int limit) {
    return list(filter, limit, null);
  }

  /**
   * A page of the dead events that match, in the order of their ids.
   *
   * @param filter which ones
   * @param limit how many at most, 1 to {@value #MAX_PAGE}
   * @param afterEventId the last id of the page before, or null for the first page
   * @return the events, without payload; fewer than the limit on the last page
   * @throws IllegalArgumentException if the limit is out of range
   * @throws OutboxException if the database fails or the table is the plain one
   */
  public List<DeadEvent> list(DeadFilter filter, int limit, @Nullable String afterEventId) {
    new Problems("DeadEvents")
        .require(limit >= 1 && limit <= MAX_PAGE, "limit", "be 1 to " + MAX_PAGE, limit)
        .throwIfAny();
    Condition condition = condition(filter);
    andText(condition, "e.event_id > ?", afterEventId);
    return transactions.call(
        "list dead events", (conn, table) -> page(conn, table, LIST, condition, limit, DEAD_EVENT));
  }

  /**
   * Brings an event back into delivery if it is dead.
   *
   * @param eventId its id
   * @return whether it was dead
   * @throws OutboxException if the database fails or the table is the plain one
   */
  public boolean redeliver(String eventId) {
    return redeliver(List.of(eventId)) > 0;
  }

  /**
   * Brings the dead events that match back into delivery, in batches. It takes what was dead when
   * it was called, each event once: what dies again meanwhile stays dead, so it always ends.
   *
   * @param filter which ones
   * @return how many were redelivered
   * @throws OutboxException if the database fails or the table is the plain one; batches done
   *     before stay done
   */
  public long redeliverAll(DeadFilter filter) {
    return redeliverAll(filter, Long.MAX_VALUE);
  }

  /**
   * The same for the first of them only, in the order of their ids: for those who want to see how a
   * few do before they bring back the rest.
   *
   * @param filter which ones
   * @param limit how many at most, 1 or more
   * @return how many were redelivered
   * @throws IllegalArgumentException if the limit is out of range
   * @throws OutboxException if the database fails or the table is the plain one; batches done
   *     before stay done
   */
  public long redeliverAll(DeadFilter filter, long limit) {
    new Problems("DeadEvents").require(limit >= 1, "limit", "be 1 or more", limit).throwIfAny();
    Instant began = transactions.call("redeliver", (conn, table) -> table.now(conn));
    String last =
        transactions.call(
            "redeliver",
            (conn, table) ->
                first(conn, table, LAST, condition(filter), row -> text(row.stringOrNull())));
    long redelivered = 0;
    long left = limit;
    String after = null;
    List<Numbered> batch;
    do {
      int most = (int) Math.min(BATCH, left);
      Condition condition =
          condition(filter)
              .and("e.event_id <= ?", sql -> sql.bind(last))
              // Dead when this began, as far as the row says when it died.
              .and("(e.done_at IS NULL OR e.done_at <= ?)", sql -> sql.bind(began));
      andText(condition, "e.event_id > ?", after);
      batch =
          transactions.call(
              "redeliver", (conn, table) -> page(conn, table, IDS, condition, most, NUMBERED));
      if (!batch.isEmpty()) {
        redelivered += redeliverBatch(batch);
        after = batch.get(batch.size() - 1).eventId();
      }
      left -= batch.size();
    } while (batch.size() == BATCH && left > 0);
    return redelivered;
  }

  /**
   * Events that take new numbers go one by one, in the order of their old ones: each holds the row
   * of its aggregate's number until commit, and holding many could end in a deadlock with a
   * publisher.
   */
  private int redeliverBatch(List<Numbered> batch) {
    boolean renumbers = transactions.settings().onDead() == OnDead.SKIP;
    List<String> together =
        batch.stream()
            .filter(event -> !renumbers || event.number() == null)
            .map(Numbered::eventId)
            .toList();
    int redelivered = together.isEmpty() ? 0 : redeliver(together);
    List<Numbered> alone =
        batch.stream()
            .filter(event -> renumbers && event.number() != null)
            .sorted(Comparator.comparingLong(Numbered::numberOrZero))
            .toList();
    for (Numbered event : alone) {
      redelivered += redeliver(List.of(event.eventId()));
    }
    return redelivered;
  }

  /**
   * Tries again what was locked: MariaDB shows a row as dead a moment before it lets go of the lock
   * that made it so.
   */
  private int redeliver(List<String> ids) {
    Set<String> left = new LinkedHashSet<>(ids);
    for (int i = 0; i < ATTEMPTS && !left.isEmpty(); i++) {
      List<String> now = List.copyOf(left);
      left.removeAll(
          transactions.call("redeliver", (conn, table) -> redelivers.redeliver(conn, table, now)));
    }
    wakeUp.run();
    return ids.size() - left.size();
  }

  private record Numbered(String eventId, @Nullable Long number) {
    long numberOrZero() {
      return number == null ? 0 : number;
    }
  }

  private static final RowReader<Numbered> NUMBERED =
      row -> new Numbered(row.string(), row.longOrNull());

  private static final RowReader<DeadEvent> DEAD_EVENT =
      row ->
          new DeadEvent(
              row.string(),
              row.string(),
              row.stringOrNull(),
              row.stringOrNull(),
              row.stringOrNull(),
              row.intValue(),
              row.instant(),
              row.instant(),
              row.stringOrNull());

  private static Condition condition(DeadFilter filter) {
    Condition condition = new Condition().and("e.status = 3");
    andText(condition, "e.event_type = ?", filter.eventType());
    andText(condition, "e.tenant_id = ?", filter.tenantId());
    andText(condition, "e.aggregate_type = ?", filter.aggregateType());
    andText(condition, "e.aggregate_id = ?", filter.aggregateId());
    if (filter.diedFrom() != null) {
      condition.and(DIED_AT + " >= ?", sql -> sql.bind(filter.diedFrom()));
    }
    if (filter.diedBefore() != null) {
      condition.and(DIED_AT + " < ?", sql -> sql.bind(filter.diedBefore()));
    }
    return condition;
  }

  static void andText(Condition condition, String comparison, @Nullable String value) {
    if (value != null) {
      condition.and(comparison, sql -> sql.bind(value));
    }
  }

  private static String text(@Nullable String value) {
    return value == null ? "" : value;
  }

  static <T> T first(
      Connection conn, OutboxTable table, String select, Condition condition, RowReader<T> row)
      throws SQLException {
    try (Sql sql = table.sql(conn, select + condition)) {
      condition.bind(sql);
      return sql.first(row).orElseThrow(() -> new SQLException("the database counts nothing"));
    }
  }

  static <T> List<T> page(
      Connection conn,
      OutboxTable table,
      String select,
      Condition condition,
      int limit,
      RowReader<T> row)
      throws SQLException {
    try (Sql sql = table.sql(conn, select + condition + BY_ID)) {
      condition.bind(sql);
      return sql.bind(limit).list(row);
    }
  }
}
