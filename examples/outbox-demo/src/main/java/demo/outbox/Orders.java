package demo.outbox;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.concurrent.TimeUnit;
import javax.sql.DataSource;

/** The business data of the demo, and what the outbox's table says. For one thread. */
final class Orders {
  private static final int MOST_TURNS = 3_000;

  private final DataSource dataSource;

  Orders(DataSource dataSource) throws SQLException {
    this.dataSource = dataSource;
    try (Connection conn = dataSource.getConnection();
        Statement statement = conn.createStatement()) {
      statement.execute("CREATE TABLE orders (id INT PRIMARY KEY)");
    }
  }

  /**
   * What became of the events.
   *
   * @param published how many orders, each with one event, were committed
   * @param done how many events were delivered
   * @param dead how many were given up
   * @param open how many are still to be delivered
   */
  record Books(long published, long done, long dead, long open) {
    boolean balance() {
      return published == done + dead && open == 0;
    }
  }

  void insert(Connection conn, int order) throws SQLException {
    try (PreparedStatement insert = conn.prepareStatement("INSERT INTO orders (id) VALUES (?)")) {
      insert.setInt(1, order);
      insert.executeUpdate();
    }
  }

  long count() throws SQLException {
    return number("SELECT COUNT(*) FROM orders");
  }

  Books books() throws SQLException {
    return new Books(count(), inStatus("1"), inStatus("3"), inStatus("0, 2"));
  }

  /** Waits until so many events are left to be delivered. */
  void awaitOpen(long events) throws SQLException, InterruptedException {
    for (int turn = 0; inStatus("0, 2") != events; turn++) {
      if (turn == MOST_TURNS) {
        throw new IllegalStateException(
            events + " events must be left but there are " + inStatus("0, 2"));
      }
      TimeUnit.MILLISECONDS.sleep(10);
    }
  }

  String lastError() throws SQLException {
    try (Connection conn = dataSource.getConnection();
        Statement statement = conn.createStatement();
        ResultSet row =
            statement.executeQuery("SELECT last_error FROM outbox_event WHERE status = 3")) {
      return row.next() ? row.getString(1) : "none";
    }
  }

  private long inStatus(String statuses) throws SQLException {
    return number("SELECT COUNT(*) FROM outbox_event WHERE status IN (" + statuses + ")");
  }

  private long number(String query) throws SQLException {
    try (Connection conn = dataSource.getConnection();
        Statement statement = conn.createStatement();
        ResultSet row = statement.executeQuery(query)) {
      row.next();
      return row.getLong(1);
    }
  }
}
