package failover.jdbc;

import failover.store.FailoverStoreException;
import holdfast.jdbc.SqlMessages;
import holdfast.jdbc.Unreachable;
import java.sql.SQLException;
import java.util.Objects;

/** What callers are told of a statement that failed. Stateless. */
final class Refusal {
  /** The class of SQL states for values that a column does not take. */
  private static final String DATA_EXCEPTION = "22";

  private Refusal() {}

  /** A connection that breaks may be the fault of the answer: some drivers end it if too large. */
  static FailoverStoreException of(
      String what, Tables tables, SQLException refused, boolean isConnected) {
    String message =
        "failover could not %s in table %s: %s".formatted(what, tables.answers(), reason(refused));
    String state = Objects.requireNonNullElse(refused.getSQLState(), "");
    if (!isConnected) {
      return FailoverStoreException.unavailable(message, refused);
    }
    return state.startsWith(DATA_EXCEPTION)
        ? FailoverStoreException.refused(message, refused)
        : new FailoverStoreException(message, refused);
  }

  /** The first line: some drivers quote the statement or the row in the lines after it. */
  private static String reason(SQLException refused) {
    if (Unreachable.isCauseOf(refused)) {
      return SqlMessages.withFix(refused);
    }
    String first = String.valueOf(refused.getMessage()).lines().findFirst().orElse("");
    return first + "; the schema files are in failover/jdbc/schema";
  }
}
