package holdfast.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.springframework.boot.sql.init.DatabaseInitializationMode.ALWAYS;
import static org.springframework.boot.sql.init.DatabaseInitializationMode.EMBEDDED;
import static org.springframework.boot.sql.init.DatabaseInitializationMode.NEVER;

import org.junit.jupiter.api.Test;
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

  @Test
  void theWaysToTablesAreNamed() {
    assertThat(SchemaCreation.wayToTables("the table t", "shop", EMBEDDED, "shop.sql"))
        .isEqualTo(
            "the table t must be there and reachable: set shop.initialize-schema=always (it is"
                + " embedded, and embedded means databases in memory only), or run shop.sql with"
                + " your migrations, or set shop.enabled=false");
  }
}
