package outbox.memory;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/**
 * As much of a connection as transactions need: changes wait for the commit and vanish with a
 * rollback. Confined to one thread.
 */
final class MemoryConnection implements InvocationHandler {
  private final List<Runnable> changes = new ArrayList<>();
  private boolean autoCommit = true;
  private boolean closed;
  private int isolation = Connection.TRANSACTION_REPEATABLE_READ;

  static Connection open() {
    return (Connection)
        Proxy.newProxyInstance(
            MemoryConnection.class.getClassLoader(),
            new Class<?>[] {Connection.class},
            new MemoryConnection());
  }

  static MemoryConnection of(Connection connection) {
    return (MemoryConnection) Proxy.getInvocationHandler(connection);
  }

  void change(Runnable change) {
    if (closed) {
      throw new IllegalStateException("the connection must be open but was closed");
    }
    if (autoCommit) {
      change.run();
    } else {
      changes.add(change);
    }
  }

  @Override
  public Object invoke(Object proxy, Method method, Object[] args) throws SQLException {
    switch (method.getName()) {
      case "getAutoCommit":
        return autoCommit;
      case "setAutoCommit":
        autoCommit = (boolean) args[0];
        return null;
      case "getTransactionIsolation":
        return isolation;
      case "setTransactionIsolation":
        isolation = (int) args[0];
        return null;
      case "commit":
        changes.forEach(Runnable::run);
        changes.clear();
        return null;
      case "rollback":
        changes.clear();
        return null;
      case "close", "abort":
        closed = true;
        changes.clear();
        return null;
      case "isClosed":
        return closed;
      case "hashCode":
        return Objects.hash(System.identityHashCode(this));
      case "equals":
        return proxy == args[0];
      case "toString":
        return "MemoryConnection";
      default:
        throw new SQLException("a connection in memory has no " + method.getName());
    }
  }
}
