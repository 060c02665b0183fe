package benchmarks.contenders;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * Gives a thread inside a transaction the connection of that transaction, and keeps it open: for
 * products that know data sources only. Safe for use by many threads.
 */
final class BoundDataSource {
  private static final ThreadLocal<@Nullable Connection> CURRENT = new ThreadLocal<>();

  private final DataSource pool;

  BoundDataSource(DataSource pool) {
    this.pool = pool;
  }

  void with(Connection conn, Runnable work) {
    CURRENT.set(
        proxy(
            Connection.class,
            (method, args) -> method.getName().equals("close") ? null : method.invoke(conn, args)));
    try {
      work.run();
    } finally {
      CURRENT.remove();
    }
  }

  DataSource asDataSource() {
    return proxy(
        DataSource.class,
        (method, args) -> {
          Connection current = CURRENT.get();
          return current != null && method.getName().equals("getConnection")
              ? current
              : method.invoke(pool, args);
        });
  }

  private interface Call {
    @Nullable Object invoke(java.lang.reflect.Method method, @Nullable Object @Nullable [] args)
        throws Throwable;
  }

  private static <T> T proxy(Class<T> type, Call call) {
    return type.cast(
        Proxy.newProxyInstance(
            type.getClassLoader() == null
                ? BoundDataSource.class.getClassLoader()
                : type.getClassLoader(),
            new Class<?>[] {type},
            (proxy, method, args) -> {
              try {
                return call.invoke(method, args);
              } catch (InvocationTargetException e) {
                throw e.getCause() == null ? e : e.getCause();
              }
            }));
  }
}
