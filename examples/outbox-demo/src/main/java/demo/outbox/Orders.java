package demo.outbox;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import javax.sql.DataSource;

/** The business data of the demo. For one thread. */
final class Orders {
  private final DataSource dataSource;

  Orders(DataSource dataSource) throws SQLException {
    this.dataSource = dataSource;
    try (Connection conn = dataSource.getConnection();
        Statement statement = conn.createStatement()) {
      statement.execute("CREATE TABLE orders (id INT PRIMARY KEY)");
    }
  }

  void insert(Connection conn, int order) throws SQLException {
    try (PreparedStatement insert = conn.prepareStatement("INSERT INTO orders (id) VALUES (?)")) {
      insert.setInt(1, order);
      insert.executeUpdate();
    }
  }

  long count() throws SQLException {
    try (Connection conn = dataSource.getConnection();
        Statement statement = conn.createStatement();
        ResultSet row = statement.executeQuery("SELECT COUNT(*) FROM orders")) {
      row.next();
      return row.getLong(1);
    }
  }
}
