package benchmarks;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.util.concurrent.atomic.AtomicLongArray;
import javax.sql.DataSource;

/**
 * Notes when the database has committed the transaction of an event, in the same way for every
 * contender: at the connection. Safe for use by many threads.
 */
final class CommitTimes {
  private static final ThreadLocal<Integer> NEXT = ThreadLocal.withInitial(() -> -1);

  private final DataSource pool;
  private final AtomicLongArray times;

  CommitTimes(DataSource pool, int events) {
    this.pool = pool;
    this.times = new AtomicLongArray(events);
  }

  /** The next commit on this thread is that of the event with this number. */
  void next(int number) {
    NEXT.set(number);
  }

  long at(int number) {
    return times.get(number);
  }

  /** The pool, watched. */
  DataSource dataSource() {
    return watched(
        DataSource.class,
        pool,
        (method, result) -> result instanceof Connection conn ? connection(conn) : result);
  }

  private Connection connection(Connection conn) {
    return watched(
        Connection.class,
        conn,
        (method, result) -> {
          if (method.equals("commit") && NEXT.get() >= 0) {
            times.set(NEXT.get(), System.nanoTime());
            NEXT.set(-1);
          }
          return result;
        });
  }

  private interface After {
    Object called(String method, Object result);
  }

  private static <T> T watched(Class<T> type, T target, After after) {
    return type.cast(
        Proxy.newProxyInstance(
            CommitTimes.class.getClassLoader(),
            new Class<?>[] {type},
            (proxy, method, args) -> {
              try {
                return after.called(method.getName(), method.invoke(target, args));
              } catch (InvocationTargetException e) {
                throw e.getCause() == null ? e : e.getCause();
              }
            }));
  }
}
