package holdfast.jdbc;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Set;

/** A right on a table. A statement that concerns no row shows whether the user has it. */
public enum Right {
  /** To read rows. */
  SELECT("SELECT %2$s FROM %1$s WHERE 1 = 0"),

  /** To add rows. */
  INSERT("%3$s INTO %1$s (%2$s) SELECT %2$s FROM %1$s WHERE 1 = 0"),

  /** To change rows. */
  UPDATE("UPDATE %1$s SET %2$s = %2$s WHERE 1 = 0"),

  /** To remove rows. */
  DELETE("DELETE FROM %1$s WHERE 1 = 0");

  /** Of PostgreSQL and of H2. */
  private static final Set<String> DENIED_STATES = Set.of("42501", "90096");

  /** Of MariaDB and MySQL: on the database, the table, the column. */
  private static final Set<Integer> DENIED_CODES = Set.of(1044, 1142, 1143);

  /** Of MariaDB and MySQL: a column that must have a value got none. They look at rights first. */
  private static final int NO_DEFAULT = 1364;

  /** The class of syntax errors and unknown names on every database. */
  private static final String UNKNOWN_NAMES = "42";

  private final String probe;

  Right(String probe) {
    this.probe = probe;
  }

  /** What the database says to a statement that needs a right. */
  enum Answer {
    ALLOWED,
    DENIED,
    NO_SUCH_TABLE
  }

  Answer ask(Connection connection, Dialect dialect, TableName table, String column)
      throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute(probe.formatted(table, column, dialect.insertOfSomeColumns()));
      return Answer.ALLOWED;
    } catch (SQLException e) {
      return answer(e);
    } finally {
      if (!connection.getAutoCommit()) {
        connection.rollback();
      }
    }
  }

  private static Answer answer(SQLException e) throws SQLException {
    if (isDenied(e)) {
      return Answer.DENIED;
    }
    if (e.getErrorCode() == NO_DEFAULT) {
      return Answer.ALLOWED;
    }
    if (e.getSQLState() != null && e.getSQLState().startsWith(UNKNOWN_NAMES)) {
      return Answer.NO_SUCH_TABLE;
    }
    throw e;
  }

  private static boolean isDenied(SQLException e) {
    return (e.getSQLState() != null && DENIED_STATES.contains(e.getSQLState()))
        || DENIED_CODES.contains(e.getErrorCode());
  }
}
