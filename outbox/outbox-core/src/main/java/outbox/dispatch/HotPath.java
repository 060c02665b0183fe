package outbox.dispatch;

import static java.lang.System.Logger.Level.WARNING;

import holdfast.lifecycle.ClosingGate;
import holdfast.log.LibraryLogger;
import holdfast.log.LineLimit;
import holdfast.time.TimeSource;
import holdfast.work.LeaseTimes;
import holdfast.work.WorkEngine;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;
import outbox.EventEnvelope;
import outbox.OutboxException;
import outbox.model.Held;
import outbox.spi.EventStore;
import outbox.spi.LeaseStore;
import outbox.spi.MetricsExporter;

/**
 * The way from a publication to the workers: inserts in the business transaction, leased to this
 * node if it is to deliver them, and queues after the commit. Safe for use by many threads.
 */
final class HotPath {
  private static final System.Logger LOG = LibraryLogger.of("outbox");

  private final WorkEngine<Delivery> engine;
  private final DeliveryStore store;
  private final Reservations reservations;
  private final LeaseTimes lease;
  private final MetricsExporter metrics;
  private final TimeSource time;
  private final ClosingGate gate;
  private final boolean leaseOnInsert;
  private final Runnable wakeOthers;
  private final AtomicBoolean warnedOfColumns = new AtomicBoolean();
  private final LineLimit drops;
  private volatile Duration skipRecent = Duration.ofSeconds(1);
  private volatile boolean open;
  private volatile boolean hasColumns; // once true, it stays so

  HotPath(
      WorkEngine<Delivery> engine,
      DeliveryStore store,
      Reservations reservations,
      LeaseTimes lease,
      MetricsExporter metrics,
      TimeSource time,
      ClosingGate gate,
      boolean leaseOnInsert,
      Runnable wakeOthers) {
    this.engine = engine;
    this.store = store;
    this.reservations = reservations;
    this.lease = lease;
    this.metrics = metrics;
    this.time = time;
    this.gate = gate;
    this.leaseOnInsert = leaseOnInsert;
    this.wakeOthers = wakeOthers;
    this.drops = new LineLimit(time);
  }

  /** Takes events from now on; before that they are inserted without a lease and not queued. */
  void open() {
    open = true;
  }

  /** Sets the minimum row age before the poller claims it; acts as an implicit lease. */
  void skipRecent(Duration skipRecent) {
    this.skipRecent = skipRecent;
  }

  /** Inserts the events and returns what is to be done after the commit. */
  Runnable insert(EventStore table, Connection conn, List<EventEnvelope> events, boolean mayLease) {
    // Measured before the INSERT is sent, so that a lease seems shorter here than it is, never
    // longer.
    long startedAt = time.nanoTime();
    if (!(table instanceof LeaseStore leases) || !supportsLeases(leases, conn)) {
      requireUnordered(events);
      events.forEach(event -> table.insertNew(conn, event));
      return () -> queueAll(events, event -> unleased(event));
    }
    if (!leaseOnInsert) {
      insertUnleased(leases, conn, events);
      // The start margin is added because it is asked for in full, and this lease is shorter.
      long ends = startedAt + skipRecent.toNanos() + lease.startMargin().toNanos();
      return () -> queueAll(events, event -> Delivery.hot(event, leaseOnInsert, startedAt, ends));
    }
    if (!mayLease || !open || gate.isClosed()) {
      leases.insertAll(conn, events, null);
      return () -> wakePollers(events);
    }
    int room = roomFor(events);
    List<EventEnvelope> kept = events.subList(0, room);
    List<EventEnvelope> left = events.subList(room, events.size());
    if (!kept.isEmpty()) {
      leases.insertAll(conn, kept, store.terms());
    }
    if (!left.isEmpty()) {
      leases.insertAll(conn, left, null);
    }
    boolean counts = leases.leasesCountFromStatement(conn);
    long ends = counts ? startedAt + lease.length().toNanos() : startedAt;
    return () -> {
      queueAll(kept, event -> Delivery.hot(event, leaseOnInsert, startedAt, ends));
      leave(left, kept.isEmpty());
    };
  }

