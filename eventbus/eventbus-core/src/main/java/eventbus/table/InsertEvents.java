package eventbus.table;

import eventbus.Event;
import holdfast.jdbc.LedgerCounters;
import holdfast.jdbc.LedgerCounters.Counter;
import holdfast.jdbc.Sql;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;

/**
 * Inserts events that wait for a worker, many in one batch, and counts them in the ledger.
 * Stateless.
 */
final class InsertEvents {
  private static final int BATCH = 500;
  private static final String INSERT =
      """
      INSERT INTO {events} (type, payload, headers, priority, status, attempts, failures, lapses,
        available_at, claim_token, created_at)
      VALUES (?, ?, ?, ?, 'PENDING', 0, 0, 0, %s, 0, {nowPlus})
      """;
  private static final String DUE_AFTER = INSERT.formatted("{nowPlus}");
  private static final String DUE_AT = INSERT.formatted("?");

  private InsertEvents() {}

  /** Inserts events and returns their ids, both in order. */
  static List<Long> all(Connection conn, EventTable table, List<Event> events) throws SQLException {
    List<Long> ids = new ArrayList<>(events.size());
    int from = 0;
    while (from < events.size()) {
      int to = from + 1;
      String text = text(events.get(from));
      while (to < events.size() && to - from < BATCH && text.equals(text(events.get(to)))) {
        to++;
      }
      ids.addAll(batch(conn, table, text, events.subList(from, to)));
      from = to;
    }
    return ids;
  }

  private static List<Long> batch(
      Connection conn, EventTable table, String text, List<Event> events) throws SQLException {
    LedgerCounters counters = table.counters();
    boolean counting = events.size() == 1 && counters.countsInInsert();
    List<Long> ids;
    try (Sql sql = table.sqlForIds(conn, counting ? counters.counting(text) : text)) {
      if (counting) {
        sql.bind(1L);
      }
      ids = insert(sql, table, events);
    }
    if (!counting) {
      counters.add(conn, Counter.ACCEPTED, events.size());
    }
    return ids;
  }

  private static List<Long> insert(Sql sql, EventTable table, List<Event> events)
      throws SQLException {
    if (events.size() == 1) {
      bind(sql, table, events.get(0));
      return List.of(sql.updateForKey());
    }
    for (Event event : events) {
      bind(sql, table, event);
      sql.addBatch();
    }
    return sql.updateBatchForKeys();
  }

  private static String text(Event event) {
    return event.availableAt() == null ? DUE_AFTER : DUE_AT;
  }

  private static void bind(Sql sql, EventTable table, Event event) throws SQLException {
    sql.bind(event.type())
        .bind(event.payload())
        .bind(EventRow.headersText(event.headers()))
        .bind(event.priority());
    if (event.availableAt() == null) {
      sql.bind(table.clock().micros(event.delay()));
    } else {
      sql.bind(event.availableAt());
    }
    sql.bind(table.clock().now());
  }
}
