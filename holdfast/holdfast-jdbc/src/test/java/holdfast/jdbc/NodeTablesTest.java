package holdfast.jdbc;

import static holdfast.jdbc.Databases.count;
import static holdfast.jdbc.Databases.execute;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import holdfast.log.Outage;
import holdfast.testkit.db.DatabaseKind;
import holdfast.testkit.db.EachDatabase;
import holdfast.testkit.db.TestDatabase;
import holdfast.testkit.log.CapturedLog;
import holdfast.testkit.time.SettableTime;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.logging.Level;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

class NodeTablesTest {
  private final SettableTime time = new SettableTime();
  private final List<Exception> failures = Collections.synchronizedList(new ArrayList<>());
  private final AtomicInteger changes = new AtomicInteger();
  private TestDatabase database;
  private NodeTables one;
  private NodeTables two;

  @BeforeEach
  void create(TestDatabase database) throws SQLException {
    this.database = database;
    String moment = Dialect.of(database.dataSource()).instantType();
    drop();
    execute(
        database,
        "CREATE TABLE work_node (node VARCHAR(128) PRIMARY KEY, seen_at " + moment + " NOT NULL)",
        "CREATE TABLE work_pause (type VARCHAR(128) PRIMARY KEY, paused_at "
            + moment
            + " NOT NULL)",
        "CREATE TABLE work_count ("
            + (database.kind() == DatabaseKind.POSTGRESQL
                ? ""
                : "id BIGINT AUTO_INCREMENT PRIMARY KEY, ")
            + "accepted BIGINT DEFAULT 0, delivered BIGINT DEFAULT 0, lost BIGINT DEFAULT 0)");
    one = node("one");
    two = node("two");
  }

  @AfterEach
  void drop() throws SQLException {
    execute(
        database,
        "DROP TABLE IF EXISTS work_node",
        "DROP TABLE IF EXISTS work_pause",
        "DROP TABLE IF EXISTS work_count");
  }

  private NodeTables node(String name) {
    NodeTables.Settings settings =
        new NodeTables.Settings(
            "test",
            TableName.of("work"),
            "type",
            name,
            Dialect::of,
            DatabaseClock.TRUE,
            "run the script");
    NodeTables node = new NodeTables(Transactions.of(database.dataSource()), settings, time);
    node.connect(new Outage("test", time, failures::add, () -> {}), changes::incrementAndGet);
    return node;
  }

  /** What a node must know before it claims comes first, and what it tells the others soon. */
  private void join(NodeTables node) {
    assertThat(node.refresh()).isEqualTo(Duration.ofMillis(200));
    time.advance(Duration.ofMillis(200));
    assertThat(node.refresh()).isEqualTo(Duration.ofSeconds(5));
  }

  private void later() {
    time.advance(Duration.ofSeconds(5));
    one.refresh();
    two.refresh();
  }

  @EachDatabase
  void nodesThatTakeEventsSeeEachOtherUntilOneLeaves() throws SQLException {
    one.claiming(true);
    two.claiming(true);
    join(one);
    assertThat(one.hasOthers()).isFalse();
    join(two);
    assertThat(two.hasOthers()).isTrue();
    one.refresh();
    assertThat(one.hasOthers()).as("asks every 5 seconds").isFalse();
    later();
    assertThat(one.hasOthers()).isTrue();
    assertThat(count(database, "work_node")).isEqualTo(2);

    two.claiming(false);
    two.leave();
    assertThat(count(database, "work_node")).isEqualTo(1);
    later();
    assertThat(one.hasOthers()).isFalse();
    assertThat(two.hasOthers()).isTrue();
    assertThat(count(database, "work_node")).as("it does not come back").isEqualTo(1);
    assertThat(failures).isEmpty();
  }

  @EachDatabase
  void aNodeThatOnlyPublishesCountsForNobody() throws SQLException {
    one.claiming(true);
    later();
    later();
    assertThat(one.hasOthers()).isFalse();
    assertThat(two.hasOthers()).isTrue();
    two.leave();
    assertThat(count(database, "work_node")).isEqualTo(1);
  }

