package benchmarks.contenders;

import benchmarks.Contender;
import benchmarks.Deliveries;
import holdfast.id.UlidGenerator;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import javax.sql.DataSource;
import outbox.jdbc.OutboxSchema;

/**
 * What JDBC can do at best: the same two inserts in the same tables, a hand-off in memory, and DONE
 * marks in batches, one by one or not at all. No retry, no lease, nothing after a crash. Safe for
 * use by many threads.
 */
public final class Raw implements Contender {
  private static final String INSERT =
      """
      INSERT INTO outbox_event (event_id, event_type, payload, status, attempts, available_at,
        created_at) VALUES (?, ?, ?::json, 0, 0, ?, ?)
      """;
  private static final String DONE =
      "UPDATE outbox_event SET status = 1, done_at = ? WHERE event_id = ANY (?)";
  private static final long LINGER_MS = 20;
  private static final Handed END = new Handed("", -1);

  private record Handed(String id, long number) {}

  private final String name;
  private final DataSource dataSource;
  private final int batch;
  private final Deliveries deliveries;
  private final LinkedBlockingQueue<Handed> queue = new LinkedBlockingQueue<>();
  private final Thread marker;

  private Raw(String name, DataSource dataSource, int batch, Deliveries deliveries) {
    this.name = name;
    this.dataSource = dataSource;
    this.batch = batch;
    this.deliveries = deliveries;
    this.marker = new Thread(this::deliver, name);
    OutboxSchema.createIfMissing(dataSource, "outbox_event");
    marker.start();
  }

  /** Only the inserts: DONE is never written. */
  public static Raw publishOnly(DataSource dataSource, Deliveries deliveries) {
    return new Raw("raw, publish only", dataSource, 0, deliveries);
  }

  /** DONE on one more connection, in batches of at most so many. */
  public static Raw marking(DataSource dataSource, int batch, Deliveries deliveries) {
    String name = batch == 1 ? "raw, DONE one by one" : "raw, DONE in batches of " + batch;
    return new Raw(name, dataSource, batch, deliveries);
  }

  @Override
  public String name() {
    return name;
  }

  @Override
  public void publish(long number) throws SQLException {
    String id = UlidGenerator.shared().next();
    try (Connection conn = dataSource.getConnection()) {
      conn.setAutoCommit(false);
      Business.insert(conn, number);
      try (PreparedStatement insert = conn.prepareStatement(INSERT)) {
        LocalDateTime now = LocalDateTime.ofInstant(Instant.now(), ZoneOffset.UTC);
        insert.setString(1, id);
        insert.setString(2, "Measured");
        insert.setString(3, Business.payload(number));
        insert.setObject(4, now);
        insert.setObject(5, now);
        insert.executeUpdate();
      }
      conn.commit();
      conn.setAutoCommit(true);
    }
    queue.add(new Handed(id, number));
  }

  private void deliver() {
    try {
      List<String> taken = new ArrayList<>();
      boolean more = true;
      while (more) {
        more = take(queue.take(), taken);
        while (more && batch > 1 && taken.size() < batch) {
          Handed next = queue.poll(LINGER_MS, TimeUnit.MILLISECONDS);
          if (next == null) {
            break;
          }
          more = take(next, taken);
        }
        if (batch > 0 && !taken.isEmpty()) {
          mark(taken.toArray(String[]::new));
        }
        taken.clear();
      }
    } catch (InterruptedException | SQLException e) {
      throw new IllegalStateException("the raw contender failed; its numbers are void", e);
    }
  }

  private boolean take(Handed next, List<String> taken) {
    if (next.equals(END)) {
      return false;
    }
    deliveries.arrived(next.number());
    taken.add(next.id());
    return true;
  }

  private void mark(String[] ids) throws SQLException {
    try (Connection conn = dataSource.getConnection();
        PreparedStatement done = conn.prepareStatement(DONE)) {
      done.setObject(1, LocalDateTime.ofInstant(Instant.now(), ZoneOffset.UTC));
      done.setArray(2, conn.createArrayOf("varchar", ids));
      done.executeUpdate();
    }
  }

  @Override
  public String unfinished() {
    return batch == 0
        ? "SELECT FALSE"
        : "SELECT EXISTS (SELECT 1 FROM outbox_event WHERE status IN (0, 2))";
  }

  @Override
  public void close() {
    queue.add(END);
    try {
      marker.join();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
