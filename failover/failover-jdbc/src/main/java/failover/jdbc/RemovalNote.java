package failover.jdbc;

import failover.key.StoreKey;
import holdfast.jdbc.Sql;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Instant;

/** Has other nodes drop their copies; written within the transaction of a removal. Stateless. */
final class RemovalNote {
  /** In the place of a key: all answers under a name. */
  static final String ALL = "*";

  private RemovalNote() {}

  static int write(Connection connection, Statements statements, StoreKey key) throws SQLException {
    return write(connection, statements, key.name(), key.id());
  }

  static int writeAll(Connection connection, Statements statements, String name)
      throws SQLException {
    return write(connection, statements, name, ALL);
  }

  private static int write(Connection connection, Statements statements, String name, String id)
      throws SQLException {
    try (Sql sql = statements.dialect().sql(connection, statements.insertRemoval())) {
      sql.bind(name).bind(id).bind(Instant.EPOCH).update();
    }
    try (Sql sql = statements.dialect().sql(connection, statements.updateRemoval())) {
      return sql.bind(name).bind(id).update();
    }
  }
}
