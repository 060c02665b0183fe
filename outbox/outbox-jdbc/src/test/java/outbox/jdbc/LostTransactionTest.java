package outbox.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import holdfast.testkit.db.EachDatabase;
import holdfast.testkit.db.TestDatabase;
import holdfast.testkit.threads.Eventually;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import outbox.OutboxException;
import outbox.model.EventStatus;

/** Transactions that end otherwise than their owner believes: no event of theirs is delivered. */
class LostTransactionTest {
  private Nodes nodes;
  private JdbcOutbox node;

  @BeforeEach
  void start(TestDatabase database) throws SQLException {
    nodes = Nodes.on(database);
    node = nodes.started(b -> b.listener("T", nodes.recording()));
    nodes.table.execute("DROP TABLE IF EXISTS stock");
    nodes.table.execute("CREATE TABLE stock (id INT PRIMARY KEY, amount INT)");
    nodes.table.update("INSERT INTO stock VALUES (1, 0), (2, 0)");
  }

  @AfterEach
  void stop() throws SQLException {
    nodes.close();
  }

  private static void execute(Connection conn, String sql) throws SQLException {
    try (Statement statement = conn.createStatement()) {
      statement.execute(sql);
    }
  }

  private void assertThatOnlyCommittedOnesCome() throws Exception {
    String kept = Nodes.publish(node, Nodes.event("T"));
    Eventually.await("done", () -> nodes.table.status(kept) == EventStatus.DONE);
    node.close();
    assertThat(nodes.table.ids(EventStatus.DONE))
        .containsExactlyInAnyOrderElementsOf(nodes.delivered);
  }

  @EachDatabase
  void aCommitAfterAnErrorThatWasCaughtKeepsAllOrFails() throws Exception {
    try (JdbcTransactionManager.Transaction tx = node.begin()) {
      node.publish(Nodes.event("T"));
      assertThatThrownBy(() -> execute(tx.connection(), "SELECT * FROM no_such_table"))
          .isInstanceOf(SQLException.class);
      try {
        tx.commit();
      } catch (OutboxException e) {
        // PostgreSQL has given the transaction up; the others go on with it.
        assertThat(e).hasMessageContaining("could not commit");
      }
    }
    assertThatOnlyCommittedOnesCome();
  }

  @EachDatabase
  void aTransactionThatLostADeadlockCannotBeCommitted() throws Exception {
    CyclicBarrier bothHoldOne = new CyclicBarrier(2);
    AtomicInteger refused = new AtomicInteger();
    Future<?> other = CompletableFuture.runAsync(() -> crosswise(2, 1, bothHoldOne, refused));
    crosswise(1, 2, bothHoldOne, refused);
    other.get(30, TimeUnit.SECONDS);
    assertThat(refused).hasValue(1);
    assertThatOnlyCommittedOnesCome();
    assertThat(nodes.delivered).hasSize(2);
  }

  private void crosswise(int first, int second, CyclicBarrier bothHoldOne, AtomicInteger refused) {
    try (JdbcTransactionManager.Transaction tx = node.begin()) {
      node.publish(Nodes.event("T"));
      execute(tx.connection(), "UPDATE stock SET amount = amount + 1 WHERE id = " + first);
      bothHoldOne.await(20, TimeUnit.SECONDS);
      try {
        execute(tx.connection(), "UPDATE stock SET amount = amount + 1 WHERE id = " + second);
      } catch (SQLException deadlock) {
        // As business code does that takes it for a detail.
      }
      tx.commit();
    } catch (OutboxException e) {
      refused.incrementAndGet();
    } catch (Exception e) {
      throw new AssertionError(e);
    }
  }

  @EachDatabase
  void whatWouldEndTheTransactionBehindItsBackIsRefused() throws Exception {
    try (JdbcTransactionManager.Transaction tx = node.begin()) {
      String id = node.publish(Nodes.event("T"));
      Connection conn = tx.connection();
      assertThatThrownBy(conn::rollback).hasMessageContaining("roll back the transaction instead");
      assertThatThrownBy(conn::commit).hasMessageContaining("commit() was called");
      assertThatThrownBy(conn::close).hasMessageContaining("close() was called");
      assertThatThrownBy(() -> conn.setAutoCommit(true)).isInstanceOf(SQLException.class);
      tx.commit();
      Eventually.await("done", () -> nodes.table.status(id) == EventStatus.DONE);
    }
  }

  @EachDatabase
  void anotherThreadCannotEndIt() throws Exception {
    try (JdbcTransactionManager.Transaction tx = node.begin()) {
      String id = node.publish(Nodes.event("T"));
      assertThatThrownBy(() -> CompletableFuture.runAsync(tx::commit).get())
          .isInstanceOf(ExecutionException.class)
          .hasMessageContaining("must be ended by the thread that began it");
      tx.commit();
      Eventually.await("done", () -> nodes.table.status(id) == EventStatus.DONE);
    }
    node.begin().close();
  }

  @EachDatabase
  void aListenerThatForgetsItsTransactionHasFailedAndLeavesNothingBehind() throws Exception {
    AtomicReference<JdbcOutbox> self = new AtomicReference<>();
    JdbcOutbox forgetful =
        nodes.made(
            b ->
                b.workers(1)
                    .maxAttempts(1)
                    .listener("Forgets", event -> self.get().begin())
                    .listener(
                        "Throws",
                        event -> {
                          self.get().begin();
                          throw new IllegalStateException("thrown by the listener");
                        })
                    .listener("Next", event -> self.get().begin().close()));
    self.set(forgetful);
    forgetful.start();
    node.close();
    String forgets = Nodes.publish(forgetful, Nodes.event("Forgets"));
    Eventually.await("dead", () -> nodes.table.status(forgets) == EventStatus.DEAD);
    String throwing = Nodes.publish(forgetful, Nodes.event("Throws"));
    Eventually.await("dead", () -> nodes.table.status(throwing) == EventStatus.DEAD);
    String next = Nodes.publish(forgetful, Nodes.event("Next"));
    Eventually.await("done", () -> nodes.table.status(next) == EventStatus.DONE);
    assertThat(nodes.table.text(forgets, "last_error"))
        .contains("must end the transaction it begins");
    assertThat(nodes.table.text(throwing, "last_error")).contains("thrown by the listener");
  }
}
