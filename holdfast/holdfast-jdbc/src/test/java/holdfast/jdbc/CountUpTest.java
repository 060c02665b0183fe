package holdfast.jdbc;

import static holdfast.jdbc.Databases.allAtOnce;
import static holdfast.jdbc.Databases.execute;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import holdfast.testkit.db.EachDatabase;
import holdfast.testkit.db.TestDatabase;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.SQLIntegrityConstraintViolationException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class CountUpTest {
  private static final TableName TABLE = TableName.of("counted");

  @EachDatabase
  void theFirstIsOneAndTheOthersFollow(TestDatabase database) throws SQLException {
    execute(database, "CREATE TABLE counted (a INT, b INT, n BIGINT, PRIMARY KEY (a, b))");
    Dialect dialect = Dialect.of(database.dataSource());
    try (Connection connection = database.connect();
        Sql sql = dialect.sql(connection, dialect.insertOrCountUp(TABLE, List.of("a", "b"), "n"))) {
      sql.bind(1).bind(2).update();
      sql.bind(1).bind(2).update();
      sql.bind(1).bind(3).update();
      try (Sql rows = dialect.sql(connection, "SELECT n FROM counted ORDER BY b")) {
        assertThat(rows.list(Row::longValue)).containsExactly(2L, 1L);
      }
    }
    execute(database, "DROP TABLE counted");
  }

  @EachDatabase
  void manyTransactionsThatBeginCountersAtOnceDoNotWaitForEachOther(TestDatabase database)
      throws Exception {
    execute(database, "CREATE TABLE counted (a INT PRIMARY KEY, n BIGINT)");
    Dialect dialect = Dialect.of(database.dataSource());
    String countUp = dialect.insertOrCountUp(TABLE, List.of("a"), "n");
    for (int round = 0; round < 10; round++) {
      List<Callable<Boolean>> tasks = new ArrayList<>();
      for (int node = 0; node < 6; node++) {
        int key = round * 10 + node % 3;
        tasks.add(() -> counted(database, dialect, countUp, key));
      }
      assertThat(allAtOnce(tasks)).containsOnly(true);
    }
    try (Connection connection = database.connect();
        Sql rows = dialect.sql(connection, "SELECT n FROM counted")) {
      assertThat(rows.list(Row::longValue)).hasSize(30).containsOnly(2L);
    }
    execute(database, "DROP TABLE counted");
  }

  private static boolean counted(TestDatabase database, Dialect dialect, String countUp, int key)
      throws SQLException {
    Transactions.of(database.dataSource())
        .run(
            connection -> {
              try (Sql sql = dialect.sql(connection, countUp)) {
                sql.bind(key).update();
              } catch (SQLIntegrityConstraintViolationException raced) {
                try (Sql again = dialect.sql(connection, countUp)) {
                  again.bind(key).update();
                }
              }
            });
    return true;
  }

  @ParameterizedTest
  @ValueSource(strings = {"h2", "mariadb", "mysql", "postgresql"})
  void namesAreChecked(String name) {
    Dialect dialect = Dialect.named(name);
    assertThatThrownBy(() -> dialect.insertOrCountUp(TABLE, List.of("a"), "n; DROP"))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> dialect.insertOrCountUp(TABLE, List.of(), "n"))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void aSchemaIsNamedOnlyWhereTheTableIs() {
    assertThat(
            Dialect.named("postgresql")
                .insertOrCountUp(TableName.of("s.counted"), List.of("a"), "n"))
        .isEqualTo(
            "INSERT INTO s.counted (a, n) VALUES (?, 1)"
                + " ON CONFLICT (a) DO UPDATE SET n = counted.n + 1");
  }
}
