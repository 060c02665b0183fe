package holdfast.testkit.db;

import java.io.PrintWriter;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.concurrent.BlockingDeque;
import java.util.concurrent.LinkedBlockingDeque;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Predicate;
import java.util.logging.Logger;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * A pool of connections that counts what it lends, can have autocommit off, and can be told to
 * fail. Safe for use by many threads.
 */
public final class ConnectionPool implements DataSource, AutoCloseable {
  private final Source source;
  private final boolean autoCommit;
  private final BlockingDeque<Connection> idle = new LinkedBlockingDeque<>();
  private final AtomicInteger lent = new AtomicInteger();
  private final AtomicInteger closed = new AtomicInteger();
  private final AtomicInteger mostOut = new AtomicInteger();
  private volatile boolean checking;
  private volatile Predicate<String> failsAfter = call -> false;
  private volatile int most = Integer.MAX_VALUE;
  private volatile Predicate<String> fails = call -> false;

  /** Opens connections. */
  @FunctionalInterface
  public interface Source {

    /** A new connection. */
    Connection open() throws SQLException;
  }

  private ConnectionPool(Source source, boolean autoCommit) {
    this.source = source;
    this.autoCommit = autoCommit;
  }

  /** A pool of connections of a data source. */
  public static ConnectionPool over(DataSource source) {
    return over(source::getConnection);
  }

  /** A pool of connections that are opened as told. */
  public static ConnectionPool over(Source source) {
    return new ConnectionPool(source, true);
  }

  /** A pool whose connections do not commit by themselves. */
  public static ConnectionPool withoutAutoCommit(DataSource source) {
    return new ConnectionPool(source::getConnection, false);
  }

  /** Looks whether a connection still works before it is lent again. */
  public ConnectionPool checking() {
    this.checking = true;
    return this;
  }

  /** Has calls fail after they were done: the answer is lost. */
  public void failAfter(Predicate<String> call) {
    this.failsAfter = call;
  }

  /** Refuses to lend more than so many at a time. */
  public ConnectionPool holding(int most) {
    this.most = most;
    return this;
  }

  /** The most that were lent at the same time. */
  public int mostOut() {
    return mostOut.get();
  }

  /** Has calls fail: the name of a method, or the text of a statement to be prepared. */
  public void failOn(Predicate<String> call) {
    this.fails = call;
  }

  /** Has nothing fail any more. */
  public void heal() {
    this.fails = call -> false;
    this.failsAfter = call -> false;
  }

  /** How many connections were lent and not closed. */
  public int out() {
    return lent.get() - closed.get();
  }

  /** How many connections were lent so far. */
  public int lent() {
    return lent.get();
  }

  @Override
  public Connection getConnection() throws SQLException {
    check("getConnection");
    if (out() >= most) {
      throw new SQLException("the pool must lend no more than " + most);
    }
    Connection real = idle.poll();
    if (real == null) {
      real = source.open();
    }
    real.setAutoCommit(autoCommit);
    lent.incrementAndGet();
    mostOut.accumulateAndGet(out(), Math::max);
    return lend(real);
  }

  private Connection lend(Connection real) {
    AtomicBoolean returned = new AtomicBoolean();
    return (Connection)
        Proxy.newProxyInstance(
            ConnectionPool.class.getClassLoader(),
            new Class<?>[] {Connection.class},
            (self, method, args) -> {
              if (method.getName().equals("close")) {
                if (returned.compareAndSet(false, true)) {
                  release(real);
                }
                return null;
              }
              check(method.getName());
              if (method.getName().equals("prepareStatement")) {
                check((String) args[0]);
              }
              Object result = invoke(real, method, args);
              if (failsAfter.test(method.getName())) {
                throw new SQLException("told to lose the answer of " + method.getName());
              }
              return result;
            });
  }

  /** Throws away what waits to be lent, as a pool does with connections that broke. */
  public void discardIdle() throws SQLException {
    close();
  }

  private void release(Connection real) throws SQLException {
    closed.incrementAndGet();
    if (real.isClosed() || (checking && !real.isValid(5))) {
      return;
    }
    if (!real.getAutoCommit()) {
      real.rollback();
    }
    idle.push(real);
  }

  private void check(String call) throws SQLException {
    if (fails.test(call)) {
      throw new SQLException("told to fail on " + call);
    }
  }

  private static @Nullable Object invoke(
      Connection real, Method method, @Nullable Object @Nullable [] args) throws Throwable {
    try {
      return method.invoke(real, args);
    } catch (InvocationTargetException e) {
      throw e.getCause() == null ? e : e.getCause();
    }
  }

  @Override
  public void close() throws SQLException {
    for (Connection connection = idle.poll(); connection != null; connection = idle.poll()) {
      connection.close();
    }
  }

  @Override
  public Connection getConnection(String user, String password) throws SQLException {
    return getConnection();
  }

  @Override
  public @Nullable PrintWriter getLogWriter() {
    return null;
  }

  @Override
  public void setLogWriter(@Nullable PrintWriter out) {}

  @Override
  public void setLoginTimeout(int seconds) {}

  @Override
  public int getLoginTimeout() {
    return 0;
  }

  @Override
  public Logger getParentLogger() {
    return Logger.getGlobal();
  }

  @Override
  public <T> T unwrap(Class<T> type) throws SQLException {
    throw new SQLException("wraps nothing");
  }

  @Override
  public boolean isWrapperFor(Class<?> type) {
    return false;
  }
}
