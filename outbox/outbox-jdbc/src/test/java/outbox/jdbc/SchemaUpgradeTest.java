package outbox.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import holdfast.jdbc.Dialect;
import holdfast.jdbc.SchemaScript;
import holdfast.jdbc.TableColumns;
import holdfast.jdbc.TableName;
import holdfast.testkit.db.DatabaseKind;
import holdfast.testkit.db.EachDatabase;
import holdfast.testkit.db.TestDatabase;
import holdfast.testkit.threads.Eventually;
import holdfast.testkit.threads.Together;
import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Queue;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.BeforeEach;
import outbox.EventEnvelope;
import outbox.OutboxException;
import outbox.model.EventStatus;

/** The plain table of the specification, and what becomes of it. */
class SchemaUpgradeTest {
  private static final String PLAIN =
      """
      CREATE TABLE outbox_event (
        event_id VARCHAR(36) PRIMARY KEY,
        event_type VARCHAR(128) NOT NULL,
        aggregate_type VARCHAR(64),
        aggregate_id VARCHAR(128),
        tenant_id VARCHAR(64),
        payload JSON NOT NULL,
        headers JSON,
        status TINYINT NOT NULL,
        attempts INT NOT NULL DEFAULT 0,
        available_at DATETIME(6) NOT NULL,
        created_at DATETIME(6) NOT NULL,
        done_at DATETIME(6),
        last_error TEXT
      )
      """;
  private static final String PLAIN_INDEX =
      "CREATE INDEX idx_status_available ON outbox_event(status, available_at, created_at)";

  private final Queue<String> delivered = new ConcurrentLinkedQueue<>();
  private Table table;
  private TestDatabase database;

  @BeforeEach
  void createPlainTable(TestDatabase database) throws SQLException {
    this.database = database;
    this.table = Table.fresh(database);
    for (String name : Set.of("outbox_event", "outbox_event_order", "outbox_event_count")) {
      table.execute("DROP TABLE " + name);
    }
    boolean asPrinted = database.kind() == DatabaseKind.MARIADB;
    table.execute(
        asPrinted ? PLAIN : PLAIN.replace("TINYINT", "SMALLINT").replace("DATETIME", "TIMESTAMP"));
    table.execute(PLAIN_INDEX);
  }

  private JdbcOutboxBuilder settings() {
    return JdbcOutbox.builder(database.dataSource());
  }

  private JdbcOutboxBuilder listening() {
    return settings()
        .pollInterval(Duration.ofMillis(50))
        .listener("A", event -> delivered.add(event.eventId()));
  }

  private Set<String> columns(String name) throws SQLException {
    try (Connection conn = database.connect()) {
      return TableColumns.of(conn, TableName.of(name));
    }
  }

  /** The indexes of the table by name and columns. */
  private Set<String> indexes() throws SQLException {
    Set<String> indexes = new TreeSet<>();
    try (Connection conn = database.connect()) {
      DatabaseMetaData metaData = conn.getMetaData();
      String name = metaData.storesUpperCaseIdentifiers() ? "OUTBOX_EVENT" : "outbox_event";
      try (ResultSet found =
          metaData.getIndexInfo(conn.getCatalog(), conn.getSchema(), name, false, true)) {
        while (found.next()) {
          indexes.add(
              (found.getString("INDEX_NAME") + " " + found.getString("COLUMN_NAME")).toLowerCase());
        }
      }
    }
    return indexes;
  }

  @EachDatabase
  void aPlainTableServesOneNodeAndIsNotHalfUpgraded() throws Exception {
    Set<String> before = indexes();
    OutboxSchema.createIfMissing(database.dataSource());
    assertThat(columns("outbox_event")).hasSize(13);
    assertThat(indexes()).isEqualTo(before);
    assertThat(columns("outbox_event_order")).isEmpty();
    assertThat(columns("outbox_event_count")).isEmpty();
    try (JdbcOutbox outbox = listening().createTables().build()) {
      outbox.start();
      String id = Publishing.publish(outbox, EventEnvelope.ofJson("A", "{}"));
      Eventually.await("done", () -> table.status(id) == EventStatus.DONE);
      assertThatExceptionOfType(OutboxException.class)
          .isThrownBy(outbox::ledger)
          .withMessageContaining("run OutboxSchema.upgrade");
      assertThatExceptionOfType(OutboxException.class)
          .isThrownBy(() -> outbox.purge(Duration.ZERO));
      assertThatExceptionOfType(OutboxException.class)
          .isThrownBy(() -> outbox.deadEvents().count());
    }
  }