  private void addCounters(int rows) throws SQLException {
    Dialect dialect = Dialect.of(database.dataSource());
    Transactions.of(database.dataSource())
        .run(
            conn -> {
              try (Sql sql = dialect.sql(conn, "INSERT INTO work_count (accepted) VALUES (?)")) {
                for (int i = 0; i < rows; i++) {
                  sql.bind(1L).addBatch();
                }
                sql.updateBatch();
              }
            });
  }

  @EachDatabase
  void countersAreFoldedByANodeThatTakesEventsAlsoIfOnlyByPollsOfItsOwn() throws SQLException {
    join(one);
    addCounters(LedgerCounters.WORTH_FOLDING);
    later();
    assertThat(count(database, "work_count"))
        .as("one that only publishes may not have the rights")
        .isEqualTo(LedgerCounters.WORTH_FOLDING);
    one.polling();
    later();
    assertThat(count(database, "work_count")).isEqualTo(1);
    assertThat(count(database, "work_node")).as("it is not there for the others").isZero();
    assertThat(failures).isEmpty();
  }

  @EachDatabase
  void whileManyCountersAreLeftTheNextAreFoldedAtOnce() throws SQLException {
    one.claiming(true);
    join(one);
    addCounters(6 * LedgerCounters.BATCH);
    time.advance(Duration.ofSeconds(5));
    assertThat(one.refresh()).isLessThan(Duration.ofSeconds(1));
    assertThat(count(database, "work_count")).isGreaterThan(LedgerCounters.BATCH);
    assertThat(one.refresh()).isEqualTo(Duration.ofSeconds(5));
    assertThat(count(database, "work_count")).isLessThan(LedgerCounters.WORTH_FOLDING);
  }

  @EachDatabase
  void aNodeThatDiedIsNotThereAndItsRowIsDeletedAfterADay() throws SQLException {
    execute(
        database,
        "INSERT INTO work_node (node, seen_at) VALUES ('dead', TIMESTAMP '2020-01-01 00:00:00')",
        "INSERT INTO work_node (node, seen_at) VALUES ('ahead', TIMESTAMP '2120-01-01 00:00:00')");
    one.claiming(true);
    join(one);
    assertThat(count(database, "work_node")).as("one and ahead").isEqualTo(2);
    assertThat(one.hasOthers()).isTrue();
    execute(
        database,
        "UPDATE work_node SET seen_at = TIMESTAMP '2020-01-01 00:00:00' WHERE node = 'ahead'");
    later();
    assertThat(one.hasOthers()).isFalse();
    assertThat(count(database, "work_node")).as("looked for once an hour").isEqualTo(2);
    time.advance(Duration.ofHours(1));
    one.refresh();
    assertThat(count(database, "work_node")).isEqualTo(1);
  }

  @EachDatabase
  void aPauseHoldsHereAtOnceAndElsewhereAtTheNextLook() throws SQLException {
    later();
    one.pause("A");
    one.pause("A");
    assertThat(changes).hasValue(1);
    assertThat(one.isPaused("A")).isTrue();
    assertThat(one.isPaused("B")).isFalse();
    assertThat(two.isPaused("A")).isFalse();
    later();
    assertThat(two.isPaused("A")).isTrue();
    assertThat(changes).hasValue(2);
    assertThat(two.pausedSince()).containsOnlyKeys("A");

    two.pause("*");
    assertThat(two.isAllPaused()).isTrue();
    assertThat(two.isPaused("B")).isTrue();
    two.resume("*");
    assertThat(two.isPaused("B")).isFalse();
    assertThat(two.isPaused("A")).as("paused by itself").isTrue();
    one.resume("B");
    one.resumeAll();
    assertThat(one.pausedTypes()).isEmpty();
    later();
    assertThat(two.pausedTypes()).isEmpty();
    assertThat(failures).isEmpty();
  }

  @EachDatabase
  void manyMayPauseAtOnceAndBeThereAtOnce() throws Exception {
    List<Callable<Boolean>> tasks = new ArrayList<>();
    for (int i = 0; i < 6; i++) {
      NodeTables node = node("node-" + i);
      node.claiming(true);
      node.refresh();
      tasks.add(
          () -> {
            node.refresh();
            node.pause("A");
            return node.isPaused("A");
          });
    }
    time.advance(Duration.ofMillis(200));
    assertThat(Databases.allAtOnce(tasks)).containsOnly(true);
    assertThat(count(database, "work_node")).isEqualTo(6);
    assertThat(failures).isEmpty();
  }

