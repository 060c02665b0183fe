package outbox.spi;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.util.Set;

/** A connection that no store may end: it fails when told to commit, roll back or close. */
final class GuardedConnection {
  private static final Set<String> FORBIDDEN =
      Set.of("commit", "rollback", "close", "abort", "setAutoCommit", "setTransactionIsolation");

  private GuardedConnection() {}

  static Connection over(Connection connection) {
    return (Connection)
        Proxy.newProxyInstance(
            GuardedConnection.class.getClassLoader(),
            new Class<?>[] {Connection.class},
            (self, method, args) -> {
              if (FORBIDDEN.contains(method.getName())) {
                throw new AssertionError("a store must not call " + method.getName());
              }
              try {
                return method.invoke(connection, args);
              } catch (InvocationTargetException e) {
                throw e.getCause();
              }
            });
  }
}
