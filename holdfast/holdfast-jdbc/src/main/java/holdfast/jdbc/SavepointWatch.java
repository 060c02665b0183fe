package holdfast.jdbc;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Savepoint;
import java.util.IdentityHashMap;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A connection that sees its savepoints: a rollback to one takes the callbacks with it that came
 * after it, so that no event is delivered whose row is gone. What would end the transaction behind
 * its back is refused. Confined to the thread of the transaction.
 */
public final class SavepointWatch implements InvocationHandler {
  private final Connection connection;
  private final Supplier<CommitCallbacks> callbacks;
  private final IdentityHashMap<Object, Integer> callbacksAt = new IdentityHashMap<>();

  private SavepointWatch(Connection connection, Supplier<CommitCallbacks> callbacks) {
    this.connection = connection;
    this.callbacks = callbacks;
  }

  /**
   * Returns a connection that sees its savepoints.
   *
   * @param connection the connection of the transaction
   * @param callbacks the callbacks of the transaction; fails once it has ended
   */
  public static Connection over(Connection connection, Supplier<CommitCallbacks> callbacks) {
    return (Connection)
        Proxy.newProxyInstance(
            SavepointWatch.class.getClassLoader(),
            new Class<?>[] {Connection.class},
            new SavepointWatch(connection, callbacks));
  }

  @Override
  public @Nullable Object invoke(Object proxy, Method method, @Nullable Object @Nullable [] args)
      throws Throwable {
    if (endsTransaction(method)) {
      throw new SQLException(
          "a connection of a transaction must be left open until its end but "
              + method.getName()
              + "() was called; commit or roll back the transaction instead");
    }
    Object result;
    try {
      result = method.invoke(connection, args);
    } catch (InvocationTargetException e) {
      throw e.getCause() == null ? e : e.getCause();
    }
    if (result instanceof Savepoint savepoint) {
      callbacksAt.put(savepoint, callbacks.get().count());
    } else if (method.getName().equals("rollback") && args != null && args.length == 1) {
      Integer before = callbacksAt.get(args[0]);
      if (before != null) {
        callbacks.get().forgetAfter(before);
      }
    }
    return result;
  }

  private static boolean endsTransaction(Method method) {
    return switch (method.getName()) {
      case "commit", "close", "setAutoCommit" -> true;
      case "rollback" -> method.getParameterCount() == 0;
      default -> false;
    };
  }
}
