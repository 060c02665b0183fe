package holdfast.jdbc;

import java.sql.SQLException;

/** Messages of databases, with the fix where the database itself does not say it. Stateless. */
public final class SqlMessages {
  private static final String READ_ONLY_TRANSACTION = "25006";

  private SqlMessages() {}

  /**
   * Returns the message of a failure. Adds how to fix it if the database could not be reached, or
   * if it refused to write in a read-only transaction.
   */
  public static String withFix(SQLException failure) {
    String message = String.valueOf(failure.getMessage());
    if (Unreachable.isCauseOf(failure)) {
      return (message.endsWith(".") ? message.substring(0, message.length() - 1) : message)
          + "; check the URL, the user and the password, and that the server is up and accepts"
          + " connections";
    }
    if (READ_ONLY_TRANSACTION.equals(failure.getSQLState())) {
      return message + "; write in a transaction that is not read-only";
    }
    return message;
  }
}
