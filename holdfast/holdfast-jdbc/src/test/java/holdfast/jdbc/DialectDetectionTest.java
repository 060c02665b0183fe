package holdfast.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import holdfast.testkit.db.EachDatabase;
import holdfast.testkit.db.TestDatabase;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.sql.SQLException;
import java.util.Locale;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class DialectDetectionTest {

  @EachDatabase
  void isFoundFromARealConnection(TestDatabase database) throws SQLException {
    String expected = database.kind().name().toLowerCase(Locale.ROOT);

    assertThat(Dialect.of(database.dataSource()).name()).isEqualTo(expected);
    assertThat(Dialect.of(database.dataSource()).supportsSkipLocked()).isTrue();
    try (Connection connection = database.connect()) {
      assertThat(Dialect.of(connection).name()).isEqualTo(expected);
    }
  }

  @ParameterizedTest(name = "{0} {1} is {2}, skips locked rows: {3}")
  @CsvSource({
    "H2, 2.2.219 (2023-01-01), h2, false",
    "H2, 2.2.220 (2023-07-04), h2, true",
    "H2, 2.1.214 (2022-06-13), h2, false",
    "H2, 3.0.0, h2, true",
    "MariaDB, 10.5.28-MariaDB, mariadb, false",
    "MariaDB, 10.6.0-MariaDB, mariadb, true",
    "MariaDB, 11.4.5-MariaDB-log, mariadb, true",
    "MariaDB, 5.5.5-10.5.9-MariaDB, mariadb, false",
    "MySQL, 5.5.5-10.11.6-MariaDB-0+deb12u1, mariadb, true",
    "MySQL, 10.4.34-mariadb, mariadb, false",
    "MySQL, 8.0.0-dmr, mysql, false",
    "MySQL, 8.0.1, mysql, true",
    "MySQL, 5.7.44-log, mysql, false",
    "MySQL, 5.5.5, mysql, false",
    "MySQL, 9.4.0, mysql, true",
    "PostgreSQL, 9.4.26, postgresql, false",
    "PostgreSQL, 9.5.0, postgresql, true",
    "PostgreSQL, 18.6 (Debian 18.6-1), postgresql, true",
    "PostgreSQL, 19beta1, postgresql, true",
    "PostgreSQL, unknown, postgresql, false",
  })
  void isFoundFromProductAndVersion(
      String product, String version, String name, boolean skipsLocked) throws SQLException {
    Dialect dialect = Dialect.of(connectionTo(product, version));

    assertThat(dialect.name()).isEqualTo(name);
    assertThat(dialect.supportsSkipLocked()).isEqualTo(skipsLocked);
    assertThat(dialect.lockingClause())
        .isEqualTo(skipsLocked ? "FOR UPDATE SKIP LOCKED" : "FOR UPDATE");
  }

  @Test
  void anUnknownDatabaseIsNamedTogetherWithTheKnownOnes() {
    assertThatThrownBy(() -> Dialect.of(connectionTo("DB2", "12.1")))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(
            "no dialect for database product 'DB2'; supported: H2, MariaDB, MySQL, PostgreSQL; use"
                + " one of these");
  }

  @ParameterizedTest
  @ValueSource(strings = {"h2", "mariadb", "mysql", "postgresql"})
  void canBeNamedAndThenHasAllCapabilities(String name) {
    assertThat(Dialect.named(name).name()).isEqualTo(name);
    assertThat(Dialect.named(name.toUpperCase(Locale.ROOT)).name()).isEqualTo(name);
    assertThat(Dialect.named(name).supportsSkipLocked()).isTrue();
    assertThat(Dialect.named(name)).hasToString(name + " newest");
  }

  @Test
  void anUnknownNameIsAnsweredWithTheKnownOnes() {
    assertThatThrownBy(() -> Dialect.named("db2"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("no dialect named 'db2'; supported: h2, mariadb, mysql, postgresql");
  }

  @ParameterizedTest(name = "{0} is {1}")
  @CsvSource({
    "'', 0.0.0",
    "nothing, 0.0.0",
    "18, 18.0.0",
    "18.6, 18.6.0",
    "2.5.252 (2026-09-23), 2.5.252",
    "5.5.5-10.6.12-MariaDB-log, 10.6.12",
    "5.5.5, 5.5.5",
    "8.0.36-0ubuntu0.22.04.1, 8.0.36",
    "PostgreSQL 15.2, 15.2.0",
  })
  void versionsAreReadFromTheBeginningOfTheText(String text, String version) {
    assertThat(ServerVersion.parse(text)).hasToString(version);
  }

  private static Connection connectionTo(String product, String version) {
    DatabaseMetaData metaData =
        proxy(
            DatabaseMetaData.class,
            method ->
                switch (method) {
                  case "getDatabaseProductName" -> product;
                  case "getDatabaseProductVersion" -> version;
                  default -> throw new UnsupportedOperationException(method);
                });
    return proxy(Connection.class, method -> metaData);
  }

  private static <T> T proxy(Class<T> type, java.util.function.Function<String, Object> answers) {
    return type.cast(
        Proxy.newProxyInstance(
            type.getClassLoader(),
            new Class<?>[] {type},
            (self, method, args) -> answers.apply(method.getName())));
  }
}
