package failover.jdbc;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import javax.sql.DataSource;

/** A data source that notes which statements are prepared, and how each is executed. */
record StatementLog(DataSource target, List<String> statements, List<String> executions) {

  StatementLog(DataSource target) {
    this(target, new CopyOnWriteArrayList<>(), new CopyOnWriteArrayList<>());
  }

  DataSource dataSource() {
    return proxy(DataSource.class, target);
  }

  /** Forgets what was noted. */
  void clear() {
    statements.clear();
    executions.clear();
  }

  @SuppressWarnings("unchecked")
  private <T> T proxy(Class<T> type, T own) {
    return (T)
        Proxy.newProxyInstance(
            type.getClassLoader(),
            new Class<?>[] {type},
            (proxy, method, args) -> {
              if (method.getName().equals("prepareStatement")) {
                statements.add(args[0].toString());
              } else if (own instanceof PreparedStatement
                  && method.getName().startsWith("execute")) {
                executions.add(method.getName());
              }
              try {
                return noted(method.invoke(own, args));
              } catch (InvocationTargetException e) {
                throw e.getCause();
              }
            });
  }

  private Object noted(Object result) {
    if (result instanceof Connection connection) {
      return proxy(Connection.class, connection);
    }
    return result instanceof PreparedStatement statement
        ? proxy(PreparedStatement.class, statement)
        : result;
  }
}
