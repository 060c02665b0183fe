package holdfast.jdbc;

import static holdfast.jdbc.Databases.execute;
import static org.assertj.core.api.Assertions.assertThat;

import holdfast.jdbc.FaultyPool.Fault;
import holdfast.testkit.db.DatabaseKind;
import holdfast.testkit.db.TestDatabase;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Every call of a transaction to its connection fails once, in every way. */
class TransactionFaultsTest {

  private static final int LEVEL = Connection.TRANSACTION_READ_COMMITTED;
  private static final int MORE_THAN_ALL_CALLS = 30;

  private final CapturedLog log = new CapturedLog();
  private TestDatabase database;
  private Connection physical;
  private Connection observer;

  @BeforeEach
  void open() throws SQLException {
    log.begin("holdfast.jdbc");
    database = TestDatabase.open(DatabaseKind.H2);
    execute(database, "CREATE TABLE done (id INT PRIMARY KEY)");
    observer = database.connect();
  }

  @AfterEach
  void close() throws SQLException {
    log.end();
    observer.close();
    database.close();
  }

  static Stream<Arguments> situations() {
    List<Supplier<Throwable>> failures =
        List.of(
            () -> new SQLException("injected"),
            () -> new IllegalStateException("injected"),
            () -> new OutOfMemoryError("injected"));
    return Arrays.stream(Fault.values())
        .flatMap(
            fault ->
                failures.stream()
                    .flatMap(
                        failure ->
                            Stream.of(true, false)
                                .flatMap(
                                    autoCommit ->
                                        Stream.of(true, false)
                                            .map(
                                                workFails ->
                                                    Arguments.of(
                                                        fault,
                                                        failure.get().getClass().getSimpleName(),
                                                        autoCommit,
                                                        workFails,
                                                        failure)))));
  }

  @ParameterizedTest(name = "{0} {1}, autocommit {2}, work fails: {3}")
  @MethodSource("situations")
  void noConnectionIsLostAndNoWorkHalfDone(
      Fault fault,
      String name,
      boolean autoCommit,
      boolean workFails,
      Supplier<? extends Throwable> failure)
      throws SQLException {
    int call = 1;
    boolean failed = true;
    while (failed) {
      assertThat(call).as("the failing call moves on to the end").isLessThan(MORE_THAN_ALL_CALLS);
      log.clear();
      execute(observer, "DELETE FROM done");
      physical = database.connect();
      physical.setAutoCommit(autoCommit);
      FaultyPool pool = new FaultyPool(physical, call, fault, failure);
      Throwable outcome = outcome(pool, workFails);
      failed = !pool.thrown().isEmpty();

      checkReturn(pool, autoCommit);
      physical.close(); // a pool would, or else the database when the application ends
      checkOutcome(pool, outcome);
      call++;
    }
    assertThat(call).as("calls seen to fail").isGreaterThan(8);
  }

  @Test
  void aDriverMayThrowOneAndTheSameExceptionAgainAndAgain() throws SQLException {
    SQLException always = new SQLException("the only one");
    physical = database.connect();
    FaultyPool pool = new FaultyPool(physical, 7, Fault.FROM_THEN_ON, () -> always);

    assertThat(outcome(pool, false)).isSameAs(always).hasNoSuppressedExceptions();

    assertThat(pool.calls()).last().isEqualTo("close");
    physical.close();
  }

  private static Throwable outcome(FaultyPool pool, boolean workFails) {
    try {
      Transactions.of(pool.dataSource())
          .withIsolation(Isolation.SERIALIZABLE)
          .run(
              connection -> {
                execute(connection, "INSERT INTO done VALUES (1)");
                execute(connection, "INSERT INTO done VALUES (2)");
                if (workFails) {
                  throw new WorkFailed();
                }
              });
      return null;
    } catch (Throwable thrown) {
      return thrown;
    }
  }

  /** What was lent is closed exactly once, last, and as it was unless it was aborted. */
  private void checkReturn(FaultyPool pool, boolean autoCommit) throws SQLException {
    assertThat(Collections.frequency(pool.calls(), "close"))
        .as("closed, calls: %s", pool.calls())
        .isEqualTo(pool.wasLent() ? 1 : 0);
    if (pool.wasLent()) {
      assertThat(pool.calls()).last().isEqualTo("close");
    }
    if (pool.wasLent() && !pool.wasAborted()) {
      assertThat(physical.getAutoCommit()).as("%s", pool.calls()).isEqualTo(autoCommit);
      assertThat(physical.getTransactionIsolation()).as("%s", pool.calls()).isEqualTo(LEVEL);
      // With the pool's connection still open, somebody else can lock the whole table.
      execute(observer, "DELETE FROM done WHERE id > 2");
    }
  }

  /** All or nothing was done; the first failure is what the caller sees, the others are with it. */
  private void checkOutcome(FaultyPool pool, Throwable outcome) throws SQLException {
    long rows = rows();
    assertThat(rows).as("calls: %s", pool.calls()).isIn(0L, 2L);
    if (outcome == null) {
      assertThat(rows).as("returned, so done").isEqualTo(2);
      assertThat(log.troubles()).isEqualTo(pool.thrown());
      assertThat(pool.thrown()).noneMatch(Error.class::isInstance);
      return;
    }
    if (outcome instanceof WorkFailed) {
      assertThat(rows).as("the work failed").isZero();
      assertThat(outcome.getSuppressed()).containsExactlyElementsOf(pool.thrown());
    } else {
      assertThat(outcome).isSameAs(pool.thrown().get(0));
      if (log.troubles().isEmpty()) {
        assertThat(outcome.getSuppressed())
            .containsExactlyElementsOf(pool.thrown().subList(1, pool.thrown().size()));
      } else {
        assertThat(outcome).as("thrown after the commit").isInstanceOf(Error.class);
        assertThat(log.troubles()).isEqualTo(pool.thrown());
      }
      boolean outcomeUnknown = pool.calls().contains("commit");
      assertThat(rows == 0 || outcomeUnknown).as("rows without a commit").isTrue();
    }
  }

  private long rows() throws SQLException {
    try (Sql sql = Dialect.named("h2").sql(observer, "SELECT COUNT(*) FROM done")) {
      return sql.first(Row::longValue).orElseThrow();
    }
  }

  private static final class WorkFailed extends RuntimeException {
    private static final long serialVersionUID = 1L;
  }
}
