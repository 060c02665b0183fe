package holdfast.testkit.db;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.sql.SQLException;

/** Connections of a database that says it is another product. Stateless. */
public final class Disguise {

  private Disguise() {}

  /**
   * A connection to the database that calls it by another name.
   *
   * @param database where it leads
   * @param product what it says the database is
   */
  public static Connection as(String product, TestDatabase database) throws SQLException {
    Connection real = database.connect();
    DatabaseMetaData metaData =
        answering(DatabaseMetaData.class, real.getMetaData(), "getDatabaseProductName", product);
    return answering(Connection.class, real, "getMetaData", metaData);
  }

  private static <T> T answering(Class<T> type, T real, String method, Object answer) {
    return type.cast(
        Proxy.newProxyInstance(
            type.getClassLoader(),
            new Class<?>[] {type},
            (self, called, args) -> {
              if (called.getName().equals(method)) {
                return answer;
              }
              try {
                return called.invoke(real, args);
              } catch (InvocationTargetException e) {
                throw e.getCause();
              }
            }));
  }
}
