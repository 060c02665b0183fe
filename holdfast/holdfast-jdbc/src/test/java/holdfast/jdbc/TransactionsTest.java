package holdfast.jdbc;

import static holdfast.jdbc.Databases.count;
import static holdfast.jdbc.Databases.execute;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import holdfast.testkit.db.DatabaseKind;
import holdfast.testkit.db.EachDatabase;
import holdfast.testkit.db.TestDatabase;
import holdfast.testkit.threads.Together;
import java.io.IOException;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;

class TransactionsTest {

  @EachDatabase
  void workThatReturnsIsCommitted(TestDatabase database) throws SQLException {
    execute(database, "CREATE TABLE committed (id INT PRIMARY KEY)");
    Transactions transactions = Transactions.of(database.dataSource());

    transactions.run(connection -> execute(connection, "INSERT INTO committed VALUES (1)"));
    String result =
        transactions.call(
            connection -> {
              execute(connection, "INSERT INTO committed VALUES (2)");
              return "done";
            });

    assertThat(result).isEqualTo("done");
    assertThat(count(database, "committed")).isEqualTo(2);
  }

  @EachDatabase
  void workThatThrowsIsRolledBackAndItsExceptionRethrown(TestDatabase database)
      throws SQLException {
    execute(database, "CREATE TABLE rolled_back (id INT PRIMARY KEY)");
    Transactions transactions = Transactions.of(database.dataSource());

    for (Throwable thrown :
        List.of(
            new SQLException("sql"),
            new IOException("checked"),
            new IllegalStateException("unchecked"),
            new AssertionError("error"))) {
      assertThatThrownBy(
              () ->
                  transactions.run(
                      connection -> {
                        execute(connection, "INSERT INTO rolled_back VALUES (1)");
                        throwAny(thrown);
                      }))
          .isSameAs(thrown)
          .hasNoSuppressedExceptions();
    }

    assertThat(count(database, "rolled_back")).isZero();
  }

  @EachDatabase({DatabaseKind.POSTGRESQL, DatabaseKind.MARIADB})
  void afterADeadlockTheWorkIsDoneAgain(TestDatabase database) throws Exception {
    execute(database, "CREATE TABLE locked (id INT PRIMARY KEY, changes INT)");
    execute(database, "INSERT INTO locked VALUES (1, 0), (2, 0)");
    CyclicBarrier bothHaveOne = new CyclicBarrier(2);
    AtomicInteger begun = new AtomicInteger();
    AtomicInteger threads = new AtomicInteger();
    Together.runAll(
        2,
        () -> {
          int first = threads.incrementAndGet();
          changeBoth(database, first, 3 - first, bothHaveOne, begun);
        });
    assertThat(begun.get()).as("one was the victim").isGreaterThan(2);
    execute(database, "DELETE FROM locked WHERE changes <> 2");
    assertThat(count(database, "locked")).as("both were done once").isEqualTo(2);
  }

  private static void changeBoth(
      TestDatabase database, int first, int second, CyclicBarrier bothHaveOne, AtomicInteger begun)
      throws Exception {
    AtomicBoolean again = new AtomicBoolean();
    Transactions.of(database.dataSource())
        .callAgainAfterDeadlock(
            connection -> {
              begun.incrementAndGet();
              execute(connection, "UPDATE locked SET changes = changes + 1 WHERE id = " + first);
              if (!again.getAndSet(true)) {
                bothHaveOne.await(30, TimeUnit.SECONDS);
              }
              execute(connection, "UPDATE locked SET changes = changes + 1 WHERE id = " + second);
              return true;
            });
  }

  @EachDatabase
  void otherFailuresAreNotRepeated(TestDatabase database) {
    AtomicInteger begun = new AtomicInteger();
    assertThatThrownBy(
            () ->
                Transactions.of(database.dataSource())
                    .callAgainAfterDeadlock(
                        connection -> {
                          begun.incrementAndGet();
                          execute(connection, "UPDATE nowhere SET id = 1");
                          return true;
                        }))
        .isInstanceOf(SQLException.class);
    assertThat(begun).hasValue(1);
  }

  @EachDatabase
  void onPoolsWithoutAutocommitWorkIsCommittedToo(TestDatabase database) throws SQLException {
    execute(database, "CREATE TABLE without_autocommit (id INT PRIMARY KEY)");
    try (Connection pooled = database.connect()) {
      pooled.setAutoCommit(false);
      Transactions.of(OneConnection.of(pooled))
          .withIsolation(Isolation.SERIALIZABLE)
          .run(connection -> execute(connection, "INSERT INTO without_autocommit VALUES (1)"));

      assertThat(pooled.getAutoCommit()).isFalse();
    }
    assertThat(count(database, "without_autocommit")).isEqualTo(1);
  }

  @EachDatabase
  void theIsolationAskedForIsSetAndThenRestored(TestDatabase database) throws SQLException {
    try (Connection pooled = database.connect()) {
      for (boolean autoCommit : new boolean[] {true, false}) {
        pooled.setAutoCommit(autoCommit);
        int before = pooled.getTransactionIsolation();
        for (Isolation isolation : Isolation.values()) {
          Transactions transactions =
              Transactions.of(OneConnection.of(pooled)).withIsolation(isolation);
          assertThat(transactions.<Integer, SQLException>call(Connection::getTransactionIsolation))
              .isEqualTo(isolation.level());
          assertThatThrownBy(
                  () ->
                      transactions.run(
                          connection -> {
                            execute(connection, "SELECT 1");
                            throw new IllegalStateException("work failed");
                          }))
              .hasMessage("work failed")
              .hasNoSuppressedExceptions();
          assertThat(pooled.getTransactionIsolation()).isEqualTo(before);
          assertThat(pooled.getAutoCommit()).isEqualTo(autoCommit);
        }
      }
    }
  }

  @EachDatabase
  void onlyTheFirstConnectionIsAskedForItsIsolation(TestDatabase database) throws SQLException {
    AtomicInteger asked = new AtomicInteger();
    try (Connection pooled = database.connect()) {
      int before = pooled.getTransactionIsolation();
      Transactions transactions =
          Transactions.of(OneConnection.of(pooled, "getTransactionIsolation", asked))
              .withIsolation(Isolation.SERIALIZABLE);
      for (int i = 0; i < 3; i++) {
        transactions.run(
            connection ->
                assertThat(pooled.getTransactionIsolation())
                    .isEqualTo(Connection.TRANSACTION_SERIALIZABLE));
        assertThat(pooled.getTransactionIsolation()).isEqualTo(before);
      }
    }
    assertThat(asked).hasValue(1);
  }

  @SuppressWarnings({"unchecked", "TypeParameterUnusedInFormals"})
  private static <X extends Throwable> void throwAny(Throwable thrown) throws X {
    throw (X) thrown;
  }
}
