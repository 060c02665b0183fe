package eventbus.table;

import holdfast.jdbc.Row;
import holdfast.jdbc.Sql;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/**
 * How long due events have waited, found by probes of the indexes: it costs the same however many
 * wait, so it may be asked often. Stateless.
 */
final class Lag {
  static final String LAPSED =
      """
      SELECT e.type, MIN({heldUntil}), {nowPlus} FROM {events} e {byHeld}
       WHERE {held} AND {heldUntil} <= {nowPlus} GROUP BY e.type
      """;

  /** The first that is due of a type, among those that some worker was lost with. */
  private record Lapsed(String type, Instant at, Instant now) {
    static Lapsed read(Row row) throws SQLException {
      return new Lapsed(row.string(), row.instant(), row.instant());
    }
  }

  private Lag() {}

  /** The longest wait among those types; zero if nothing of them is due. */
  static Duration of(Connection conn, EventTable table, Set<String> types) throws SQLException {
    if (types.isEmpty()) {
      return Duration.ZERO;
    }
    List<Duration> waits = new ArrayList<>();
    for (NextDuePerType.Head head : NextDuePerType.of(conn, table, types).due(Set.of())) {
      if (head.at() != null) {
        waits.add(Duration.between(head.at(), head.now()));
      }
    }
    try (Sql sql = table.sql(conn, LAPSED)) {
      sql.bind(table.clock().now()).bind(table.clock().now());
      for (Lapsed lapsed : sql.list(Lapsed::read)) {
        if (types.contains(lapsed.type())) {
          waits.add(Duration.between(lapsed.at(), lapsed.now()));
        }
      }
    }
    return waits.stream().max(Duration::compareTo).orElse(Duration.ZERO);
  }
}
