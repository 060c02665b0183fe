package tour;

import holdfast.jdbc.Transactions;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.sql.Timestamp;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import javax.sql.DataSource;

/** The table of orders: what the shop itself knows. Safe for use by many threads. */
final class Orders {
  private static final String CREATE =
      """
      CREATE TABLE IF NOT EXISTS orders (
        id BIGINT PRIMARY KEY, item VARCHAR(20) NOT NULL, cents BIGINT,
        price_as_of TIMESTAMP WITH TIME ZONE, stale BOOLEAN NOT NULL DEFAULT FALSE,
        repeats INT NOT NULL DEFAULT 0)
      """;
  private static final String PRICE =
      "UPDATE orders SET cents = ?, price_as_of = ?, stale = ? WHERE id = ? AND cents IS NULL";
  private static final String REPEAT = "UPDATE orders SET repeats = repeats + 1 WHERE id = ?";

  /**
   * How the orders stand. Immutable.
   *
   * @param placed all of them
   * @param priced those with a price
   * @param stale those with a price from the store
   * @param repeats how often an order was priced once more
   */
  record Standing(long placed, long priced, long stale, long repeats) {}

  private final Transactions transactions;

  Orders(DataSource dataSource) {
    this.transactions = Transactions.of(dataSource);
  }

  void createTable() throws SQLException {
    transactions.run(
        tx -> {
          try (Statement statement = tx.createStatement()) {
            statement.execute(CREATE);
          }
        });
  }

  void insert(Connection tx, long id, String item) throws SQLException {
    try (PreparedStatement insert =
        tx.prepareStatement("INSERT INTO orders (id, item) VALUES (?, ?)")) {
      insert.setLong(1, id);
      insert.setString(2, item);
      insert.executeUpdate();
    }
  }

  /** Writes the price of an order; one that has a price already is only counted. */
  void price(long id, long cents, Instant asOf, boolean stale) throws SQLException {
    transactions.run(
        tx -> {
          try (PreparedStatement price = tx.prepareStatement(PRICE);
              PreparedStatement repeat = tx.prepareStatement(REPEAT)) {
            price.setLong(1, cents);
            price.setTimestamp(2, Timestamp.from(asOf));
            price.setBoolean(3, stale);
            price.setLong(4, id);
            if (price.executeUpdate() == 0) {
              repeat.setLong(1, id);
              repeat.executeUpdate();
            }
          }
        });
  }

  Standing standing() throws SQLException {
    String query =
        "SELECT COUNT(*), COUNT(cents), COALESCE(SUM(CASE WHEN stale THEN 1 ELSE 0 END), 0),"
            + " COALESCE(SUM(repeats), 0) FROM orders";
    return transactions.call(
        tx -> {
          try (Statement statement = tx.createStatement();
              ResultSet row = statement.executeQuery(query)) {
            row.next();
            return new Standing(row.getLong(1), row.getLong(2), row.getLong(3), row.getLong(4));
          }
        });
  }

  /** How many events of the bus a worker has in its hands. */
  long claimedBy(String worker) throws SQLException {
    return transactions.call(
        tx -> {
          try (PreparedStatement count =
              tx.prepareStatement("SELECT COUNT(*) FROM events WHERE claimed_by = ?")) {
            count.setString(1, worker);
            try (ResultSet row = count.executeQuery()) {
              row.next();
              return row.getLong(1);
            }
          }
        });
  }

  /** The ids of orders with a price. */
  List<Long> priced() throws SQLException {
    return transactions.call(
        tx -> {
          List<Long> ids = new ArrayList<>();
          try (Statement statement = tx.createStatement();
              ResultSet row =
                  statement.executeQuery("SELECT id FROM orders WHERE cents IS NOT NULL")) {
            while (row.next()) {
              ids.add(row.getLong(1));
            }
          }
          return ids;
        });
  }
}
