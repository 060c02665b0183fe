package holdfast.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.springframework.boot.sql.init.DatabaseInitializationMode.ALWAYS;
import static org.springframework.boot.sql.init.DatabaseInitializationMode.EMBEDDED;
import static org.springframework.boot.sql.init.DatabaseInitializationMode.NEVER;

import holdfast.testkit.db.DatabaseKind;
import holdfast.testkit.db.EachDatabase;
import holdfast.testkit.db.TestDatabase;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.jdbc.datasource.DriverManagerDataSource;

/** When tables are created. */
class SchemaCreationTest {
  private final DriverManagerDataSource inMemory =
      new DriverManagerDataSource("jdbc:h2:mem:schema", "sa", "");
  private final DriverManagerDataSource gone =
      new DriverManagerDataSource("jdbc:h2:tcp://localhost:1/none", "sa", "");

  @Test
  void embeddedMeansDatabasesInMemory() {
    assertThat(SchemaCreation.isWanted(EMBEDDED, inMemory)).isTrue();
    assertThat(SchemaCreation.isWanted(EMBEDDED, gone)).isFalse();
  }

  @Test
  void otherModesAskNobody() {
    assertThat(SchemaCreation.isWanted(ALWAYS, gone)).isTrue();
    assertThat(SchemaCreation.isWanted(NEVER, inMemory)).isFalse();
  }

  @EachDatabase({DatabaseKind.POSTGRESQL, DatabaseKind.MARIADB})
  void aServerThatAcceptsNoChangesIsNamed(TestDatabase database) throws SQLException {
    boolean postgresql = database.kind() == DatabaseKind.POSTGRESQL;
    try (Connection connection = database.connect();
        Statement statement = connection.createStatement()) {
      statement.execute(
          postgresql
              ? "SET default_transaction_read_only = on"
              : "SET SESSION TRANSACTION READ ONLY");
      assertReadOnly(statement);
    }
  }

  @Test
  void aFileThatAcceptsNoChangesIsNamed(@TempDir Path directory) throws SQLException {
    String url = "jdbc:h2:file:" + directory.resolve("db");
    DriverManager.getConnection(url).close();
    try (Connection connection = DriverManager.getConnection(url + ";ACCESS_MODE_DATA=r");
        Statement statement = connection.createStatement()) {
      assertReadOnly(statement);
    }
  }

  private static void assertReadOnly(Statement statement) {
    assertThatThrownBy(() -> statement.execute("CREATE TABLE t (id INT)"))
        .satisfies(
            failure ->
                assertThat(SchemaCreation.adviceFor(new RuntimeException(failure), "create it"))
                    .contains("accepts no changes", "primary server"));
  }

  @Test
  void theWaysToTablesAreNamed() {
    assertThat(SchemaCreation.wayToTables("the table t", "shop", EMBEDDED, "shop.sql"))
        .isEqualTo(
            "the table t must be there and reachable: set shop.initialize-schema=always (it is"
                + " embedded, and embedded means databases in memory only), or run shop.sql with"
                + " your migrations, or set shop.enabled=false");
    assertThat(SchemaCreation.wayToTables("the table t", "shop", ALWAYS, "shop.sql"))
        .contains("must be able to create what is missing", "shop.initialize-schema=never")
        .doesNotContain("set shop.initialize-schema=always");
  }
}
