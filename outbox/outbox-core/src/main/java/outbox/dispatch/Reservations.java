package outbox.dispatch;

import holdfast.work.Ended;
import holdfast.work.InFlight;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * Which events this node has or is about to have in flight. An event is reserved before it is
 * queued and free again when its outcome is recorded, so that it is never queued twice. Safe for
 * use by many threads.
 *
 * <p>The rest is for stores without leases, whose rows are read unlocked: a poll must not queue an
 * event that was settled since its rows were read, and a publisher must not queue one that the
 * poller has found and settled before the publisher heard of the commit.
 */
final class Reservations {
  private static final int REMEMBERED = 10_000;

  private final InFlightTracker tracker;
  private final InFlight<Delivery> inFlight;
  private final List<Set<String>> watches = new CopyOnWriteArrayList<>();
  private final Set<String> settledByPoller = Collections.synchronizedSet(newest(REMEMBERED));

  Reservations(InFlightTracker tracker, long maxBytes) {
    this.tracker = tracker;
    this.inFlight = new InFlight<>(maxBytes, this::removed);
  }

  private static Set<String> newest(int most) {
    return Collections.newSetFromMap(
        new LinkedHashMap<>() {
          private static final long serialVersionUID = 1L;

          @Override
          protected boolean removeEldestEntry(Map.Entry<String, Boolean> eldest) {
            return size() > most;
          }
        });
  }

  InFlight<Delivery> inFlight() {
    return inFlight;
  }

  /**
   * Reserves an event; false if it is reserved already. A tracker with a time limit may grant an id
   * again; the removal of the earlier delivery then frees nothing.
   */
  boolean reserve(String eventId) {
    boolean granted = tracker.tryAcquire(eventId);
    if (granted) {
      inFlight.forget(eventId);
    }
    return granted;
  }

  /** Frees an event that was reserved and not queued. */
  void cancel(String eventId) {
    tracker.release(eventId);
  }

  private void removed(Delivery delivery, boolean current) {
    watches.forEach(watch -> watch.add(delivery.id()));
    if (current) {
      tracker.release(delivery.id());
    }
  }

  /** Remembers an event that the poller found and whose outcome is recorded. */
  void settled(Ended<Delivery> ended) {
    settledByPoller.add(ended.item().id());
  }

  /** Returns whether the poller was faster and all is done; asked when the event is reserved. */
  boolean isSettled(Delivery delivery) {
    return settledByPoller.contains(delivery.id());
  }

  /**
   * Returns the ids that are freed from now on, until {@link #unwatch}: each is in the set before
   * it can be reserved again.
   */
  Set<String> watch() {
    Set<String> freed = ConcurrentHashMap.newKeySet();
    watches.add(freed);
    return freed;
  }

  @SuppressWarnings("ReferenceEquality") // two watches may hold the same ids
  void unwatch(Set<String> freed) {
    watches.removeIf(watch -> watch == freed);
  }
}
