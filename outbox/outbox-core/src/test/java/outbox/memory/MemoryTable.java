package outbox.memory;

import holdfast.time.TimeSource;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.UnaryOperator;
import outbox.EventEnvelope;
import outbox.model.EventStatus;
import outbox.model.OutboxEvent;
import outbox.spi.ConnectionProvider;
import outbox.spi.EventStore;
import outbox.util.JsonCodec;

/**
 * An application's own store: the five methods and nothing else, rows in a map. Safe for use by
 * many threads.
 */
public final class MemoryTable implements EventStore, ConnectionProvider {

  /** A row as the last commit left it. */
  public record Row(
      EventEnvelope event, EventStatus status, int attempts, Instant availableAt, String error) {

    boolean isPending() {
      return status == EventStatus.NEW || status == EventStatus.RETRY;
    }

    Row with(EventStatus next, int attemptsNow, Instant availableAtNow, String errorNow) {
      return new Row(event, next, attemptsNow, availableAtNow, errorNow);
    }
  }

  /** What may go wrong; called before each statement. */
  @FunctionalInterface
  public interface Fault {
    /** Throws if the statement is to fail. */
    void strike(String statement, String eventId);
  }

  /** How often the table was looked into. */
  public final AtomicInteger polls = new AtomicInteger();

  /** Whether no connection can be had. */
  public volatile boolean down;

  /** What may go wrong with a statement. */
  public volatile Fault fault = (statement, eventId) -> {};

  /** Changes rows on their way out of the table, as a damaged column would. */
  public volatile UnaryOperator<OutboxEvent> damage = UnaryOperator.identity();

  private final Map<String, Row> rows = new LinkedHashMap<>();
  private final TimeSource time;

  /** An empty table. */
  public MemoryTable(TimeSource time) {
    this.time = time;
  }

  @Override
  public Connection getConnection() throws SQLException {
    if (down) {
      throw new SQLException("the database is down");
    }
    return MemoryConnection.open();
  }

  /** The row of an event, if it was committed. */
  public synchronized Optional<Row> row(String eventId) {
    return Optional.ofNullable(rows.get(eventId));
  }

  /** The status of an event whose row is there. */
  public EventStatus status(String eventId) {
    return row(eventId).orElseThrow().status();
  }

  /** How many rows have that status. */
  public synchronized long count(EventStatus status) {
    return rows.values().stream().filter(row -> row.status() == status).count();
  }

  /** All rows, in the order of their commits. */
  public synchronized List<Row> all() {
    return List.copyOf(rows.values());
  }

  /** Commits events in a transaction of their own, without telling any dispatcher. */
  public void insert(EventEnvelope... events) {
    for (EventEnvelope event : events) {
      insertNew(MemoryConnection.open(), event);
    }
  }

  @Override
  public void insertNew(Connection conn, EventEnvelope event) {
    fault.strike("insert", event.eventId());
    Instant due = event.availableAt() == null ? time.instant() : event.availableAt();
    Duration delay = event.deliverAfter() == null ? Duration.ZERO : event.deliverAfter();
    Row row = new Row(event, EventStatus.NEW, 0, due.plus(delay), null);
    MemoryConnection.of(conn).change(() -> put(row));
  }

  private synchronized void put(Row row) {
    if (rows.putIfAbsent(row.event().eventId(), row) != null) {
      throw new IllegalStateException("a second row for " + row.event());
    }
  }

  @Override
  public int markDone(Connection conn, String eventId) {
    return mark(conn, "done", eventId, r -> r.with(EventStatus.DONE, r.attempts(), null, null));
  }

  @Override
  public int markRetry(Connection conn, String eventId, Instant nextAt, String error) {
    return mark(
        conn, "retry", eventId, r -> r.with(EventStatus.RETRY, r.attempts() + 1, nextAt, error));
  }

  @Override
  public int markDead(Connection conn, String eventId, String error) {
    return mark(conn, "dead", eventId, r -> r.with(EventStatus.DEAD, r.attempts(), null, error));
  }

  private int mark(Connection conn, String statement, String eventId, UnaryOperator<Row> change) {
    fault.strike(statement, eventId);
    if (row(eventId).filter(Row::isPending).isEmpty()) {
      return 0;
    }
    MemoryConnection.of(conn).change(() -> replace(eventId, change));
    return 1;
  }

  private synchronized void replace(String eventId, UnaryOperator<Row> change) {
    rows.computeIfPresent(eventId, (id, row) -> row.isPending() ? change.apply(row) : row);
  }

  @Override
  public List<OutboxEvent> pollPending(
      Connection conn, Instant now, Duration skipRecent, int limit) {
    polls.incrementAndGet();
    fault.strike("poll", "");
    return all().stream()
        .filter(row -> row.isPending() && !row.availableAt().isAfter(now))
        .filter(row -> !row.event().occurredAt().isAfter(now.minus(skipRecent)))
        .sorted(Comparator.comparing(row -> row.event().occurredAt()))
        .limit(limit)
        .map(row -> damage.apply(read(row)))
        .toList();
  }

  private static OutboxEvent read(Row row) {
    EventEnvelope event = row.event();
    return new OutboxEvent(
        event.eventId(),
        event.eventType(),
        event.aggregateType(),
        event.aggregateId(),
        event.tenantId(),
        event.storedPayload(),
        JsonCodec.toJson(event.headers()),
        row.attempts(),
        event.occurredAt(),
        event.payloadBytes() == null ? null : OutboxEvent.BASE64);
  }
}
