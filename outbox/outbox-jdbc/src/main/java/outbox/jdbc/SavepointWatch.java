package outbox.jdbc;

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
final class SavepointWatch implements InvocationHandler {
  private final Connection connection;
  private final Supplier<ThreadLocalTxContext.Current> current;
  private final IdentityHashMap<Object, Integer> callbacksAt = new IdentityHashMap<>();

  private SavepointWatch(Connection connection, Supplier<ThreadLocalTxContext.Current> current) {
    this.connection = connection;
    this.current = current;
  }

  static Connection over(Connection connection, Supplier<ThreadLocalTxContext.Current> current) {
    return (Connection)
        Proxy.newProxyInstance(
            SavepointWatch.class.getClassLoader(),
            new Class<?>[] {Connection.class},
            new SavepointWatch(connection, current));
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
      callbacksAt.put(savepoint, current.get().callbacks().count());
    } else if (method.getName().equals("rollback") && args != null && args.length == 1) {
      Integer callbacks = callbacksAt.get(args[0]);
      if (callbacks != null) {
        current.get().callbacks().forgetAfter(callbacks);
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
