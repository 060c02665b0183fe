package outbox.dispatch;

import static java.lang.System.Logger.Level.ERROR;

import holdfast.jdbc.Transactions;
import holdfast.log.LibraryLogger;
import holdfast.time.TimeSource;
import holdfast.work.Nodes;
import holdfast.work.Outcome;
import holdfast.work.WorkEngine;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import outbox.EventEnvelope;
import outbox.OutboxException;
import outbox.model.Claim;
import outbox.model.ClaimRequest;
import outbox.model.ClaimResult;
import outbox.model.OutboxEvent;
import outbox.spi.EventStore;
import outbox.spi.MetricsExporter;

/**
 * Brings due events from the table into the queue. Where the table leases events: locks them,
 * reserves them in this node, claims what could be reserved, all in one transaction. Otherwise
 * reads them unlocked, for a single node. Used by one thread at a time.
 */
final class DueEvents {
  /** How often to search for events that wait for others: what comes between is read meanwhile. */
  private static final Duration PARK_EVERY = Duration.ofSeconds(1);

  /** How many times in a row at most, so that claims go on. */
  private static final int PARK_ROUNDS = 20;

  /** How often to fold counters where nodes do not know of each other, which do it otherwise. */
  private static final Duration FOLD_EVERY = Duration.ofSeconds(2);

  private static final Duration FOLD_AGAIN = Duration.ofMillis(100);
  private static final String PARKING = "setting ordered events aside";
  private static final System.Logger LOG = LibraryLogger.of("outbox");

  private final WorkEngine<Delivery> engine;
  private final DeliveryStore store;
  private final Reservations reservations;
  private final DeliveryLog log;
  private final MetricsExporter metrics;
  private final int maxLapses;
  private final int workers;
  private final Set<String> limitedTypes;
  private final TimeSource time;
  private volatile boolean shared;
  private long parkedAt;
  private long foldAt;

  DueEvents(
      WorkEngine<Delivery> engine,
      DeliveryStore store,
      Reservations reservations,
      DeliveryLog log,
      MetricsExporter metrics,
      int maxLapses,
      int workers,
      Set<String> limitedTypes,
      TimeSource time) {
    this.engine = engine;
    this.store = store;
    this.reservations = reservations;
    this.log = log;
    this.metrics = metrics;
    this.maxLapses = maxLapses;
    this.workers = workers;
    this.limitedTypes = Set.copyOf(limitedTypes);
    this.time = time;
    this.shared = store.mayLease();
    this.parkedAt = time.nanoTime() - PARK_EVERY.toNanos();
    this.foldAt = time.nanoTime();
  }

  /** Returns whether other nodes can take events: the table leases them, as far as is known. */
  boolean isShared() {
    return shared;
  }

  /**
   * Claims due events and queues them.
   *
   * @return what was claimed; empty if the table cannot lease events
   */
  synchronized Optional<ClaimResult> claim(int limit, long bytes, Duration minAge)
      throws SQLException {
    if (!store.mayLease()) {
      return Optional.empty();
    }
    if (engine.nodes().isAllPaused()) {
      return Optional.of(new ClaimResult(List.of(), 0, List.of(), store.terms().length()));
    }
    ClaimRequest request =
        new ClaimRequest(
            store.terms(),
            limit,
            engine.roomOfLimitedTypes(limitedTypes),
            bytes,
            reservations.inFlight().suspectLimit(Math.min(limit, workers)),
            maxLapses,
            minAge);
    List<String> reserved = new ArrayList<>();
    long sentAt = time.nanoTime();
    try {
      Optional<ClaimResult> result =
          store.claim(request, () -> cancel(reserved), id -> reserve(id, reserved));
      shared = result.isPresent();
      result.ifPresent(found -> queueAll(found, reserved, sentAt));
      if (result.isPresent() && sentAt - parkedAt >= PARK_EVERY.toNanos()) {
        parkedAt = parkAll(minAge) ? sentAt - PARK_EVERY.toNanos() : sentAt;
      }
      if (engine.nodes().equals(Nodes.ALONE) && sentAt - foldAt >= 0) {
        foldCounters(sentAt);
      }
      return result;
    } finally {
      cancel(reserved);
    }
  }

  private void cancel(List<String> reserved) {
    reserved.forEach(reservations::cancel);
    reserved.clear();
  }

  private void queueAll(ClaimResult result, List<String> reserved, long sentAt) {
    for (Claim claim : result.claims()) {
      reserved.remove(claim.event().eventId());
      queue(claim, result.suspectGroup(), sentAt);
    }
    result.dead().forEach(this::reportDead);
  }

  /** Sets aside what waits for others; whether there may be more of it. */
  private boolean parkAll(Duration minAge) {
    try {
      int rounds = 0;
      while (rounds < PARK_ROUNDS && park(minAge) > 0) {
        rounds++;
      }
      log.outage().worked(PARKING);
      return rounds == PARK_ROUNDS;
    } catch (SQLException | OutboxException e) {
      log.outage().failed(PARKING, e);
      return false;
    }
  }

  private void foldCounters(long now) {
    foldAt = now + FOLD_EVERY.toNanos();
    try {
      if (store.foldCounters()) {
        foldAt = now + FOLD_AGAIN.toNanos();
        engine.due(FOLD_AGAIN);
      }
    } catch (SQLException | OutboxException e) {
      log.outage().failedOnce("folding counters", e);
    }
  }

