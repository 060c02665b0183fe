package benchmarks.contenders;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import javax.sql.DataSource;

/** The row that every business transaction writes, and the event's payload. Stateless. */
public final class Business {
  private static final String FILLER = "x".repeat(160);

  private Business() {}

  /** Creates the table. */
  public static void create(DataSource dataSource) throws SQLException {
    try (Connection conn = dataSource.getConnection();
        Statement statement = conn.createStatement()) {
      statement.execute("CREATE TABLE business (id BIGINT PRIMARY KEY, note TEXT NOT NULL)");
    }
  }

  static void insert(Connection conn, long number) throws SQLException {
    try (PreparedStatement insert =
        conn.prepareStatement("INSERT INTO business (id, note) VALUES (?, ?)")) {
      insert.setLong(1, number);
      insert.setString(2, FILLER);
      insert.executeUpdate();
    }
  }

  /** About two hundred characters of JSON, with the number first. */
  static String payload(long number) {
    return "{\"number\": " + number + ", \"note\": \"" + FILLER + "\"}";
  }

  static long number(String payload) {
    int from = payload.indexOf(':') + 2;
    return Long.parseLong(payload, from, payload.indexOf(',', from), 10);
  }
}
