package benchmarks.contenders;

import benchmarks.Deliveries;
import benchmarks.Drainer;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import javax.sql.DataSource;

/**
 * What SQL can do at best in the tables of a product: four threads, each of which claims a hundred
 * events and closes a hundred, in two transactions or in one. In one, the rows stay locked while
 * their handlers run, so that nobody could keep, renew or fence a claim. No retries, no priorities,
 * nothing after a crash. For one thread.
 */
public final class RawDrain implements Drainer {
  private static final int BATCH = 100;

  private static final Tables BUS =
      new Tables(
          """
          WITH due AS (
            SELECT id FROM events
             WHERE type = 'Measured' AND priority = 5 AND claimed_by IS NULL AND lapses = 0
               AND available_at <= (now() AT TIME ZONE 'UTC')
             ORDER BY type, priority, available_at, id LIMIT 100 FOR UPDATE SKIP LOCKED)
          UPDATE events e
             SET status = 'PROCESSING', attempts = attempts + 1, claim_token = claim_token + 1,
                 processing_started_at = (now() AT TIME ZONE 'UTC'), claimed_by = 'raw',
                 available_at = (now() AT TIME ZONE 'UTC') + INTERVAL '5 minutes'
            FROM due WHERE e.id = due.id
          RETURNING e.id, e.payload
          """,
          """
          SELECT id, payload FROM events
           WHERE type = 'Measured' AND priority = 5 AND claimed_by IS NULL AND lapses = 0
             AND available_at <= (now() AT TIME ZONE 'UTC')
           ORDER BY type, priority, available_at, id LIMIT 100 FOR UPDATE SKIP LOCKED
          """,
          """
          WITH gone AS (
            DELETE FROM events WHERE id = ANY (?)
            RETURNING id, type, payload, headers, attempts, created_at)
          INSERT INTO event_log
            (id, type, payload, headers, attempts, created_at, status, finished_at)
          SELECT id, type, payload, headers, attempts, created_at, 'COMPLETED',
                 (now() AT TIME ZONE 'UTC')
            FROM gone
          """,
          "bigint");
  private static final String DUE_IN_OUTBOX =
      """
        FROM outbox_event
       WHERE (CASE WHEN claimed_by IS NULL AND lapses = 0 THEN 0 ELSE 1 END) = 0
         AND status IN (0, 2) AND available_at <= (now() AT TIME ZONE 'UTC')
       ORDER BY available_at, event_id LIMIT 100 FOR UPDATE SKIP LOCKED
      """;
  private static final Tables OUTBOX =
      new Tables(
          "WITH due AS (SELECT event_id "
              + DUE_IN_OUTBOX
              + """
              )
              UPDATE outbox_event e
                 SET claim_token = claim_token + 1, claimed_by = 'raw',
                     available_at = (now() AT TIME ZONE 'UTC') + INTERVAL '15 seconds'
                FROM due WHERE e.event_id = due.event_id
              RETURNING e.event_id, e.payload
              """,
          "SELECT event_id, payload " + DUE_IN_OUTBOX,
          """
          UPDATE outbox_event SET status = 1, done_at = (now() AT TIME ZONE 'UTC')
           WHERE event_id = ANY (?)
          """,
          "varchar");

  private final Tables tables;
  private final DataSource dataSource;
  private final Deliveries deliveries;
  private final boolean oneTransaction;
  private final Drainer product; // for its tables only
  private final List<Thread> threads = new ArrayList<>();

  /** The statements for the tables of one product. Immutable. */
  private record Tables(String claim, String lock, String finish, String idType) {}

  private RawDrain(
      Tables tables,
      Drainer product,
      DataSource dataSource,
      Deliveries deliveries,
      boolean oneTransaction) {
    this.tables = tables;
    this.product = product;
    this.dataSource = dataSource;
    this.deliveries = deliveries;
    this.oneTransaction = oneTransaction;
  }

  /** In the tables of the event bus: claims in one transaction and closes in the next. */
  public static RawDrain inTwoTransactions(DataSource dataSource, Deliveries deliveries) {
    return new RawDrain(BUS, new BusWorkers(dataSource, n -> {}), dataSource, deliveries, false);
  }

  /** In the tables of the event bus: locks, handles and closes in one transaction. */
  public static RawDrain inOneTransaction(DataSource dataSource, Deliveries deliveries) {
    return new RawDrain(BUS, new BusWorkers(dataSource, n -> {}), dataSource, deliveries, true);
  }

  /** In the table of the outbox: claims in one transaction and closes in the next. */
  public static RawDrain ofOutbox(DataSource dataSource, Deliveries deliveries) {
    return new RawDrain(
        OUTBOX, new OutboxWorkers(dataSource, n -> {}), dataSource, deliveries, false);
  }

  /** In the table of the outbox: locks, handles and closes in one transaction. */
  public static RawDrain ofOutboxInOne(DataSource dataSource, Deliveries deliveries) {
    return new RawDrain(
        OUTBOX, new OutboxWorkers(dataSource, n -> {}), dataSource, deliveries, true);
  }

  @Override
  public void store(int events) throws SQLException {
    product.store(events);
  }

  @Override
  public void start() {
    for (int i = 0; i < BusWorkers.WORKERS; i++) {
      Thread thread = new Thread(this::work, "raw-" + i);
      threads.add(thread);
      thread.start();
    }
  }

  private void work() {
    try (Connection conn = dataSource.getConnection()) {
      conn.setAutoCommit(false);
      while (workOnce(conn)) {
        conn.commit();
      }
      conn.rollback();
    } catch (SQLException e) {
      throw new IllegalStateException("the raw contender failed; its numbers are void", e);
    }
  }

  private boolean workOnce(Connection conn) throws SQLException {
    Object[] ids = take(conn);
    if (ids.length == 0) {
      return false;
    }
    if (!oneTransaction) {
      conn.commit();
    }
    try (PreparedStatement finish = conn.prepareStatement(tables.finish())) {
      finish.setArray(1, conn.createArrayOf(tables.idType(), ids));
      finish.executeUpdate();
    }
    return true;
  }

  private Object[] take(Connection conn) throws SQLException {
    List<String> payloads = new ArrayList<>(BATCH);
    List<Object> ids = new ArrayList<>(BATCH);
    String text = oneTransaction ? tables.lock() : tables.claim();
    try (PreparedStatement claim = conn.prepareStatement(text);
        ResultSet rows = claim.executeQuery()) {
      while (rows.next()) {
        ids.add(rows.getObject(1));
        payloads.add(rows.getString(2));
      }
    }
    payloads.forEach(payload -> deliveries.arrived(Business.number(payload)));
    return ids.toArray();
  }

  @Override
  public String unfinished() {
    return product.unfinished();
  }

  @Override
  public void close() {
    try {
      for (Thread thread : threads) {
        thread.join();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    product.close();
  }
}
