package outbox.dispatch;

import static java.lang.System.Logger.Level.WARNING;

import holdfast.lifecycle.ClosingGate;
import holdfast.log.LibraryLogger;
import holdfast.log.LineLimit;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import outbox.EventEnvelope;
import outbox.OutboxException;
import outbox.model.Held;
import outbox.spi.EventStore;
import outbox.spi.LeaseStore;

/**
 * The way from a publication to the workers: inserts in the business transaction, leased to this
 * node if it is to deliver them, and queues after the commit. Safe for use by many threads.
 */
final class HotPath {
  private static final System.Logger LOG = LibraryLogger.of("outbox");

  private final Node node;
  private final ClosingGate gate;
  private final boolean leaseOnInsert;
  private final AtomicBoolean warnedOfColumns = new AtomicBoolean();
  private final LineLimit drops;
  private volatile Duration skipRecent = Duration.ofSeconds(1);
  private volatile boolean open;

  HotPath(Node node, ClosingGate gate, boolean leaseOnInsert) {
    this.node = node;
    this.gate = gate;
    this.leaseOnInsert = leaseOnInsert;
    this.drops = new LineLimit(node.time());
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
  Runnable insert(EventStore store, Connection conn, List<EventEnvelope> events, boolean mayLease) {
    // Measured before the INSERT is sent, so that a lease seems shorter here than it is, never
    // longer.
    long startedAt = node.time().nanoTime();
    if (!(store instanceof LeaseStore leases) || !supportsLeases(leases, conn)) {
      requireUnordered(events);
      events.forEach(event -> store.insertNew(conn, event));
      return () -> queueAll(events, event -> unleased(event));
    }
    if (!leaseOnInsert) {
      insertUnleased(leases, conn, events);
      // The start margin is added because it is asked for in full, and this lease is shorter.
      long ends = startedAt + skipRecent.toNanos() + node.lease().startMargin().toNanos();
      return () -> queueAll(events, event -> Delivery.hot(event, startedAt, ends));
    }
    if (!mayLease || !open || gate.isClosed()) {
      leases.insertAll(conn, events, null);
      return () -> {};
    }
    leases.insertAll(conn, events, node.terms());
    boolean counts = leases.leasesCountFromStatement(conn);
    long ends = counts ? startedAt + node.lease().length().toNanos() : startedAt;
    return () -> queueAll(events, event -> Delivery.hot(event, startedAt, ends));
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
    boolean supported = leases.supportsLeases(conn);
    if (!supported && warnedOfColumns.compareAndSet(false, true)) {
      LOG.log(
          WARNING,
          "outbox table lacks the columns for several nodes; working as a single node until the"
              + " upgrade script has been run");
    }
    return supported;
  }

  private Delivery unleased(EventEnvelope event) {
    QueuedEvent queued = new QueuedEvent(event, QueuedEvent.Source.HOT, 0);
    return Delivery.unleased(queued, node.time().nanoTime());
  }

  private void queueAll(
      List<EventEnvelope> events, java.util.function.Function<EventEnvelope, Delivery> entry) {
    for (EventEnvelope event : events) {
      if (event.isImmediate()) {
        queue(entry.apply(event));
      }
    }
  }

  /** Queues a committed event; false if it was refused, and given back if it was leased. */
  boolean queue(Delivery delivery) {
    if (!open) {
      return false;
    }
    if (!gate.enter()) {
      refuse(delivery);
      return false;
    }
    try {
      if (!node.inHand().reserve(delivery.eventId())) {
        return true; // it waits or runs here already
      }
      if (node.inHand().isSettled(delivery)) {
        node.inHand().cancel(delivery.eventId());
        return true;
      }
      node.inHand().add(delivery);
      if (node.queues().offerHot(delivery)) {
        node.metrics().incrementHotEnqueued();
        return true;
      }
      downgrade(delivery);
      return false;
    } finally {
      gate.exit();
    }
  }

  private void downgrade(Delivery delivery) {
    node.metrics().incrementHotDropped();
    long dropped = drops.next();
    if (dropped > 0) {
      LOG.log(
          WARNING,
          "outbox hot queue full, left to the poller: events="
              + dropped
              + " last eventId="
              + delivery.eventId());
    }
    if (delivery.leave()) {
      boolean leased = leaseOnInsert && delivery.held() != null;
      // The publisher does not wait for a backlog of marks: what finds no room lapses.
      if (!leased
          || !node.writer().offer(new Mark(delivery, new Outcome.GivenBack(Duration.ZERO)))) {
        node.inHand().release(delivery);
      }
    }
  }

  /** A commit after close: nobody is left to give the row back but this thread. */
  private void refuse(Delivery delivery) {
    LeaseStore leases = node.leases();
    Held held = delivery.held();
    if (!leaseOnInsert || leases == null || held == null) {
      return;
    }
    try {
      node.transactions().call(conn -> leases.giveBack(conn, List.of(held), Duration.ZERO));
    } catch (SQLException | OutboxException e) {
      LOG.log(
          WARNING,
          "outbox closed before the commit and could not give back eventId="
              + delivery.eventId()
              + "; another node takes it when its lease has run out",
          e);
    }
  }
}
