package demo.outboxtobus;

import holdfast.jdbc.Transactions;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import javax.sql.DataSource;

/** The business data of the example: orders and their invoices. Safe for use by many threads. */
final class Shop {
  private final Transactions transactions;

  Shop(DataSource dataSource) throws SQLException {
    this.transactions = Transactions.of(dataSource);
    transactions.run(
        tx -> {
          execute(tx, "CREATE TABLE orders (id INT PRIMARY KEY)");
          execute(tx, "CREATE TABLE invoices (order_id INT PRIMARY KEY)");
        });
  }

  private static void execute(Connection tx, String sql) throws SQLException {
    try (Statement statement = tx.createStatement()) {
      statement.execute(sql);
    }
  }

  void insertOrder(Connection tx, int order) throws SQLException {
    update(tx, "INSERT INTO orders (id) VALUES (?)", order);
  }

  /** Writes an invoice; the order is its key, so that a repeated event changes nothing. */
  void writeInvoice(int order) throws SQLException {
    transactions.run(tx -> update(tx, "MERGE INTO invoices (order_id) VALUES (?)", order));
  }

  private static void update(Connection tx, String sql, int order) throws SQLException {
    try (PreparedStatement statement = tx.prepareStatement(sql)) {
      statement.setInt(1, order);
      statement.executeUpdate();
    }
  }

  long orders() throws SQLException {
    return count("SELECT COUNT(*) FROM orders");
  }

  long invoices() throws SQLException {
    return count("SELECT COUNT(*) FROM invoices");
  }

  private long count(String query) throws SQLException {
    return transactions.call(
        tx -> {
          try (Statement statement = tx.createStatement();
              ResultSet row = statement.executeQuery(query)) {
            row.next();
            return row.getLong(1);
          }
        });
  }
}
