package outbox.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import holdfast.testkit.db.DatabaseKind;
import holdfast.testkit.db.EachDatabase;
import holdfast.testkit.db.TestDatabase;
import holdfast.testkit.threads.Eventually;
import holdfast.work.SuspectLimit;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Timeout;
import outbox.EventEnvelope;
import outbox.NonRetryableException;
import outbox.model.Claim;
import outbox.model.ClaimRequest;
import outbox.model.EventStatus;
import outbox.model.LeaseTerms;

/** A long line of ordered events behind one head costs nobody anything. */
@Timeout(300)
class WaitingEventsTest {
  private static final int LINE = 5_000;
  private static final int BACKLOG = 1_000;
  private static final int FEW = 50;
  private static final ClaimRequest REQUEST =
      new ClaimRequest(
          new LeaseTerms("here", Duration.ofMinutes(10)),
          10,
          Map.of(),
          Long.MAX_VALUE,
          new SuspectLimit(1, 0),
          3,
          Duration.ZERO);
  private static final String READ_BY_POSTGRESQL =
      "SELECT COALESCE(SUM(seq_tup_read + idx_tup_fetch), 0) FROM pg_stat_xact_user_tables WHERE"
          + " relname = 'outbox_event'";
  private static final String READ_BY_MARIADB =
      "SELECT SUM(variable_value) FROM information_schema.session_status WHERE variable_name IN"
          + " ('HANDLER_READ_KEY', 'HANDLER_READ_NEXT', 'HANDLER_READ_RND_NEXT')";

  private static EventEnvelope numbered(String aggregate, int number) {
    return EventEnvelope.builder("T")
        .aggregateType("A")
        .aggregateId(aggregate)
        .ordered()
        .payloadJson(Integer.toString(number))
        .build();
  }

  private static void publishAll(JdbcOutbox outbox, String aggregate, int count) {
    List<EventEnvelope> events =
        IntStream.range(0, count).mapToObj(i -> numbered(aggregate, i)).toList();
    try (JdbcTransactionManager.Transaction tx = outbox.begin()) {
      outbox.publishAll(events);
      tx.commit();
    }
  }

  private static long read(TestDatabase database, Connection conn) throws SQLException {
    boolean mariadb = database.kind() == DatabaseKind.MARIADB;
    try (Statement statement = conn.createStatement();
        ResultSet found = statement.executeQuery(mariadb ? READ_BY_MARIADB : READ_BY_POSTGRESQL)) {
      found.next();
      return found.getLong(1);
    }
  }

  /** Claims once and tells how many rows of the table were read for it. */
  private static long rowsReadToClaim(TestDatabase database, int expected) throws SQLException {
    try (Connection conn = database.connect()) {
      conn.setAutoCommit(false);
      conn.setTransactionIsolation(Connection.TRANSACTION_READ_COMMITTED);
      long asking = read(database, conn);
      asking = read(database, conn) - asking;
      long before = read(database, conn);
      List<Claim> claims = new JdbcOutboxRepository().claim(conn, REQUEST, id -> true).claims();
      long rows = read(database, conn) - before - asking;
      assertThat(claims).hasSize(expected);
      conn.rollback();
      return rows;
    }
  }

  private static int parkAll(TestDatabase database) throws SQLException {
    JdbcOutboxRepository store = new JdbcOutboxRepository();
    int all = 0;
    int parked = -1;
    while (parked != 0) {
      try (Connection conn = database.connect()) {
        conn.setAutoCommit(false);
        conn.setTransactionIsolation(Connection.TRANSACTION_READ_COMMITTED);
        parked = store.parkDue(conn, Duration.ZERO, id -> true);
        conn.commit();
        all += parked;
      }
    }
    return all;
  }

  @EachDatabase({DatabaseKind.POSTGRESQL, DatabaseKind.MARIADB})
  void aClaimDoesNotReadWhatWasSetAside(TestDatabase database) throws Exception {
    Table table = Table.fresh(database);
    try (JdbcOutbox outbox = JdbcOutbox.builder(database.dataSource()).publishOnly().build()) {
      publishAll(outbox, "stuck", LINE);
      table.execute("UPDATE outbox_event SET status = 3 WHERE order_number = 1");
      Publishing.publish(outbox, numbered("other", 0));
    }
    assertThat(rowsReadToClaim(database, 1)).isGreaterThan(LINE);
    assertThat(parkAll(database)).isEqualTo(LINE - 1);
    if (database.kind() == DatabaseKind.POSTGRESQL) {
      table.execute("VACUUM ANALYZE outbox_event");
    }
    assertThat(rowsReadToClaim(database, 1)).isLessThan(FEW);
  }

  @EachDatabase
  void aBacklogOfOneAggregateIsDeliveredInItsOrder(TestDatabase database) throws Exception {
    Queue<Integer> delivered = new ConcurrentLinkedQueue<>();
    try (Nodes nodes = Nodes.on(database)) {
      publishAll(nodes.made(b -> b.publishOnly()), "one", BACKLOG);
      nodes.started(
          b -> b.listener("T", event -> delivered.add(Integer.valueOf(event.payloadJson()))));
      Eventually.await(
          "all", Duration.ofSeconds(200), () -> nodes.table.countOf(EventStatus.DONE) == BACKLOG);
    }
    assertThat(new ArrayList<>(delivered)).isEqualTo(IntStream.range(0, BACKLOG).boxed().toList());
  }

  @EachDatabase
  void whatIsPublishedBehindADeadEventIsSetAsideAndGoesOnAfterItsRedeliver(TestDatabase database)
      throws Exception {
    Queue<Integer> delivered = new ConcurrentLinkedQueue<>();
    List<Boolean> broken = new ArrayList<>(List.of(true));
    try (Nodes nodes = Nodes.on(database)) {
      JdbcOutbox node =
          nodes.started(
              b ->
                  b.listener(
                      "T",
                      event -> {
                        if (broken.get(0)) {
                          throw new NonRetryableException("broken");
                        }
                        delivered.add(Integer.valueOf(event.payloadJson()));
                      }));
      Nodes.publish(node, numbered("one", 0));
      Eventually.await("dead", () -> nodes.table.countOf(EventStatus.DEAD) == 1);
      for (int i = 1; i < 10; i++) {
        Nodes.publish(node, numbered("one", i));
      }
      Eventually.await("set aside", () -> nodes.table.countWhere("parked = 1") == 9);
      assertThat(nodes.table.countWhere("claimed_by IS NOT NULL")).isZero();
      broken.set(0, false);
      node.deadEvents().redeliverAll(DeadFilter.ALL);
      Eventually.await("all", () -> nodes.table.countOf(EventStatus.DONE) == 10);
    }
    assertThat(new ArrayList<>(delivered)).isEqualTo(IntStream.range(0, 10).boxed().toList());
  }
}