  @EachDatabase
  void withoutTheTablesANodeIsAloneAndAPauseSaysWhatToDo() throws SQLException {
    drop();
    one.claiming(true);
    later();
    one.leave();
    assertThat(one.hasOthers()).isFalse();
    assertThat(one.pausedTypes()).isEmpty();
    assertThat(one.pausedSince()).isEmpty();
    assertThat(failures).isEmpty();
    assertThatThrownBy(() -> one.pause("A"))
        .isInstanceOf(SQLException.class)
        .hasMessage(
            "tables work_node and work_pause must exist and be readable but are not; run the script");
    create(database);
  }

  @EachDatabase
  void whatIsKnownStaysWhileTheDatabaseFails() throws SQLException {
    one.claiming(true);
    two.claiming(true);
    one.pause("A");
    join(one);
    join(two);
    later();
    execute(database, "ALTER TABLE work_pause RENAME TO hidden");
    later();
    assertThat(failures).hasSize(2);
    assertThat(one.hasOthers()).isTrue();
    assertThat(one.isPaused("A")).isTrue();
    execute(database, "ALTER TABLE hidden RENAME TO work_pause");
    execute(database, "DELETE FROM work_pause");
    later();
    assertThat(one.isPaused("A")).isFalse();
  }

  @EachDatabase
  void aTypeMustFitIntoTheTable() {
    DeliveryControl control =
        new DeliveryControl(
            "nodes",
            one,
            type -> type.equals("A"),
            (what, e) -> new IllegalStateException(what, e));
    for (String wrong : List.of("", " ", "Self ")) {
      assertThatThrownBy(() -> control.pause(wrong))
          .hasMessage(
              "type must have 1 to 128 characters and no white space at its ends, or be * for all"
                  + " types, but was '%s'; name the type of the events exactly",
              wrong);
    }
    assertThatThrownBy(() -> control.pause(null))
        .hasMessage(
            "a type must be given but was null; name the type of the events, or * for all types");
    assertThatThrownBy(() -> control.resume("x".repeat(129)))
        .isInstanceOf(IllegalArgumentException.class);
    control.pauseAll();
    assertThat(control.paused()).containsOnlyKeys("*");
    assertThat(control.knownPaused()).containsOnly("*");
    control.pause("A");
    control.resume("*");
    assertThat(control.paused()).as("as resumeAll").isEmpty();
  }

  @EachDatabase
  void aTypeWithoutAHandlerHereIsPausedWithAWarning() {
    DeliveryControl control =
        new DeliveryControl(
            "nodes",
            one,
            type -> type.equals("A"),
            (what, e) -> new IllegalStateException(what, e));
    try (CapturedLog log = new CapturedLog("nodes")) {
      control.pause("A");
      control.pauseAll();
      assertThat(log.messages(Level.WARNING)).isEmpty();
      control.pause("B");
      assertThat(log.messages(Level.WARNING))
          .containsExactly(
              "nodes paused a type that nothing here handles: check its spelling type=B");
      assertThat(control.paused()).containsOnlyKeys("*", "A", "B");
    }
  }

  @EachDatabase
  void theTablesAreCheckedIfTheyAreThere() throws SQLException {
    Dialect dialect = Dialect.of(database.dataSource());
    TableName work = TableName.of("work");
    try (var conn = database.connect()) {
      NodeTableCheck right = new NodeTableCheck(work, "type", "letters/schema", true);
      right.requireIfThere(conn, dialect);
      NodeTableCheck wrong = new NodeTableCheck(work, "event_type", "letters/schema", true);
      assertThatThrownBy(() -> wrong.requireIfThere(conn, dialect))
          .hasMessageContaining("work_pause")
          .hasMessageContaining("event_type")
          .hasMessageContaining("letters/schema/" + dialect.name() + ".sql");
      drop();
      right.requireIfThere(conn, dialect);
    }
  }
}
