package eventbus.table;

import eventbus.Event;
import holdfast.jdbc.Row;
import holdfast.jdbc.Sql;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * What is first in line of each type and priority, and of what workers hold: one probe of an index
 * each, all in one statement, however many rows wait behind. Confined to one call.
 *
 * <p>What is equal in all rows stands in ORDER BY too: H2 takes an index for an order only if all
 * of its columns are named.
 */
final class NextDuePerType {
  private static final int HELD = -1;
  private static final String PRIORITIES =
      IntStream.rangeClosed(Event.FIRST_PRIORITY, Event.LAST_PRIORITY)
          .mapToObj(n -> "SELECT " + n + " AS priority")
          .collect(Collectors.joining(" UNION ALL "));
  private static final String HELD_HEAD =
      """
      SELECT '' AS type, -1 AS priority,
             (SELECT {heldUntil} FROM {events} e {byHeld}
               WHERE {held} ORDER BY {heldUntil}, e.id LIMIT 1) AS head,
             {nowPlus} AS present
      """;
  private static final String WAITING_HEADS =
      """
      SELECT t.type AS type, p.priority AS priority,
             (SELECT e.available_at FROM {events} e {byDue}
               WHERE e.type = t.type AND e.priority = p.priority AND {waiting}
               ORDER BY e.type, e.priority, e.available_at, e.id LIMIT 1) AS head,
             {nowPlus} AS present
        FROM (%s) t CROSS JOIN (%s) p
      UNION ALL
      """;
  private static final String NEXT_TYPE =
      """
      SELECT e.type FROM {events} e {byDue} WHERE e.type > ? AND {waiting}
       ORDER BY e.type, e.priority, e.available_at, e.id LIMIT 1
      """;

  /** The first in line of one type and priority. */
  record Head(String type, int priority, @Nullable Instant at, Instant now) {
    boolean isDue() {
      return at != null && !at.isAfter(now);
    }
  }

  private final List<Head> all;

  private NextDuePerType(List<Head> all) {
    this.all = all;
  }

  static NextDuePerType of(Connection conn, EventTable table, Collection<String> types)
      throws SQLException {
    try (Sql sql = table.sql(conn, text(table, types.size()))) {
      if (!types.isEmpty()) {
        sql.bind(table.clock().now());
      }
      for (String type : types) {
        sql.bind(type);
      }
      return new NextDuePerType(sql.bind(table.clock().now()).list(NextDuePerType::head));
    }
  }

  /** The statement for so many types. */
  static String text(EventTable table, int types) {
    if (types == 0) {
      return HELD_HEAD;
    }
    String one = "SELECT " + table.dialect().textPlaceholder() + " AS type";
    String list = String.join(" UNION ALL ", Collections.nCopies(types, one));
    return WAITING_HEADS.formatted(list, PRIORITIES) + HELD_HEAD;
  }

  private static Head head(Row row) throws SQLException {
    return new Head(row.string(), row.intValue(), row.instantOrNull(), row.instant());
  }

  /** The types that have events waiting, found by one probe of the index each. */
  static List<String> waitingTypes(Connection conn, EventTable table) throws SQLException {
    List<String> types = new ArrayList<>();
    try (Sql sql = table.sql(conn, NEXT_TYPE)) {
      String last = "";
      while (last != null) {
        last = sql.bind(last).first(Row::string).orElse(null);
        if (last != null) {
          types.add(last);
        }
      }
    }
    return types;
  }

  /** The types of which an event is due for so long, among those that are asked for. */
  static List<String> overdueTypes(
      Connection conn, EventTable table, Predicate<String> asked, Duration since)
      throws SQLException {
    List<String> types = waitingTypes(conn, table).stream().filter(asked).toList();
    return types.isEmpty()
        ? List.of()
        : of(conn, table, types).due(Set.of()).stream()
            .filter(head -> head.at() != null && !head.at().isAfter(head.now().minus(since)))
            .map(Head::type)
            .distinct()
            .toList();
  }

  /** Those that are due, in the order they are to be acquired: of busy types, after others. */
  List<Head> due(Set<String> busyTypes) {
    return all.stream()
        .filter(head -> head.priority() != HELD && head.isDue())
        .sorted(
            Comparator.comparingInt(Head::priority)
                .thenComparing(head -> busyTypes.contains(head.type()))
                .thenComparing(head -> head.at() == null ? Instant.MAX : head.at())
                .thenComparing(Head::type))
        .toList();
  }

  /** Whether some worker's claim has run out, or a suspect waits. */
  boolean hasLapsed() {
    return all.stream().anyMatch(head -> head.priority() == HELD && head.isDue());
  }

  /** How long until the next event that waits is due; otherwise what is given. */
  Duration untilNext(Duration otherwise) {
    Duration least = otherwise;
    for (Head head : all) {
      if (head.priority() != HELD && head.at() != null && !head.isDue()) {
        Duration wait = Duration.between(head.now(), head.at());
        least = wait.compareTo(least) < 0 ? wait : least;
      }
    }
    return least;
  }
}
