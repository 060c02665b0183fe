package holdfast.jdbc;

import java.lang.reflect.Method;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Optional;

/**
 * What PostgreSQL's driver knows of a transaction, asked without a word to the server. The driver
 * is not known at compile time: applications bring theirs. Stateless.
 */
final class PostgreSqlDriver {
  private static final String FAILED = "FAILED";
  private static final ClassValue<Optional<Method>> STATES =
      new ClassValue<>() {
        @Override
        protected Optional<Method> computeValue(Class<?> type) {
          try {
            return Optional.of(type.getMethod("getTransactionState"));
          } catch (NoSuchMethodException e) {
            return Optional.empty(); // another driver, or a wrapper that hides the real one
          }
        }
      };

  private PostgreSqlDriver() {}

  /** Whether the transaction has failed; also true where the driver does not tell. */
  static boolean mayHaveFailed(Connection connection) throws SQLException {
    Connection driver = connection.unwrap(Connection.class);
    Optional<Method> state = STATES.get(driver.getClass());
    if (state.isEmpty()) {
      return true;
    }
    try {
      return FAILED.equals(String.valueOf(state.get().invoke(driver)));
    } catch (ReflectiveOperationException e) {
      return true; // closed to others by its module: as good as silent
    }
  }
}