  private int park(Duration minAge) throws SQLException {
    List<String> reserved = new ArrayList<>();
    try {
      return store.park(minAge, id -> reserve(id, reserved));
    } finally {
      reserved.forEach(reservations::cancel);
    }
  }

  private boolean reserve(String eventId, List<String> reserved) {
    boolean granted = reservations.reserve(eventId);
    if (granted) {
      reserved.add(eventId);
    }
    return granted;
  }

  private void queue(Claim claim, int group, long sentAt) {
    long leaseEndsAt = sentAt + store.terms().length().toNanos();
    Delivery delivery;
    try {
      delivery = Delivery.cold(EventEnvelope.of(claim), claim, group, sentAt, leaseEndsAt);
    } catch (IllegalArgumentException e) {
      String error = undecodable(claim.event(), e);
      EventEnvelope stub = EventEnvelope.of(withoutContent(claim.event()));
      Delivery undecodable = Delivery.cold(stub, claim, group, sentAt, leaseEndsAt);
      engine.end(undecodable, new Outcome.Dead(error, null));
      return;
    }
    if (claim.suspect()) {
      metrics.incrementLapsedClaims();
    }
    if (engine.offer(delivery)) {
      metrics.incrementColdEnqueued();
    }
  }

  private static String undecodable(OutboxEvent row, Exception cause) {
    LOG.log(ERROR, "outbox cannot decode eventId=" + row.eventId() + ", giving it up", cause);
    return "cannot be decoded: " + cause;
  }

  /** Not built: a row that others wrote may break the rules for new events as well. */
  private static OutboxEvent withoutContent(OutboxEvent row) {
    return new OutboxEvent(
        row.eventId(),
        row.eventType(),
        null,
        null,
        null,
        "null",
        null,
        row.attempts(),
        row.createdAt(),
        null);
  }

  private void reportDead(String eventId) {
    String times = " times while it was delivered";
    log.dead(eventId, null, "its node died or hung more than " + maxLapses + times);
  }

  /**
   * What a poll without locks has found.
   *
   * @param rows what was read
   * @param queued how many of them were queued
   * @param refused whether the queue had no room for the others
   * @param lag how long ago the first of them occurred, by the clocks of the publisher and this
   *     node
   */
  record Scanned(List<OutboxEvent> rows, int queued, boolean refused, Duration lag) {}

  /** What became of an event that was found in the table. */
  enum Entry {
    QUEUED,
    KNOWN,
    REFUSED
  }

  /**
   * Reads due events without locking them and queues them. An event whose outcome was recorded
   * since they were read is not queued: what was read of it is old, and it would be delivered
   * twice.
   */
  Scanned scan(EventStore table, Transactions in, Duration minAge, int limit) throws SQLException {
    Set<String> settledSince = reservations.watch();
    try {
      List<OutboxEvent> rows =
          in.call(conn -> table.pollPending(conn, time.instant(), minAge, limit));
      int queued = 0;
      boolean refused = false;
      for (int i = 0; i < rows.size() && !refused; i++) {
        Entry entry = queue(table, in, rows.get(i), settledSince);
        queued += entry == Entry.QUEUED ? 1 : 0;
        refused = entry == Entry.REFUSED;
      }
      return new Scanned(rows, queued, refused, lag(rows));
    } finally {
      reservations.unwatch(settledSince);
    }
  }

  private Duration lag(List<OutboxEvent> rows) {
    Instant now = time.instant();
    return rows.stream()
        .map(row -> Duration.between(row.createdAt(), now))
        .max(Duration::compareTo)
        .orElse(Duration.ZERO);
  }

  private Entry queue(EventStore table, Transactions in, OutboxEvent row, Set<String> outdated) {
    EventEnvelope event;
    try {
      event = EventEnvelope.of(row);
    } catch (IllegalArgumentException e) {
      giveUp(table, in, row, undecodable(row, e));
      return Entry.KNOWN;
    }
    return queue(new QueuedEvent(event, QueuedEvent.Source.COLD, row.attempts()), outdated);
  }

  private void giveUp(EventStore table, Transactions in, OutboxEvent row, String error) {
    try {
      in.run(conn -> table.markDead(conn, row.eventId(), error));
      log.dead(row.eventId(), row.eventType(), error);
    } catch (SQLException | RuntimeException e) {
      log.outage().failedOnce("marking an undecodable event as dead", e);
    }
  }

  /** Queues an event that was read without a lock, unless it is among the outdated ones. */
  Entry queue(QueuedEvent event, Set<String> outdated) {
    Delivery delivery = Delivery.unleased(event, time.nanoTime());
    if (!reservations.reserve(delivery.id())) {
      return Entry.KNOWN; // it waits or runs here already
    }
    if (outdated.contains(delivery.id())) { // after reserving: it cannot be freed in between
      reservations.cancel(delivery.id());
      return Entry.KNOWN;
    }
    if (!engine.offer(delivery)) {
      return Entry.REFUSED;
    }
    metrics.incrementColdEnqueued();
    return Entry.QUEUED;
  }
}
