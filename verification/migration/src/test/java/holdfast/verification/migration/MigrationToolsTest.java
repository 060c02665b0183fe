package holdfast.verification.migration;

import static org.assertj.core.api.Assertions.assertThat;

import eventbus.EventBusSchema;
import failover.jdbc.FailoverSchema;
import holdfast.jdbc.Dialect;
import holdfast.jdbc.TableColumns;
import holdfast.jdbc.TableName;
import holdfast.testkit.db.DatabaseKind;
import holdfast.testkit.db.TestDatabase;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import outbox.jdbc.OutboxSchema;

/** Each tool runs the files as they are shipped; each library works on the tables. */
class MigrationToolsTest {
  private static final String PLAIN_TABLE =
      """
      CREATE TABLE outbox_event (
        event_id VARCHAR(36) PRIMARY KEY,
        event_type VARCHAR(128) NOT NULL,
        aggregate_type VARCHAR(64),
        aggregate_id VARCHAR(128),
        tenant_id VARCHAR(64),
        payload JSON NOT NULL,
        headers JSON,
        status SMALLINT NOT NULL,
        attempts INT DEFAULT 0 NOT NULL,
        available_at TIMESTAMP(6) NOT NULL,
        created_at TIMESTAMP(6) NOT NULL,
        done_at TIMESTAMP(6),
        last_error VARCHAR(4000)
      );
      CREATE INDEX idx_status_available ON outbox_event (status, available_at, created_at);
      """;

  private static final String PLAIN_ANSWERS =
      """
      CREATE TABLE FAILOVER_STORE (
        FAILOVER_NAME VARCHAR(50) NOT NULL,
        FAILOVER_KEY VARCHAR(36) NOT NULL,
        AS_OF TIMESTAMP(6) NOT NULL,
        EXPIRE_ON TIMESTAMP(6) NOT NULL,
        PAYLOAD BLOB NOT NULL,
        PAYLOAD_CLASS VARCHAR(256) NOT NULL,
        SCHEMA_VERSION INT NOT NULL,
        CONTENT_HASH VARCHAR(32) NOT NULL,
        TOMBSTONE BOOLEAN NOT NULL,
        PRIMARY KEY (FAILOVER_NAME, FAILOVER_KEY)
      );
      """;

  @TempDir Path folder;

  static Stream<Arguments> toolsAndDatabases() {
    return Stream.of(Tool.values())
        .flatMap(
            tool ->
                Stream.of(DatabaseKind.values())
                    .filter(tool::runsOn)
                    .map(kind -> Arguments.of(tool, kind)));
  }

  @ParameterizedTest
  @MethodSource("toolsAndDatabases")
  void theLibrariesWorkOnTheTablesOfTheShippedFiles(Tool tool, DatabaseKind kind) throws Exception {
    try (TestDatabase database = TestDatabase.open(kind)) {
      Dialect dialect = Dialect.of(database.dataSource());

      tool.run(scripts(ShippedFiles.forTablesOn(dialect)), database, folder);

      new Libraries(database.dataSource()).work();
    }
  }

  @ParameterizedTest
  @MethodSource("toolsAndDatabases")
  void tablesOfOtherNamesStandBesideTheUsualOnes(Tool tool, DatabaseKind kind) throws Exception {
    try (TestDatabase database = TestDatabase.open(kind)) {
      Dialect dialect = Dialect.of(database.dataSource());
      List<String> scripts = new ArrayList<>(scripts(ShippedFiles.forTablesOn(dialect)));
      scripts.add(OutboxSchema.script(dialect, "shop_outbox"));
      scripts.add(OutboxSchema.inboxScript(dialect, "shop_inbox"));
      scripts.add(EventBusSchema.script(dialect, "shop_events", "shop_log"));
      scripts.add(FailoverSchema.script(dialect, "SHOP_"));

      tool.run(scripts, database, folder);

      Libraries libraries = new Libraries(database.dataSource());
      libraries.work();
      libraries.outboxDelivers("shop_outbox");
      libraries.inboxReceivesOnce("shop_inbox");
      libraries.busDelivers("shop_events", "shop_log");
      libraries.storeFinds("SHOP_");
      for (String table : List.of("outbox_event", "events", "event_log", "FAILOVER_STORE")) {
        String other = table.equals("outbox_event") ? "shop_outbox" : other(table);
        assertThat(indexes(database, other)).as(other).hasSameSizeAs(indexes(database, table));
      }
    }
  }

