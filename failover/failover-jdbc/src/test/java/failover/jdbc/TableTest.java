package failover.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import failover.FailoverSpec;
import failover.Failovers;
import failover.TypeRef;
import failover.key.StoreKey;
import failover.key.canonical.CanonicalKeys;
import failover.store.AsyncFailoverStore;
import failover.store.FailoverStore;
import failover.store.FailoverStoreException;
import failover.store.InMemoryFailoverStore;
import failover.store.NearFarFailoverStore;
import failover.store.ReferentialPayload;
import failover.store.ReferentialPayload.Payload;
import failover.store.WriteSkippingFailoverStore;
import holdfast.testkit.db.ConnectionPool;
import holdfast.testkit.db.DatabaseKind;
import holdfast.testkit.db.EachDatabase;
import holdfast.testkit.db.TestDatabase;
import holdfast.testkit.log.CapturedLog;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.logging.Level;
import javax.sql.DataSource;

class TableTest {
  private static final Instant NOW = Instant.parse("2026-01-01T00:00:00Z");

  record Price(String sku, int cents) {}

  private static JdbcFailoverStore fresh(TestDatabase database) throws SQLException {
    execute(database, "DROP TABLE IF EXISTS T_FAILOVER_STORE");
    execute(database, "DROP TABLE IF EXISTS T_FAILOVER_REMOVAL");
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
  void aRowWhoseContentDoesNotFitItsHashIsUnreadableNearAndFar(TestDatabase database)
      throws Exception {
    FailoverSpec<Integer> spec =
        FailoverSpec.builder("cents", Integer.class).pause(Duration.ZERO, Duration.ZERO).build();
    JdbcFailoverStore table = fresh(database);
    try (Failovers earlier = Failovers.builder(new WriteSkippingFailoverStore(table)).build()) {
      earlier.call(spec, List.of("a"), () -> 1_250_000);
      cutTo(database, "125");
      assertUnreadable(earlier, spec);
      earlier.call(spec, List.of("a"), () -> 1_250_000); // written again, although unchanged
      assertThat(table.find(onlyKey(table)).orElseThrow().payload().bytes()).hasSize(7);
      cutTo(database, "125");
    }
    FailoverStore near = new InMemoryFailoverStore();
    try (Failovers later = Failovers.builder(new NearFarFailoverStore(near, table)).build()) {
      assertUnreadable(later, spec);
      assertUnreadable(later, spec);
      execute(database, "UPDATE T_FAILOVER_STORE SET TOMBSTONE = TRUE");
      assertUnreadable(later, spec);
    }
  }

  private static StoreKey onlyKey(JdbcFailoverStore table) {
    return table.entries("cents", 1).get(0).key();
  }

  private static void cutTo(TestDatabase database, String text) throws SQLException {
    try (Connection connection = database.connect();
        PreparedStatement statement =
            connection.prepareStatement("UPDATE T_FAILOVER_STORE SET PAYLOAD = ?")) {
      statement.setBytes(1, text.getBytes(StandardCharsets.UTF_8));
      assertThat(statement.executeUpdate()).isEqualTo(1);
    }
  }

  private static void assertUnreadable(Failovers failovers, FailoverSpec<Integer> spec) {
    long before = failovers.ledger().lostByReason().getOrDefault("unreadable", 0L);
    IOException down = new IOException("down");
    assertThatThrownBy(
            () ->
                failovers.call(
                    spec,
                    List.of("a"),
                    () -> {
                      throw down;
                    }))
        .isSameAs(down);
    assertThat(failovers.ledger().lostByReason()).containsEntry("unreadable", before + 1);
    assertThat(failovers.counts().get("cents").unreadable()).isEqualTo(before + 1);
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

  private static Failovers onStore(DataSource dataSource) {
    FailoverStore far = new JdbcFailoverStore(dataSource, "T_").withCounting(true);
    return Failovers.builder(
            new NearFarFailoverStore(new InMemoryFailoverStore(), new AsyncFailoverStore(far)))
        .build();
  }

  @EachDatabase
  void theStartNamesWhatIsWrongWithTheTables(TestDatabase database) throws Exception {
    fresh(database);
    try (Failovers right = onStore(database.dataSource())) {
      right.start();
    }
    String user = "failover_start_" + ProcessHandle.current().pid();
    DataSource limited = database.dataSourceOf(user, "SELECT, INSERT, UPDATE ON T_FAILOVER_STORE");
    try (Failovers withoutRights = onStore(limited)) {
      assertThatThrownBy(withoutRights::start)
          .isInstanceOf(FailoverStoreException.class)
          .hasMessageContaining("run GRANT DELETE ON T_FAILOVER_STORE TO ");
    }
    execute(database, "DROP TABLE T_FAILOVER_SWEEP");
    try (Failovers withoutTable = onStore(database.dataSource())) {
      assertThatThrownBy(withoutTable::start)
          .isInstanceOf(FailoverStoreException.class)
          .hasMessageContaining("table T_FAILOVER_SWEEP must exist but was not found");
    }
    boolean mariadb = database.kind() == DatabaseKind.MARIADB;
    execute(
        database,
        "CREATE TABLE T_FAILOVER_SWEEP (ID INT PRIMARY KEY, NEXT_SWEEP %s)"
            .formatted(mariadb ? "DATETIME" : "TIMESTAMP(0)"));
    try (Failovers withWrongType = onStore(database.dataSource())) {
      assertThatThrownBy(withWrongType::start)
          .isInstanceOf(FailoverStoreException.class)
          .hasMessageContaining("column next_sweep of table T_FAILOVER_SWEEP must be ");
    }
  }

  @EachDatabase(DatabaseKind.H2)
  void aDatabaseThatIsDownAtTheStartIsOnlyLogged(TestDatabase database) throws Exception {
    ConnectionPool pool = ConnectionPool.over(database.dataSource());
    pool.failOn(call -> true);
    try (CapturedLog log = new CapturedLog("failover");
        Failovers failovers = onStore(pool)) {
      failovers.start();
      assertThat(log.messages(Level.WARNING)) // the sweep may fail meanwhile, and say so
          .filteredOn(
              line ->
                  line.startsWith(
                      "failover could not check its tables, because the database does not answer"))
          .hasSize(1);
    }
  }

  @EachDatabase
  void aTableOfAnEarlierVersionIsUpgraded(TestDatabase database) throws Exception {
    JdbcFailoverStore store = fresh(database);
    store.store(answer(1, NOW.plusSeconds(60)));
    execute(database, "DROP TABLE T_FAILOVER_REMOVAL");
    if (database.kind() == DatabaseKind.H2) {
      execute(database, "DROP INDEX T_FAILOVER_STORE_IDX_CHANGED");
    }
    execute(database, "ALTER TABLE T_FAILOVER_STORE DROP COLUMN CHANGED_ON");
    assertThatThrownBy(() -> FailoverSchema.requireTables(database.dataSource(), "T_"))
        .hasMessageContaining(
            "table T_FAILOVER_STORE lacks the columns changed_on; add them as in"
                + " failover/jdbc/schema/upgrade/");
    FailoverSchema.createIfMissing(database.dataSource(), "T_");
    FailoverSchema.requireTables(database.dataSource(), "T_");
    assertThat(store.find(answer(1, NOW).key())).isPresent();
    store.delete(answer(1, NOW).key());
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
  void whatAColumnDoesNotTakeIsRefusedAndADatabaseThatIsDownIsUnavailable(TestDatabase database)
      throws Exception {
    JdbcFailoverStore store = fresh(database);
    ReferentialPayload tooLong =
        answer(1, NOW.plusSeconds(60)).under(CanonicalKeys.ofText("n".repeat(60), "1"));
    assertThatThrownBy(() -> store.store(tooLong))
        .isInstanceOfSatisfying(
            FailoverStoreException.class,
            e -> assertThat(e.isRefused() && !e.isUnavailable()).isTrue());
    ConnectionPool none = ConnectionPool.over(database.dataSource()).holding(0);
    assertThatThrownBy(() -> new JdbcFailoverStore(none, "T_").store(answer(1, NOW)))
        .isInstanceOfSatisfying(
            FailoverStoreException.class,
            e -> assertThat(e.isUnavailable() && !e.isRefused()).isTrue());
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
