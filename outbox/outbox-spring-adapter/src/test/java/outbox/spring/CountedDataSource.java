package outbox.spring;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.concurrent.atomic.AtomicInteger;
import javax.sql.DataSource;
import org.springframework.jdbc.datasource.DelegatingDataSource;

/** A data source that knows which connections came back, and can break while it commits. */
final class CountedDataSource extends DelegatingDataSource {
  private final AtomicInteger opened = new AtomicInteger();
  private final AtomicInteger closed = new AtomicInteger();
  private volatile boolean failCommits;
  private volatile boolean loseAnswers;
  private volatile boolean autoCommit = true;

  CountedDataSource(DataSource target) {
    super(target);
  }

  int opened() {
    return opened.get();
  }

  int open() {
    return opened.get() - closed.get();
  }

  void failCommits() {
    failCommits = true;
  }

  /** From now on a commit reaches the database, but its answer does not come back. */
  void loseAnswersOfCommits(boolean lose) {
    loseAnswers = lose;
  }

  void autoCommit(boolean autoCommit) {
    this.autoCommit = autoCommit;
  }

  @Override
  public Connection getConnection() throws SQLException {
    Connection connection = super.getConnection();
    connection.setAutoCommit(autoCommit);
    opened.incrementAndGet();
    return (Connection)
        Proxy.newProxyInstance(
            getClass().getClassLoader(),
            new Class<?>[] {Connection.class},
            (proxy, method, args) -> {
              if (method.getName().equals("equals")) {
                return proxy == args[0];
              }
              if (method.getName().equals("commit") && failCommits) {
                throw new SQLException("the connection broke while it committed");
              }
              if (method.getName().equals("commit") && loseAnswers) {
                connection.commit();
                throw new SQLException("the connection broke after it committed");
              }
              if (method.getName().equals("close")) {
                closed.incrementAndGet();
              }
              try {
                return method.invoke(connection, args);
              } catch (InvocationTargetException e) {
                throw e.getCause();
              }
            });
  }
}
