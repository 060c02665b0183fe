package outbox.jdbc;

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
import outbox.model.EventStatus;

/** The outbox table as a test looks at it: fresh for each test, read by plain SQL. */
final class Table {
  final TestDatabase database;

  private Table(TestDatabase database) {
    this.database = database;
  }

  /** New, empty tables. */
  static Table fresh(TestDatabase database) throws SQLException {
    Table table = new Table(database);
    table.execute("DROP TABLE IF EXISTS outbox_event");
    table.execute("DROP TABLE IF EXISTS outbox_event_order");
    table.execute("DROP TABLE IF EXISTS outbox_event_count");
    table.execute("DROP TABLE IF EXISTS outbox_event_node");
    table.execute("DROP TABLE IF EXISTS outbox_event_pause");
    OutboxSchema.createIfMissing(database.dataSource());
    return table;
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

  /** All columns of an event's row by name; empty if there is none. */
  Map<String, Object> row(String eventId) throws SQLException {
    try (Connection conn = database.connect();
        PreparedStatement statement =
            conn.prepareStatement("SELECT * FROM outbox_event WHERE event_id = ?")) {
      statement.setString(1, eventId);
      try (ResultSet found = statement.executeQuery()) {
        Map<String, Object> row = new LinkedHashMap<>();
        if (found.next()) {
          for (int i = 1; i <= found.getMetaData().getColumnCount(); i++) {
            String name = found.getMetaData().getColumnLabel(i).toLowerCase(Locale.ROOT);
            row.put(name, found.getObject(i));
          }
        }
        return row;
      }
    }
  }

  EventStatus status(String eventId) throws SQLException {
    return EventStatus.of(number(eventId, "status").intValue());
  }

  Number number(String eventId, String column) throws SQLException {
    return (Number) row(eventId).get(column);
  }

  /** A text in an event's row, read as text whatever the column's type. */
  String text(String eventId, String column) throws SQLException {
    try (Connection conn = database.connect();
        PreparedStatement statement =
            conn.prepareStatement("SELECT " + column + " FROM outbox_event WHERE event_id = ?")) {
      statement.setString(1, eventId);
      try (ResultSet found = statement.executeQuery()) {
        found.next();
        return found.getString(1);
      }
    }
  }

  List<String> ids(EventStatus status) throws SQLException {
    try (Connection conn = database.connect();
        Statement statement = conn.createStatement();
        ResultSet found =
            statement.executeQuery(
                "SELECT event_id FROM outbox_event WHERE status = "
                    + status.code()
                    + " ORDER BY event_id")) {
      List<String> ids = new ArrayList<>();
      while (found.next()) {
        ids.add(found.getString(1));
      }
      return ids;
    }
  }

  int count(EventStatus status) throws SQLException {
    return ids(status).size();
  }

  /** How many events are in a status, counted by the database. */
  int countOf(EventStatus status) throws SQLException {
    return countWhere("status = " + status.code());
  }

  int countWhere(String condition) throws SQLException {
    try (Connection conn = database.connect();
        Statement statement = conn.createStatement();
        ResultSet found =
            statement.executeQuery("SELECT COUNT(*) FROM outbox_event WHERE " + condition)) {
      found.next();
      return found.getInt(1);
    }
  }

  /** Adds rows to the counters of the ledger, as that many transactions do. */
  void addCounters(int rows) throws SQLException {
    try (Connection conn = database.connect();
        PreparedStatement statement =
            conn.prepareStatement("INSERT INTO outbox_event_count (accepted) VALUES (0)")) {
      conn.setAutoCommit(false);
      for (int i = 0; i < rows; i++) {
        statement.addBatch();
      }
      statement.executeBatch();
      conn.commit();
    }
  }

  /** How many rows the counters of the ledger have. */
  int counters() throws SQLException {
    try (Connection conn = database.connect();
        Statement statement = conn.createStatement();
        ResultSet found = statement.executeQuery("SELECT COUNT(*) FROM outbox_event_count")) {
      found.next();
      return found.getInt(1);
    }
  }

  /** A time in an event's row, in UTC as it is stored. */
  LocalDateTime moment(String eventId, String column) throws SQLException {
    try (Connection conn = database.connect();
        PreparedStatement statement =
            conn.prepareStatement("SELECT " + column + " FROM outbox_event WHERE event_id = ?")) {
      statement.setString(1, eventId);
      try (ResultSet found = statement.executeQuery()) {
        found.next();
        return found.getObject(1, LocalDateTime.class);
      }
    }
  }
}
