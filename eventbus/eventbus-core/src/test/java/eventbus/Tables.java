package eventbus;

import holdfast.testkit.db.TestDatabase;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.LocalDateTime;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** The tables as a test looks at them: fresh for each test, read by plain SQL. */
final class Tables {
  final TestDatabase database;

  private Tables(TestDatabase database) {
    this.database = database;
  }

  /** New, empty tables. */
  static Tables fresh(TestDatabase database) throws SQLException {
    Tables tables = dropped(database);
    EventBusSchema.createIfMissing(database.dataSource());
    return tables;
  }

  /** No tables. */
  static Tables dropped(TestDatabase database) throws SQLException {
    Tables tables = new Tables(database);
    tables.execute("DROP TABLE IF EXISTS events");
    tables.execute("DROP TABLE IF EXISTS event_log");
    tables.execute("DROP TABLE IF EXISTS events_count");
    tables.execute("DROP TABLE IF EXISTS events_node");
    tables.execute("DROP TABLE IF EXISTS events_pause");
    return tables;
  }

  void execute(String sql) throws SQLException {
    try (Connection conn = database.connect();
        Statement statement = conn.createStatement()) {
      statement.execute(sql);
    }
  }

  int update(String sql, Object... values) throws SQLException {
    try (Connection conn = database.connect();
        PreparedStatement statement = conn.prepareStatement(sql)) {
      for (int i = 0; i < values.length; i++) {
        statement.setObject(i + 1, values[i]);
      }
      return statement.executeUpdate();
    }
  }

  /** The row of an event to be worked on, by column; empty if there is none. */
  Map<String, Object> event(long id) throws SQLException {
    return row("events", id);
  }

  /** The line of a closed event, by column; empty if there is none. */
  Map<String, Object> logged(long id) throws SQLException {
    return row("event_log", id);
  }

  private Map<String, Object> row(String table, long id) throws SQLException {
    try (Connection conn = database.connect();
        PreparedStatement statement =
            conn.prepareStatement("SELECT * FROM " + table + " WHERE id = ?")) {
      statement.setLong(1, id);
      try (ResultSet found = statement.executeQuery()) {
        Map<String, Object> row = new LinkedHashMap<>();
        if (found.next()) {
          for (int i = 1; i <= found.getMetaData().getColumnCount(); i++) {
            String name = found.getMetaData().getColumnLabel(i).toLowerCase(Locale.ROOT);
            row.put(name, value(found, i));
          }
        }
        return row;
      }
    }
  }

  private static Object value(ResultSet found, int column) throws SQLException {
    String type = found.getMetaData().getColumnTypeName(column).toUpperCase(Locale.ROOT);
    if (type.contains("TIME")) {
      return found.getObject(column, LocalDateTime.class);
    }
    Object value = found.getObject(column);
    return value instanceof Number || value == null ? value : found.getString(column);
  }

  int number(long id, String column) throws SQLException {
    return ((Number) event(id).get(column)).intValue();
  }

  List<Long> eventIds() throws SQLException {
    return ids("SELECT id FROM events ORDER BY id");
  }

  List<Long> loggedIds(EventStatus status) throws SQLException {
    return ids("SELECT id FROM event_log WHERE status = '" + status + "' ORDER BY id");
  }

  List<Long> ids(String query) throws SQLException {
    try (Connection conn = database.connect();
        Statement statement = conn.createStatement();
        ResultSet found = statement.executeQuery(query)) {
      List<Long> ids = new ArrayList<>();
      while (found.next()) {
        ids.add(found.getLong(1));
      }
      return ids;
    }
  }

  int count(String tableAndCondition) throws SQLException {
    return ids("SELECT COUNT(*) FROM " + tableAndCondition).get(0).intValue();
  }
}
