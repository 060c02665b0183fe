package outbox.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import holdfast.testkit.db.ConnectionPool;
import holdfast.testkit.db.EachDatabase;
import holdfast.testkit.db.TestDatabase;
import holdfast.testkit.threads.Eventually;
import java.sql.Connection;
import java.sql.Savepoint;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import outbox.OutboxException;
import outbox.model.EventStatus;

/** Transactions by hand: callbacks, savepoints, and connections that always go back. */
class JdbcTransactionManagerTest {
  private final ThreadLocalTxContext context = new ThreadLocalTxContext();
  private final List<String> ran = new ArrayList<>();
  private ConnectionPool pool;
  private JdbcTransactionManager transactions;

  @BeforeEach
  void connect(TestDatabase database) {
    pool = ConnectionPool.over(database.dataSource());
    transactions = new JdbcTransactionManager(new DataSourceConnectionProvider(pool), context);
  }

  @AfterEach
  void everyConnectionWentBack() throws Exception {
    assertThat(pool.out()).isZero();
    pool.close();
  }

  @EachDatabase
  void aThrowingCallbackDoesNotStopTheOthers() {
    try (JdbcTransactionManager.Transaction tx = transactions.begin()) {
      context.afterCommit(() -> ran.add("first"));
      context.afterCommit(
          () -> {
            throw new IllegalStateException("callback");
          });
      context.afterCommit(() -> ran.add("last"));
      context.afterRollback(() -> ran.add("rolled back"));
      tx.commit();
    }
    assertThat(ran).containsExactly("first", "last");
    assertThat(context.isTransactionActive()).isFalse();
  }

  @EachDatabase
  void callbacksAreRunForTheEndThatCame() {
    try (JdbcTransactionManager.Transaction tx = transactions.begin()) {
      context.afterCommit(() -> ran.add("committed"));
      context.afterRollback(() -> ran.add("rolled back"));
      assertThat(tx.connection()).isSameAs(context.currentConnection());
    }
    assertThat(ran).containsExactly("rolled back");
  }

  @EachDatabase
  void aConnectionIsNotLeakedWhenBeginFailsHalfWay() {
    for (String call : List.of("getAutoCommit", "setAutoCommit")) {
      pool.failOn(call::equals);
      assertThatThrownBy(transactions::begin)
          .isInstanceOf(OutboxException.class)
          .hasMessageContaining("begin");
      assertThat(pool.out()).as(call).isZero();
      assertThat(context.isTransactionActive()).isFalse();
    }
    pool.failOn("getConnection"::equals);
    assertThatThrownBy(transactions::begin).isInstanceOf(OutboxException.class);
    pool.heal();
    transactions.begin().close();
    assertThat(pool.lent()).isEqualTo(3);
  }

  @EachDatabase
  void aFailedCommitRunsNothingThatWaitsForTheCommit() {
    try (JdbcTransactionManager.Transaction tx = transactions.begin()) {
      context.afterCommit(() -> ran.add("committed"));
      context.afterRollback(() -> ran.add("rolled back"));
      pool.failOn("commit"::equals);
      assertThatThrownBy(tx::commit).isInstanceOf(OutboxException.class);
    } finally {
      pool.heal();
    }
    assertThat(ran).containsExactly("rolled back");
    assertThat(context.isTransactionActive()).isFalse();
  }

  @EachDatabase
  void aConnectionThatCannotRollBackGoesBackAllTheSame() {
    JdbcTransactionManager.Transaction tx = transactions.begin();
    pool.failOn("rollback"::equals);
    assertThatThrownBy(tx::close).isInstanceOf(OutboxException.class);
    pool.heal();
    assertThat(context.isTransactionActive()).isFalse();
  }

  @EachDatabase
  void aSecondTransactionOnTheThreadIsRefusedWithoutAConnection() {
    try (JdbcTransactionManager.Transaction tx = transactions.begin()) {
      assertThatThrownBy(transactions::begin)
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining("one transaction at a time");
      tx.rollback();
      assertThatThrownBy(tx::commit).isInstanceOf(IllegalStateException.class);
    }
    assertThat(pool.lent()).isEqualTo(1);
  }

  @EachDatabase
  void aRollbackToASavepointTakesItsCallbacks() throws Exception {
    try (JdbcTransactionManager.Transaction tx = transactions.begin()) {
      Connection conn = tx.connection();
      context.afterCommit(() -> ran.add("before"));
      Savepoint outer = conn.setSavepoint("outer_one");
      context.afterCommit(() -> ran.add("in outer"));
      Savepoint inner = conn.setSavepoint();
      context.afterCommit(() -> ran.add("in inner"));
      conn.rollback(inner);
      context.afterCommit(() -> ran.add("after inner"));
      conn.rollback(outer);
      context.afterCommit(() -> ran.add("after outer"));
      Savepoint released = conn.setSavepoint();
      context.afterCommit(() -> ran.add("released"));
      conn.releaseSavepoint(released);
      tx.commit();
    }
    assertThat(ran).containsExactly("before", "after outer", "released");
  }

  @EachDatabase
  void anEventOfARolledBackSavepointIsNeverDelivered(TestDatabase database) throws Exception {
    try (Nodes nodes = Nodes.on(database)) {
      JdbcOutbox node = nodes.started(b -> b.listener("T", nodes.recording()));
      String kept;
      String undone;
      try (JdbcTransactionManager.Transaction tx = node.begin()) {
        kept = node.publish(Nodes.event("T"));
        Savepoint savepoint = tx.connection().setSavepoint();
        undone = node.publish(Nodes.event("T"));
        tx.connection().rollback(savepoint);
        tx.commit();
      }
      Eventually.await("done", () -> nodes.table.status(kept) == EventStatus.DONE);
      node.close();
      assertThat(nodes.table.row(undone)).isEmpty();
      assertThat(nodes.delivered).containsExactly(kept);
    }
  }
}
