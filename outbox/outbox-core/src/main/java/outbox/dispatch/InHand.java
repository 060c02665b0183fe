package outbox.dispatch;

import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * Everything this node has in hand. An event is reserved when it is queued and let go when its mark
 * is written, so that it is never queued a second time in between. At most one suspect is in hand.
 * Safe for use by many threads.
 */
final class InHand {
  private static final int REMEMBERED = 10_000;

  private final InFlightTracker tracker;
  private final ConcurrentMap<String, Delivery> deliveries = new ConcurrentHashMap<>();
  private final List<Set<String>> watches = new CopyOnWriteArrayList<>();
  private final AtomicReference<@Nullable Delivery> suspect = new AtomicReference<>();
  private final RecentIds settledCold = new RecentIds(REMEMBERED);

  InHand(InFlightTracker tracker) {
    this.tracker = tracker;
  }

  /**
   * Whether the event is the caller's now. A tracker may grant one that is in hand for too long:
   * whoever had it then lets go of nothing when it comes to its end.
   */
  boolean reserve(String eventId) {
    boolean granted = tracker.tryAcquire(eventId);
    if (granted) {
      deliveries.remove(eventId);
    }
    return granted;
  }

  /** Undoes a reservation for which no delivery came. */
  void cancel(String eventId) {
    tracker.release(eventId);
  }

  void add(Delivery delivery) {
    if (delivery.isSuspect()) {
      suspect.set(delivery);
    }
    deliveries.put(delivery.eventId(), delivery);
  }

  void release(Delivery delivery) {
    boolean current = deliveries.remove(delivery.eventId(), delivery);
    suspect.compareAndSet(delivery, null);
    watches.forEach(watch -> watch.add(delivery.eventId()));
    if (current) {
      tracker.release(delivery.eventId());
    }
  }

  /**
   * Lets an event go whose outcome is written. Without a lease, the poller may have found it before
   * its publisher was told of the commit: that is remembered, for when the publisher comes.
   */
  void settle(Delivery delivery) {
    if (delivery.held() == null && delivery.queued().source() == QueuedEvent.Source.COLD) {
      settledCold.add(delivery.eventId());
    }
    release(delivery);
  }

  /** Whether the poller was faster and all is done; asked when the event is reserved. */
  boolean isSettled(Delivery delivery) {
    return delivery.held() == null && settledCold.contains(delivery.eventId());
  }

  /**
   * The ids that are let go from now on, until {@link #unwatch}: each is in the set before it can
   * be reserved again.
   */
  Set<String> watch() {
    Set<String> released = ConcurrentHashMap.newKeySet();
    watches.add(released);
    return released;
  }

  @SuppressWarnings("ReferenceEquality") // two watches may hold the same ids
  void unwatch(Set<String> released) {
    watches.removeIf(watch -> watch == released);
  }

  boolean hasSuspect() {
    return suspect.get() != null;
  }

  boolean isEmpty() {
    return deliveries.isEmpty();
  }

  int size() {
    return deliveries.size();
  }

  List<Delivery> all() {
    return List.copyOf(deliveries.values());
  }
}