  /**
   * How many of the events, from the first on, this node can take; none after one that is paused,
   * since ordered events are numbered as they are inserted. A lease on others would only keep other
   * nodes and the poller from them.
   */
  private int roomFor(List<EventEnvelope> events) {
    int places = engine.committedRoom();
    long bytes = engine.inFlight().room();
    int room = 0;
    for (EventEnvelope event : events) {
      if (places <= 0 || bytes <= 0 || engine.isPaused(event.eventType())) {
        return room;
      }
      if (event.isImmediate()) {
        places--;
        bytes -= event.approximateSize();
      }
      room++;
    }
    return room;
  }

  /**
   * Leaves events that were inserted without a lease to the poller. That is usual in a transaction
   * with more events than the queue takes, and worth a line if it takes none.
   */
  private void leave(List<EventEnvelope> events, boolean none) {
    events.stream().filter(this::isDue).forEach(event -> countDrop(event.eventId(), none));
    wakePollers(events);
  }

  private boolean isDue(EventEnvelope event) {
    return event.isImmediate() && !engine.isPaused(event.eventType());
  }

  private void wakePollers(List<EventEnvelope> events) {
    if (events.stream().anyMatch(this::isDue)) {
      engine.due(Duration.ZERO);
      wakeOthers.run();
    }
  }

  private static void requireUnordered(List<EventEnvelope> events) {
    if (events.stream().anyMatch(EventEnvelope::isOrdered)) {
      throw new IllegalStateException(
          "ordered events must go to a table that numbers them but this one lacks the columns; run"
              + " the upgrade script or publish without ordered()");
    }
  }

  private static void insertUnleased(
      LeaseStore leases, Connection conn, List<EventEnvelope> events) {
    if (events.size() == 1) {
      leases.insertNew(conn, events.get(0));
    } else {
      leases.insertAll(conn, events, null);
    }
  }

  private boolean supportsLeases(LeaseStore leases, Connection conn) {
    if (!hasColumns && leases.supportsLeases(conn)) {
      hasColumns = true;
    }
    if (!hasColumns && warnedOfColumns.compareAndSet(false, true)) {
      LOG.log(
          WARNING,
          "outbox table lacks the columns for several nodes; working as a single node until the"
              + " upgrade script has been run and this node is restarted");
    }
    return hasColumns;
  }

  private Delivery unleased(EventEnvelope event) {
    QueuedEvent queued = new QueuedEvent(event, QueuedEvent.Source.HOT, 0);
    return Delivery.unleased(queued, time.nanoTime());
  }

  private void queueAll(List<EventEnvelope> events, Function<EventEnvelope, Delivery> entry) {
    for (EventEnvelope event : events) {
      if (event.isImmediate()) {
        queue(entry.apply(event));
      }
    }
  }

  /** Queues a committed event; false if it was refused, and released if it was leased. */
  boolean queue(Delivery delivery) {
    if (!open) {
      return false;
    }
    if (!gate.enter()) {
      refuse(delivery);
      return false;
    }
    boolean queued;
    try {
      if (!reservations.reserve(delivery.id())) {
        return true; // it waits or runs here already
      }
      if (reservations.isSettled(delivery)) {
        reservations.cancel(delivery.id());
        return true;
      }
      queued = engine.offerCommitted(delivery);
    } finally {
      gate.exit();
    }
    if (queued) {
      metrics.incrementHotEnqueued(); // outside the gate: closing does not wait for it
    } else if (!engine.isPaused(delivery.type())) {
      countDrop(delivery.id(), true);
    }
    return queued;
  }

  private void countDrop(String eventId, boolean unusual) {
    metrics.incrementHotDropped();
    // Beside other nodes the queue is kept short, and what follows a paused event is left, too.
    boolean full = unusual && !engine.nodes().hasOthers() && engine.nodes().pausedTypes().isEmpty();
    long dropped = full ? drops.next() : 0;
    if (dropped > 0) {
      LOG.log(
          WARNING,
          "outbox hot queue full, left to the poller: events="
              + dropped
              + " last eventId="
              + eventId);
    }
  }

  /** A commit after close: nobody is left to release the row but this thread. */
  private void refuse(Delivery delivery) {
    LeaseStore leases = store.leases();
    Held held = delivery.held();
    if (!delivery.isLeased() || leases == null || held == null) {
      return;
    }
    try {
      store.transactions().call(conn -> leases.release(conn, List.of(held), Duration.ZERO, false));
    } catch (SQLException | OutboxException e) {
      LOG.log(
          WARNING,
          "outbox closed before the commit and could not release eventId="
              + delivery.id()
              + "; another node takes it when its lease has run out",
          e);
    }
  }
}
