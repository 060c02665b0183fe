package eventbus.work;

import eventbus.Event;
import holdfast.lease.Lease;

/** An event in the hands of this node. Safe for use by many threads. */
final class Delivery extends Lease {
  private final Event event;
  private final long order;
  private volatile boolean startCounted;

  Delivery(Event event, long order, long claimedAt, long leaseEnds) {
    super(claimedAt, leaseEnds);
    this.event = event;
    this.order = order;
  }

  Event event() {
    return event;
  }

  /** The number in which it was claimed. */
  long order() {
    return order;
  }

  boolean isSuspect() {
    return event.claim().isSuspect();
  }

  /** Notes that the table has counted its start, before its handlers run. */
  void countStart() {
    startCounted = true;
  }

  /** Whether the table has counted its start, as it does for a suspect. */
  boolean isStartCounted() {
    return startCounted;
  }

  @Override
  public String toString() {
    return event.toString();
  }
}
