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
import java.util.function.Consumer;
import java.util.function.Function;
import outbox.EventEnvelope;
import outbox.OutboxException;
import outbox.spi.EventStore;
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
  private final UncommittedEvents uncommitted = new UncommittedEvents();
  private final LineLimit drops;
  private volatile Duration skipRecent = Duration.ofSeconds(1);
  private volatile boolean open;

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

  /**
   * Inserts the events and returns what is to be done after the commit. Until then it keeps those
   * that this node is to deliver, and of the others nothing.
   *
   * @param onRollback takes what is to be done after a rollback
   */
  Runnable insert(
      EventStore table,
      Connection conn,
      List<EventEnvelope> events,
      boolean mayLease,
      Consumer<Runnable> onRollback) {
    // Measured before the INSERT is sent, so that a lease seems shorter here than it is, never
    // longer.
    long startedAt = time.nanoTime();
    if (!store.canLease(table, conn)) {
      store.insertPlain(table, conn, events);
      return () -> queueAll(events, this::unleased);
    }
    if (!leaseOnInsert) {
      store.insert(table, conn, events, false);
      // The start margin is added because it is asked for in full, and this lease is shorter.
      long ends = startedAt + skipRecent.toNanos() + lease.startMargin().toNanos();
      return () -> queueAll(events, event -> Delivery.hot(event, leaseOnInsert, startedAt, ends));
    }
    if (!mayLease || !open || gate.isClosed()) {
      store.insert(table, conn, events, false);
      return events.stream().anyMatch(this::isDue) ? this::wakePollers : () -> {};
    }
    return insertLeased(table, conn, events, startedAt, onRollback);
  }

  private Runnable insertLeased(
      EventStore table,
      Connection conn,
      List<EventEnvelope> events,
      long startedAt,
      Consumer<Runnable> onRollback) {
    int room = roomFor(events);
    boolean full = room == 0 && uncommitted.count() == 0;
    List<EventEnvelope> kept = events.subList(0, room);
    List<EventEnvelope> left = events.subList(room, events.size());
    store.insert(table, conn, kept, true);
    store.insert(table, conn, left, false);
    long ends = startedAt + (store.leasesCountFromStatement() ? lease.length().toNanos() : 0);
    Function<EventEnvelope, Delivery> entry =
        event -> Delivery.hot(event, leaseOnInsert, startedAt, ends);
    return afterCommit(kept, left, full, entry, onRollback);
  }

  /** Queues what this node keeps; of the others only their number is remembered. */
  private Runnable afterCommit(
      List<EventEnvelope> kept,
      List<EventEnvelope> left,
      boolean full,
      Function<EventEnvelope, Delivery> entry,
      Consumer<Runnable> onRollback) {
    List<EventEnvelope> queued = kept.stream().filter(EventEnvelope::isImmediate).toList();
    List<String> due = left.stream().filter(this::isDue).map(EventEnvelope::eventId).toList();
    int leftCount = due.size();
    String lastLeft = leftCount == 0 ? "" : due.get(leftCount - 1);
    Runnable forget = queued.isEmpty() ? () -> {} : uncommitted.add(queued);
    if (!queued.isEmpty()) {
      onRollback.accept(forget);
    }
    return () -> {
      try {
        queueAll(queued, entry);
      } finally {
        forget.run();
      }
      leave(leftCount, lastLeft, full);
    };
  }

  /**
   * How many of the events, from the first on, this node can take, beside those in flight and those
   * of transactions that have not ended; none after one that is paused, since ordered events are
   * numbered as they are inserted. A lease on others would only keep other nodes and the poller
   * from them.
   */
  private int roomFor(List<EventEnvelope> events) {
    int waiting = uncommitted.count();
    long waitingBytes = uncommitted.bytes();
    int places = engine.committedRoom() - waiting;
    long bytes = engine.inFlight().room() - waitingBytes;
    boolean alone = engine.inFlight().size() + waiting == 0; // then one has room at any size
    int room = 0;
    for (EventEnvelope event : events) {
      long size = event.isImmediate() ? event.approximateSize() : 0;
      boolean fits = places > 0 && (alone || size <= bytes);
      if (!fits || engine.isPaused(event.eventType())) {
        return room;
      }
      if (event.isImmediate()) {
        places--;
        bytes -= size;
        alone = false;
      }
      room++;
    }
    return room;
  }

  /**
   * Leaves events that were inserted without a lease to the poller. That is usual in a transaction
   * with more events than the node can take, and worth a line if it was full before.
   */
  private void leave(int events, String lastId, boolean full) {
    for (int i = 0; i < events; i++) {
      countDrop(lastId, full);
    }
    if (events > 0) {
      wakePollers();
    }
  }

  private boolean isDue(EventEnvelope event) {
    return event.isImmediate() && !engine.isPaused(event.eventType());
  }

  private void wakePollers() {
    engine.due(Duration.ZERO);
    wakeOthers.run();
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
          "outbox hot queue or maxInFlightBytes full, left to the poller: events="
              + dropped
              + " last eventId="
              + eventId);
    }
  }

  /** A commit after close: nobody is left to release the row but this thread. */
  private void refuse(Delivery delivery) {
    try {
      if (store.release(delivery)) {
        wakeOthers.run();
      }
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
