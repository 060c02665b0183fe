package failover.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import failover.FailoverSpec;
import failover.Failovers;
import failover.TypeRef;
import failover.key.CanonicalKeys;
import failover.store.FailoverStoreException;
import failover.store.Payload;
import failover.store.ReferentialPayload;
import holdfast.testkit.db.DatabaseKind;
import holdfast.testkit.db.EachDatabase;
import holdfast.testkit.db.TestDatabase;
import java.io.IOException;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import javax.sql.DataSource;

class TableTest {
  private static final Instant NOW = Instant.parse("2026-01-01T00:00:00Z");

  record Price(String sku, int cents) {}

  private static JdbcFailoverStore fresh(TestDatabase database) throws SQLException {
    execute(database, "DROP TABLE IF EXISTS T_FAILOVER_STORE");
    execute(database, "DROP TABLE IF EXISTS T_FAILOVER_SWEEP");
    FailoverSchema.createIfMissing(database.dataSource(), "T_");
    FailoverSchema.createIfMissing(database.dataSource(), "T_");
    return new JdbcFailoverStore(database.dataSource(), "T_");
  }

  private static void execute(TestDatabase database, String sql) throws SQLException {
    try (Connection connection = database.connect();
        Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }

  private static ReferentialPayload answer(int number, Instant expireOn) {
    return new ReferentialPayload(
        CanonicalKeys.ofText("price", Integer.toString(number)),
        NOW,
        expireOn,
        Payload.ofBytes("a.Type", 1, new byte[] {1}));
  }

  @EachDatabase
  void aNewProcessRecoversWhatAnEarlierOneStored(TestDatabase database) throws Exception {
    FailoverSpec<List<Price>> spec =
        FailoverSpec.builder("prices", new TypeRef<List<Price>>() {}).build();
    try (Failovers earlier = Failovers.builder(fresh(database)).build()) {
      earlier.call(spec, List.of("toys"), () -> List.of(new Price("a", 1)));
    }
    try (Failovers later =
        Failovers.builder(new JdbcFailoverStore(database.dataSource(), "T_")).build()) {
      List<Price> prices =
          later.call(
              spec,
              List.of("toys"),
              () -> {
                throw new IOException("down");
              });
      assertThat(prices).containsExactly(new Price("a", 1));
    }
  }

  @EachDatabase
  void tablesThatAreNotAsTheyMustBeAreRefused(TestDatabase database) throws Exception {
    fresh(database);
    FailoverSchema.requireTables(database.dataSource(), "T_");
    boolean mariadb = database.kind() == DatabaseKind.MARIADB;
    execute(database, "DROP TABLE T_FAILOVER_SWEEP");
    assertThatThrownBy(() -> FailoverSchema.requireTables(database.dataSource(), "T_"))
        .isInstanceOf(FailoverStoreException.class)
        .hasMessageContaining("table T_FAILOVER_SWEEP must exist but was not found")
        .hasMessageContaining("FailoverSchema.createIfMissing, or with failover/jdbc/schema/");
    execute(
        database,
        "CREATE TABLE T_FAILOVER_SWEEP (ID INT PRIMARY KEY, NEXT_SWEEP %s)"
            .formatted(mariadb ? "TIMESTAMP(6)" : "TIMESTAMP(6) WITH TIME ZONE"));
    assertThatThrownBy(() -> FailoverSchema.requireTables(database.dataSource(), "T_"))
        .hasMessageContaining(
            "column next_sweep of table T_FAILOVER_SWEEP must be %s but is ",
            mariadb ? "DATETIME(6)" : "TIMESTAMP(6)");
  }

  @EachDatabase
  void aMissingRightIsNamedWithTheGrant(TestDatabase database) throws Exception {
    fresh(database);
    String user = "failover_" + ProcessHandle.current().pid();
    DataSource limited =
        database.dataSourceOf(
            user,
            "SELECT, INSERT, UPDATE ON T_FAILOVER_STORE",
            "SELECT, UPDATE ON T_FAILOVER_SWEEP");

    assertThatThrownBy(() -> FailoverSchema.requireTables(limited, "T_"))
        .isInstanceOf(FailoverStoreException.class)
        .hasMessageContaining("run GRANT DELETE ON T_FAILOVER_STORE TO ")
        .satisfies(e -> assertThat(e.getMessage()).containsIgnoringCase(" TO " + user));
  }

  @EachDatabase
  void theSweepGoesThroughManyBatches(TestDatabase database) throws Exception {
    JdbcFailoverStore store = fresh(database);
    fill(database, 1_200);
    store.store(answer(-1, NOW.plusSeconds(60)));
    assertThat(store.liveEntryCount("price")).isEqualTo(1_201);
    assertThat(store.cleanByExpiry(NOW.plusSeconds(1))).isEqualTo(1_200);
    assertThat(store.liveEntryCount("price")).isEqualTo(1);
  }

  /** Expired answers, in one statement. */
  private static void fill(TestDatabase database, int count) throws SQLException {
    StringBuilder rows = new StringBuilder();
    for (int i = 0; i < count; i++) {
      rows.append(i == 0 ? "" : ", ")
          .append("('price', '%d', '2026-01-01 00:00:00', '2026-01-01 00:00:00', ".formatted(i))
          .append("'', 'a.Type', 1, '', FALSE)");
    }
    execute(
        database,
        "INSERT INTO T_FAILOVER_STORE (FAILOVER_NAME, FAILOVER_KEY, AS_OF, EXPIRE_ON, PAYLOAD,"
            + " PAYLOAD_CLASS, SCHEMA_VERSION, CONTENT_HASH, TOMBSTONE) VALUES "
            + rows);
  }

  @EachDatabase
  void oneNodeAtATimeSweeps(TestDatabase database) throws Exception {
    JdbcFailoverStore one = fresh(database);
    JdbcFailoverStore other = new JdbcFailoverStore(database.dataSource(), "T_");
    one.store(answer(1, NOW));
    assertThat(one.sweep(NOW.plusSeconds(1), Duration.ofHours(1))).isEqualTo(1);
    one.store(answer(2, NOW));
    assertThat(other.sweep(NOW.plusSeconds(1), Duration.ofHours(1))).isZero();
    assertThat(one.liveEntryCount("price")).isEqualTo(1);
    execute(database, "UPDATE T_FAILOVER_SWEEP SET NEXT_SWEEP = TIMESTAMP '2000-01-01 00:00:00'");
    assertThat(other.sweep(NOW.plusSeconds(1), Duration.ofHours(1))).isEqualTo(1);
  }

  @EachDatabase
  void aMissingTableIsNamedWithTheRemedy(TestDatabase database) {
    JdbcFailoverStore store = new JdbcFailoverStore(database.dataSource(), "NO_");
    assertThatThrownBy(() -> store.find(CanonicalKeys.ofText("price", "1")))
        .isInstanceOf(FailoverStoreException.class)
        .hasMessageContaining("NO_FAILOVER_STORE")
        .hasMessageContaining("failover/jdbc/schema");
    assertThatThrownBy(() -> new JdbcFailoverStore(database.dataSource(), "a; DROP TABLE x; "))
        .isInstanceOf(IllegalArgumentException.class);
  }
}
