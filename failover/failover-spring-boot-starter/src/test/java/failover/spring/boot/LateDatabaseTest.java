package failover.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;

import holdfast.testkit.threads.Eventually;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.concurrent.atomic.AtomicBoolean;
import javax.sql.DataSource;
import org.h2.jdbcx.JdbcDataSource;
import org.junit.jupiter.api.Test;

/** A database that is not there when the application starts. */
class LateDatabaseTest {

  private final AtomicBoolean isThere = new AtomicBoolean();

  private DataSource late() {
    JdbcDataSource h2 = new JdbcDataSource();
    h2.setURL("jdbc:h2:mem:late;DB_CLOSE_DELAY=-1");
    return (DataSource)
        Proxy.newProxyInstance(
            getClass().getClassLoader(),
            new Class<?>[] {DataSource.class},
            (proxy, method, args) -> {
              if (method.getName().equals("getConnection") && !isThere.get()) {
                throw new SQLException("not there yet");
              }
              return method.invoke(h2, args);
            });
  }

  private static long rows(DataSource dataSource) throws SQLException {
    try (Connection connection = dataSource.getConnection();
        Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery("select count(*) from FAILOVER_STORE")) {
      rows.next();
      return rows.getLong(1);
    }
  }

  @Test
  void itsTablesAreMadeWhenItComesAndHaveWhatWasAnsweredBefore() {
    Contexts.shop()
        .withBean(DataSource.class, this::late)
        .withPropertyValues(
            "failover.store.type=jdbc", "failover.store.jdbc.initialize-schema=always")
        .run(
            context -> {
              context.getBean(Shop.class).price("a");
              DataSource database = context.getBean(DataSource.class);

              isThere.set(true);

              Eventually.await(
                  "the answer is in the table",
                  () -> {
                    try {
                      return rows(database) == 1;
                    } catch (SQLException e) {
                      return false; // there is no table yet
                    }
                  });
              assertThat(rows(database)).isEqualTo(1);
            });
  }
}
