package holdfast.jdbc;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.SQLFeatureNotSupportedException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * The notifications that reach a connection by PostgreSQL's driver, which is not known at compile
 * time. Confined to one thread.
 */
final class PostgreSqlNotifications {
  private static final String DRIVER = "org.postgresql.";

  private final Object connection;
  private final Method await;
  private final Method payload;

  private PostgreSqlNotifications(Object connection, Method await, Method payload) {
    this.connection = connection;
    this.await = await;
    this.payload = payload;
  }

  /**
   * Those of a connection.
   *
   * @throws SQLFeatureNotSupportedException if it is not one of that driver, or hides it
   */
  static PostgreSqlNotifications of(Connection connection) throws SQLFeatureNotSupportedException {
    try {
      ClassLoader loader = connection.unwrap(Connection.class).getClass().getClassLoader();
      Class<?> type = Class.forName(DRIVER + "PGConnection", false, loader);
      Class<?> notification = Class.forName(DRIVER + "PGNotification", false, loader);
      return new PostgreSqlNotifications(
          connection.unwrap(type),
          type.getMethod("getNotifications", int.class),
          notification.getMethod("getParameter"));
    } catch (SQLException | ReflectiveOperationException e) {
      throw new SQLFeatureNotSupportedException(
          "notifications need a connection that unwraps to org.postgresql.PGConnection but this one"
              + " is of "
              + connection.getClass().getName(),
          e);
    }
  }

  /**
   * Waits for notifications, without a statement. Ends with the first.
   *
   * @param timeout how long to wait at most, 1 ms or more
   * @return what they carry; empty if there were none
   * @throws SQLException if the connection is broken
   */
  List<String> await(Duration timeout) throws SQLException {
    List<String> payloads = new ArrayList<>();
    try {
      Object[] received = (Object[]) await.invoke(connection, (int) timeout.toMillis());
      if (received != null) { // some versions have null for none
        for (Object one : received) {
          payloads.add(String.valueOf(payload.invoke(one)));
        }
      }
      return payloads;
    } catch (InvocationTargetException e) {
      throw e.getCause() instanceof SQLException failure ? failure : new SQLException(e.getCause());
    } catch (IllegalAccessException e) {
      throw new SQLFeatureNotSupportedException("the driver does not let others wait", e);
    }
  }
}
