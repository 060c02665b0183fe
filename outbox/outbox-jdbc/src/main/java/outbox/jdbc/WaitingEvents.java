package outbox.jdbc;

import holdfast.jdbc.Condition;
import holdfast.jdbc.RowReader;
import holdfast.problems.Problems;
import java.util.List;
import org.jspecify.annotations.Nullable;
import outbox.OutboxException;

/**
 * The events that wait for their next attempt after a failure: how many, which, why and until when.
 * Events that are delivered at the moment are not among them. Safe for use by many threads.
 */
public final class WaitingEvents {
  private static final String COUNT = "SELECT COUNT(*) FROM {table} e";
  private static final String LIST =
      "SELECT e.event_id, e.event_type, e.attempts, e.failing_since, e.available_at, e.last_error"
          + " FROM {table} e";
  private static final RowReader<WaitingEvent> WAITING_EVENT =
      row ->
          new WaitingEvent(
              row.string(),
              row.string(),
              row.intValue(),
              row.instantOrNull(),
              row.instant(),
              row.stringOrNull());

  private final UpkeepTransactions transactions;

  WaitingEvents(UpkeepTransactions transactions) {
    this.transactions = transactions;
  }

  /**
   * Returns how many events wait.
   *
   * @param eventType their type, or null for any
   * @throws OutboxException if the database fails or the table is the plain one
   */
  public long count(@Nullable String eventType) {
    return transactions.call(
        "count waiting events",
        (conn, table) ->
            DeadEvents.first(conn, table, COUNT, condition(eventType), row -> row.longValue()));
  }

  /**
   * Returns a page of the events that wait, in the order of their ids.
   *
   * @param eventType their type, or null for any
   * @param limit how many at most, 1 to {@value DeadEvents#MAX_PAGE}
   * @param afterEventId the last id of the page before, or null for the first page
   * @return the events; fewer than the limit on the last page
   * @throws IllegalArgumentException if the limit is out of range
   * @throws OutboxException if the database fails or the table is the plain one
   */
  public List<WaitingEvent> list(
      @Nullable String eventType, int limit, @Nullable String afterEventId) {
    int most = DeadEvents.MAX_PAGE;
    new Problems("WaitingEvents")
        .require(limit >= 1 && limit <= most, "limit", "be 1 to " + most, limit)
        .throwIfAny();
    Condition condition = condition(eventType);
    DeadEvents.andText(condition, "e.event_id > ?", afterEventId);
    return transactions.call(
        "list waiting events",
        (conn, table) -> DeadEvents.page(conn, table, LIST, condition, limit, WAITING_EVENT));
  }

  private static Condition condition(@Nullable String eventType) {
    Condition condition = new Condition().and("e.status = 2").and("e.claimed_by IS NULL");
    DeadEvents.andText(condition, "e.event_type = ?", eventType);
    return condition;
  }
}
