package holdfast.jdbc;

import java.sql.SQLException;
import java.sql.SQLNonTransientConnectionException;
import java.sql.SQLTransientConnectionException;
import java.util.List;

/** Tells a database that cannot be reached from one that refuses a statement. Stateless. */
public final class Unreachable {

  /**
   * No connection, no such database, wrong password, too many connections, starting or stopping.
   */
  private static final List<String> STATES = List.of("08", "28", "3D", "53", "57P");

  private static final int MYSQL_NO_SUCH_DATABASE = 1049;

  private Unreachable() {}

  /** Returns whether a failure has no connection as its cause. */
  public static boolean isCauseOf(Throwable failure) {
    for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
      if (cause instanceof SQLException refused && isConnection(refused)) {
        return true;
      }
    }
    return false;
  }

  private static boolean isConnection(SQLException failure) {
    String state = failure.getSQLState();
    return failure instanceof SQLTransientConnectionException
        || failure instanceof SQLNonTransientConnectionException
        || failure.getErrorCode() == MYSQL_NO_SUCH_DATABASE
        || (state != null && STATES.stream().anyMatch(state::startsWith));
  }
}