  private static String other(String table) {
    return switch (table) {
      case "events" -> "shop_events";
      case "event_log" -> "shop_log";
      default -> "SHOP_" + table;
    };
  }

  @ParameterizedTest
  @EnumSource(DatabaseKind.class)
  void liquibaseReadsTheFilesFromTheJars(DatabaseKind kind) throws Exception {
    try (TestDatabase database = TestDatabase.open(kind)) {
      Dialect dialect = Dialect.of(database.dataSource());

      Tool.liquibase(ShippedFiles.forTablesOn(dialect), database, folder);

      new Libraries(database.dataSource()).work();
    }
  }

  @ParameterizedTest
  @EnumSource(DatabaseKind.class)
  void flywayUpgradesAPlainTable(DatabaseKind kind) throws Exception {
    upgrade(Tool.FLYWAY, kind);
  }

  @ParameterizedTest
  @EnumSource(DatabaseKind.class)
  void liquibaseUpgradesAPlainTable(DatabaseKind kind) throws Exception {
    upgrade(Tool.LIQUIBASE, kind);
  }

  @Test
  void theClientOfMariadbUpgradesAPlainTable() throws Exception {
    upgrade(Tool.MARIADB_CLIENT, DatabaseKind.MARIADB);
  }

  private void upgrade(Tool tool, DatabaseKind kind) throws Exception {
    try (TestDatabase database = TestDatabase.open(kind)) {
      Dialect dialect = Dialect.of(database.dataSource());
      String plain =
          kind == DatabaseKind.MARIADB ? PLAIN_TABLE.replace("TIMESTAMP", "DATETIME") : PLAIN_TABLE;

      tool.run(
          List.of(
              plain,
              ShippedFiles.text(ShippedFiles.UPGRADE + "/" + dialect.name() + ".sql"),
              ShippedFiles.text("outbox/jdbc/schema/" + dialect.name() + ".sql")),
          database,
          folder);

      new Libraries(database.dataSource()).outboxDelivers("outbox_event");
      try (Connection connection = database.connect()) {
        assertThat(TableColumns.of(connection, TableName.of("outbox_event")))
            .contains("claimed_by", "claim_token", "order_number", "parked");
      }
    }
  }

  @ParameterizedTest
  @MethodSource("toolsAndDatabases")
  void everyToolUpgradesATableOfStoredAnswers(Tool tool, DatabaseKind kind) throws Exception {
    try (TestDatabase database = TestDatabase.open(kind)) {
      Dialect dialect = Dialect.of(database.dataSource());
      String plain =
          kind == DatabaseKind.POSTGRESQL
              ? PLAIN_ANSWERS.replace("BLOB", "BYTEA")
              : kind == DatabaseKind.MARIADB
                  ? PLAIN_ANSWERS.replace("TIMESTAMP", "DATETIME")
                  : PLAIN_ANSWERS;

      tool.run(
          List.of(
              plain,
              ShippedFiles.text(ShippedFiles.ANSWERS_UPGRADE + "/" + dialect.name() + ".sql"),
              ShippedFiles.text("failover/jdbc/schema/" + dialect.name() + ".sql")),
          database,
          folder);

      FailoverSchema.requireTables(database.dataSource(), "");
      new Libraries(database.dataSource()).storeFinds("");
    }
  }

  private static List<String> scripts(List<String> paths) {
    return paths.stream().map(ShippedFiles::text).toList();
  }

  private static List<String> indexes(TestDatabase database, String table) throws SQLException {
    List<String> indexes = new ArrayList<>();
    try (Connection connection = database.connect()) {
      String name =
          switch (database.kind()) {
            case H2 -> table.toUpperCase(Locale.ROOT);
            case POSTGRESQL -> table.toLowerCase(Locale.ROOT);
            case MARIADB -> table;
          };
      try (ResultSet found =
          connection
              .getMetaData()
              .getIndexInfo(connection.getCatalog(), connection.getSchema(), name, false, true)) {
        while (found.next()) {
          indexes.add(found.getString("INDEX_NAME") + " " + found.getString("COLUMN_NAME"));
        }
      }
    }
    assertThat(indexes).isNotEmpty();
    return indexes;
  }
}
