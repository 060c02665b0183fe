package holdfast.jdbc;

import static holdfast.jdbc.Databases.allAtOnce;
import static holdfast.jdbc.Databases.count;
import static holdfast.jdbc.Databases.execute;
import static org.assertj.core.api.Assertions.assertThat;

import holdfast.jdbc.LedgerCounters.Counter;
import holdfast.testkit.db.DatabaseKind;
import holdfast.testkit.db.EachDatabase;
import holdfast.testkit.db.TestDatabase;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.Timeout.ThreadMode;

class LedgerCountersTest {
  private static final TableName EVENTS = TableName.of("work");

  private final List<Connection> open = new ArrayList<>();
  private TestDatabase database;
  private LedgerCounters counters;
  private Transactions transactions;

  private static final class Words extends SqlTable {
    Words(Dialect dialect) {
      super(dialect, DatabaseClock.TRUE, "id", Map.of("counts", "work_count"));
    }
  }

  @BeforeEach
  void create(TestDatabase database) throws SQLException {
    this.database = database;
    String key =
        database.kind() == DatabaseKind.POSTGRESQL ? "" : "id BIGINT AUTO_INCREMENT PRIMARY KEY, ";
    execute(
        database,
        "DROP TABLE IF EXISTS work_count",
        "DROP TABLE IF EXISTS work",
        "CREATE TABLE work (id INT PRIMARY KEY)",
        "CREATE TABLE work_count ("
            + key
            + "accepted BIGINT DEFAULT 0 NOT NULL,"
            + " delivered BIGINT DEFAULT 0 NOT NULL, lost BIGINT DEFAULT 0 NOT NULL)");
    counters = new LedgerCounters(new Words(Dialect.of(database.dataSource())), EVENTS);
    transactions = Transactions.of(database.dataSource()).withIsolation(Isolation.READ_COMMITTED);
  }

  @AfterEach
  void close() throws SQLException {
    for (Connection connection : open) {
      connection.close();
    }
    execute(database, "DROP TABLE IF EXISTS work_count", "DROP TABLE IF EXISTS work");
  }

  private Connection begun() throws SQLException {
    Connection connection = database.connect();
    open.add(connection);
    connection.setAutoCommit(false);
    return connection;
  }

  private long sum(String column) throws SQLException {
    Dialect dialect = Dialect.of(database.dataSource());
    try (Connection connection = database.connect();
        Sql sql = dialect.sql(connection, "SELECT SUM(" + column + ") FROM work_count")) {
      return sql.first(Row::longValue).orElseThrow();
    }
  }

  @EachDatabase
  @Timeout(value = 60, threadMode = ThreadMode.SEPARATE_THREAD)
  void openTransactionsNeverWaitForEachOther() throws SQLException {
    List<Connection> publishers = new ArrayList<>();
    for (int i = 0; i < 8; i++) {
      publishers.add(begun());
    }
    for (int round = 0; round < 3; round++) {
      Collections.reverse(publishers);
      for (Connection transaction : publishers) {
        counters.add(transaction, Counter.ACCEPTED, 1);
        counters.add(transaction, Counter.DELIVERED, 2);
      }
    }
    for (Connection transaction : publishers) {
      transaction.commit();
    }
    assertThat(sum("accepted")).isEqualTo(8 * 3);
    assertThat(sum("delivered")).isEqualTo(8 * 3 * 2);
  }

  @EachDatabase
  void whatIsRolledBackIsNotCounted() throws SQLException {
    Connection transaction = begun();
    counters.add(transaction, Counter.ACCEPTED, 5);
    transaction.rollback();
    counters.add(transaction, Counter.LOST, 2);
    transaction.commit();
    assertThat(sum("accepted")).isZero();
    assertThat(sum("lost")).isEqualTo(2);
  }

  @EachDatabase
  void anInsertCountsItselfWhereTheDatabaseCan() throws SQLException {
    Connection transaction = begun();
    if (counters.countsInInsert()) {
      String insert = counters.counting("INSERT INTO work (id) VALUES (?), (?)");
      try (Sql sql = Dialect.of(transaction).sql(transaction, insert)) {
        assertThat(sql.bind(2L).bind(1).bind(2).update()).as("rows of events").isEqualTo(2);
        assertThat(sql.bind(2L).bind(3).bind(4).update()).isEqualTo(2);
      }
      transaction.commit();
      assertThat(sum("accepted")).isEqualTo(4);
    } else {
      assertThat(Dialect.of(transaction).name()).isNotEqualTo("postgresql");
    }
  }

  private void addRows(int rows) throws SQLException {
    transactions.run(
        connection -> {
          for (int i = 0; i < rows; i++) {
            counters.add(connection, Counter.values()[i % 3], 2);
          }
        });
  }

  @EachDatabase
  @Timeout(value = 60, threadMode = ThreadMode.SEPARATE_THREAD)
  void manyRowsBecomeOneAndOpenTransactionsAreNotWaitedFor() throws Exception {
    addRows(300);
    Connection publisher = begun();
    counters.add(publisher, Counter.ACCEPTED, 5);
    counters.fold(transactions);
    assertThat(count(database, "work_count")).isEqualTo(1);
    assertThat(sum("accepted")).isEqualTo(200);
    counters.add(publisher, Counter.ACCEPTED, 5);
    publisher.commit();
    assertThat(sum("accepted")).isEqualTo(210);
    assertThat(sum("delivered")).isEqualTo(200);
    assertThat(sum("lost")).isEqualTo(200);
  }

  @EachDatabase
  void moreThanABatchIsFoldedToo() throws Exception {
    addRows(2 * LedgerCounters.BATCH + 3);
    counters.fold(transactions);
    assertThat(count(database, "work_count")).isLessThan(LedgerCounters.WORTH_FOLDING);
    assertThat(sum("accepted") + sum("delivered") + sum("lost"))
        .isEqualTo(2 * (2 * LedgerCounters.BATCH + 3));
  }

  @EachDatabase
  void fewRowsAreLeftAsTheyAre() throws Exception {
    addRows(LedgerCounters.WORTH_FOLDING - 1);
    counters.fold(transactions);
    assertThat(count(database, "work_count")).isEqualTo(LedgerCounters.WORTH_FOLDING - 1);
  }

  @EachDatabase
  void nodesThatFoldAtTheSameTimeLoseNothing() throws Exception {
    addRows(3_000);
    Callable<Boolean> folding =
        () -> {
          for (int i = 0; i < 5; i++) {
            counters.fold(transactions);
            addRows(300);
          }
          return true;
        };
    assertThat(allAtOnce(Collections.nCopies(4, folding))).containsOnly(true);
    assertThat(sum("accepted")).isEqualTo(2_000 + 4 * 5 * 200);
    assertThat(sum("lost")).isEqualTo(2_000 + 4 * 5 * 200);
  }
}
