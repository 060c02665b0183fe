package holdfast.jdbc;

import java.sql.SQLException;

/**
 * The text of a statement that failed, found among the suppressed exceptions of the failure, which
 * so keeps its own class, SQLState and vendor code. Holds no values: they may be secrets.
 */
final class FailedStatement extends Exception {

  private static final long serialVersionUID = 1L;

  private FailedStatement(String text) {
    super(text.strip(), null, false, false);
  }

  static <T> T noted(String text, Access<T> access) throws SQLException {
    try {
      return access.run();
    } catch (SQLException e) {
      e.addSuppressed(new FailedStatement(text));
      throw e;
    }
  }
}
