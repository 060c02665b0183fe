package benchmarks.contenders;

import benchmarks.Deliveries;
import benchmarks.Drainer;
import eventbus.EventBus;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import javax.sql.DataSource;

/**
 * What SQL can do at best in the same tables: four threads, each of which claims a hundred events
 * and closes a hundred, in two transactions or in one. In one, the rows stay locked while their
 * handlers run, so that nobody could keep, renew or fence a claim. No retries, no priorities,
 * nothing after a crash. For one thread.
 */
public final class RawDrain implements Drainer {
  private static final int BATCH = 100;
  private static final String CLAIM =
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
      """;
  private static final String LOCK =
      """
      SELECT id, payload FROM events
       WHERE type = 'Measured' AND priority = 5 AND claimed_by IS NULL AND lapses = 0
         AND available_at <= (now() AT TIME ZONE 'UTC')
       ORDER BY type, priority, available_at, id LIMIT 100 FOR UPDATE SKIP LOCKED
      """;
  private static final String FINISH =
      """
      WITH gone AS (
        DELETE FROM events WHERE id = ANY (?)
        RETURNING id, type, payload, headers, attempts, created_at)
      INSERT INTO event_log
        (id, type, payload, headers, attempts, created_at, status, finished_at)
      SELECT id, type, payload, headers, attempts, created_at, 'COMPLETED',
             (now() AT TIME ZONE 'UTC')
        FROM gone
      """;

  private final DataSource dataSource;
  private final Deliveries deliveries;
  private final boolean oneTransaction;
  private final EventBus bus;
  private final List<Thread> threads = new ArrayList<>();

  private RawDrain(DataSource dataSource, Deliveries deliveries, boolean oneTransaction) {
    this.dataSource = dataSource;
    this.deliveries = deliveries;
    this.oneTransaction = oneTransaction;
    this.bus = EventBus.builder(dataSource).createTables().build(); // for the tables only
  }

  /** Claims in one transaction and closes in the next. */
  public static RawDrain inTwoTransactions(DataSource dataSource, Deliveries deliveries) {
    return new RawDrain(dataSource, deliveries, false);
  }

  /** Locks, handles and closes in one transaction. */
  public static RawDrain inOneTransaction(DataSource dataSource, Deliveries deliveries) {
    return new RawDrain(dataSource, deliveries, true);
  }

  @Override
  public void store(int events) {
    StoredEvents.publish(bus, events);
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
    long[] ids = take(conn);
    if (ids.length == 0) {
      return false;
    }
    if (!oneTransaction) {
      conn.commit();
    }
    try (PreparedStatement finish = conn.prepareStatement(FINISH)) {
      finish.setObject(1, ids);
      finish.executeUpdate();
    }
    return true;
  }

  private long[] take(Connection conn) throws SQLException {
    List<String> payloads = new ArrayList<>(BATCH);
    List<Long> ids = new ArrayList<>(BATCH);
    try (PreparedStatement claim = conn.prepareStatement(oneTransaction ? LOCK : CLAIM);
        ResultSet rows = claim.executeQuery()) {
      while (rows.next()) {
        ids.add(rows.getLong(1));
        payloads.add(rows.getString(2));
      }
    }
    payloads.forEach(payload -> deliveries.arrived(Business.number(payload)));
    return ids.stream().mapToLong(Long::longValue).toArray();
  }

  @Override
  public String unfinished() {
    return BusWorkers.UNFINISHED;
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
  }
}