  @EachDatabase
  void afterTheUpgradeOldRowsAreDeliveredAndManyNodesShareTheTable() throws Exception {
    String done;
    String pending;
    String dead;
    try (JdbcOutbox plain = listening().build()) {
      plain.start();
      done = Publishing.publish(plain, EventEnvelope.ofJson("A", "{}"));
      Eventually.await("done", () -> table.status(done) == EventStatus.DONE);
    }
    try (JdbcOutbox plain = settings().publishOnly().build()) {
      pending = Publishing.publish(plain, EventEnvelope.ofJson("A", "{\"old\":1}"));
      dead = Publishing.publish(plain, EventEnvelope.ofJson("A", "{}"));
      table.update("UPDATE outbox_event SET status = 3 WHERE event_id = ?", dead);
    }
    assertThat(delivered).containsExactly(done);

    OutboxSchema.upgrade(database.dataSource(), "outbox_event");
    OutboxSchema.upgrade(database.dataSource());
    OutboxSchema.createIfMissing(database.dataSource());

    try (JdbcOutbox one = listening().build();
        JdbcOutbox two = listening().build()) {
      assertThat(one.ledger().toLine())
          .isEqualTo("outbox accepted=3 delivered=1 held=2(new=1 dead=1) lost=0 unaccounted=0");
      one.start();
      two.start();
      Eventually.await("old", () -> table.status(pending) == EventStatus.DONE);
      assertThat(two.deadEvents().redeliverAll(DeadFilter.ALL)).isEqualTo(1);
      Eventually.await("redelivered", () -> table.status(dead) == EventStatus.DONE);
      for (int i = 0; i < 20; i++) {
        Publishing.publish(i % 2 == 0 ? one : two, Publishing.ordered("A", "1").build());
      }
      Eventually.await("all", () -> one.ledger().delivered() == 23);
      assertThat(delivered).hasSize(23).doesNotHaveDuplicates();
      assertThat(one.purge(Duration.ZERO)).isEqualTo(23);
    }
  }

  @EachDatabase
  void anUpgradedTableHasWhatANewOneHas() throws Exception {
    OutboxSchema.upgrade(database.dataSource());
    Set<String> upgradedColumns = columns("outbox_event");
    Set<String> upgradedIndexes = indexes();
    Table.fresh(database);
    assertThat(upgradedColumns).isEqualTo(columns("outbox_event"));
    if (database.kind() == DatabaseKind.H2) {
      upgradedIndexes.removeIf(index -> index.startsWith("idx_status_available"));
    }
    assertThat(withoutPrimaryKey(upgradedIndexes)).isEqualTo(withoutPrimaryKey(indexes()));
  }

  private static Set<String> withoutPrimaryKey(Set<String> indexes) {
    indexes.removeIf(index -> index.startsWith("primary_key"));
    return indexes;
  }

  /** On H2 several times: it hides a table for a moment while another node alters it. */
  @EachDatabase
  void manyNodesMayUpgradeAtOnce() throws Exception {
    int rounds = database.kind() == DatabaseKind.H2 ? 30 : 1;
    for (int round = 0; round < rounds; round++) {
      createPlainTable(database);
      Together.runAll(4, () -> OutboxSchema.upgrade(database.dataSource()));
      try (JdbcOutbox outbox = listening().build()) {
        assertThat(outbox.ledger().accepted()).isZero();
      }
    }
  }

  @EachDatabase(DatabaseKind.MARIADB)
  void theScriptForMySqlMakesTheSameTable() throws Exception {
    SchemaScript.load(OutboxSchema.class, "outbox/jdbc/schema/upgrade", Dialect.named("mysql"))
        .createIfMissing(database.dataSource());
    Set<String> columns = columns("outbox_event");
    Set<String> indexes = indexes();
    Table.fresh(database);
    assertThat(columns).isEqualTo(columns("outbox_event"));
    assertThat(indexes).isEqualTo(indexes());
  }

  @EachDatabase
  void aMissingTableCannotBeUpgraded() {
    assertThatExceptionOfType(OutboxException.class)
        .isThrownBy(() -> OutboxSchema.upgrade(database.dataSource(), "nowhere"))
        .withMessageContaining("table nowhere: it must exist but was not found");
  }

  @EachDatabase
  void aNameMustLeaveRoomForTheNamesMadeFromIt() throws Exception {
    String longest = "t".repeat(42);
    try (JdbcOutbox outbox = settings().table(longest).createTables().publishOnly().build()) {
      Publishing.publish(outbox, Publishing.ordered("A", "1").build());
      assertThat(outbox.ledger().accepted()).isEqualTo(1);
    }
    for (String suffix : Set.of("", "_order", "_count")) {
      table.execute("DROP TABLE " + longest + suffix);
    }
    assertThatIllegalArgumentException()
        .isThrownBy(() -> settings().table("t".repeat(43)).build())
        .withMessageContaining("42 characters or fewer");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> OutboxSchema.createIfMissing(database.dataSource(), "t".repeat(43)));
  }
}
