package holdfast.jdbc;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.util.concurrent.atomic.AtomicInteger;
import javax.sql.DataSource;

/** A pool of one connection, which closing does not close. */
final class OneConnection {

  private OneConnection() {}

  static DataSource of(Connection connection) {
    return of(connection, "close", new AtomicInteger());
  }

  /** The same, with a count of how often a method of the connection is called. */
  static DataSource of(Connection connection, String counted, AtomicInteger calls) {
    Connection pooled =
        (Connection)
            Proxy.newProxyInstance(
                OneConnection.class.getClassLoader(),
                new Class<?>[] {Connection.class},
                (self, method, args) -> {
                  if (method.getName().equals(counted)) {
                    calls.incrementAndGet();
                  }
                  if (method.getName().equals("close")) {
                    return null;
                  }
                  try {
                    return method.invoke(connection, args);
                  } catch (InvocationTargetException e) {
                    throw e.getCause();
                  }
                });
    return (DataSource)
        Proxy.newProxyInstance(
            OneConnection.class.getClassLoader(),
            new Class<?>[] {DataSource.class},
            (self, method, args) -> pooled);
  }
}
