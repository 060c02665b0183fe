package holdfast.jdbc;

import java.io.PrintWriter;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.logging.Logger;
import javax.sql.DataSource;

/** A data source that tells how many connections it has, as HikariCP does. */
public class SizedPool implements DataSource {
  private final DataSource source;
  private final int size;

  SizedPool(DataSource source, int size) {
    this.source = source;
    this.size = size;
  }

  /** The size. */
  public int getMaximumPoolSize() {
    return size;
  }

  /** A data source before another one, as Spring has them. */
  public static final class Wrapper extends SizedPool {
    private final DataSource target;

    Wrapper(DataSource target) {
      super(target, -1);
      this.target = target;
    }

    /** The other one. */
    public DataSource getTargetDataSource() {
      return target;
    }
  }

  @Override
  public Connection getConnection() throws SQLException {
    return source.getConnection();
  }

  @Override
  public Connection getConnection(String user, String password) throws SQLException {
    return source.getConnection(user, password);
  }

  @Override
  public PrintWriter getLogWriter() {
    return null;
  }

  @Override
  public void setLogWriter(PrintWriter out) {}

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
