package holdfast.work;

import holdfast.log.Outage;
import holdfast.time.TimeSource;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;

/**
 * Renews the lease of every event in flight: queued, running or awaiting its outcome's record.
 * Releases those that have waited too long for a worker. Confined to the thread of the {@link
 * OutcomeWriter}.
 */
final class LeaseRenewal<T extends WorkItem> {
  private static final int BATCH = 500;
  private static final int TRIES_PER_PERIOD = 5;
  private static final String LOOP = "lease renewal";

  /** How long an event may wait here while other nodes could take it. */
  static final Duration WAIT_BESIDE_OTHERS = Duration.ofSeconds(1);

  /** Leases may be renewed much more seldom. */
  private static final Duration CHECK_AT_LEAST_EVERY = Duration.ofSeconds(5);

  private final Outage outage;
  private final LeaseTimes times;
  private final Duration checkEvery;
  private final WorkStore<T> store;
  private final InFlight<T> inFlight;
  private final Nodes nodes;
  private final Runnable onLeft;
  private final TimeSource time;
  private final List<T> due = new ArrayList<>(); // what is left of a round
  private long nextAt;
  private long checkAt;

  /** Creates it; the listener is called when events have left the queue without being taken. */
  LeaseRenewal(
      Outage outage,
      LeaseTimes times,
      WorkStore<T> store,
      InFlight<T> inFlight,
      Nodes nodes,
      Runnable onLeft,
      TimeSource time) {
    this.outage = outage;
    this.times = times;
    this.store = store;
    this.inFlight = inFlight;
    this.nodes = nodes;
    this.onLeft = onLeft;
    this.time = time;
    Duration renewEvery = times.renewEvery();
    this.checkEvery =
        renewEvery.compareTo(CHECK_AT_LEAST_EVERY) < 0 ? renewEvery : CHECK_AT_LEAST_EVERY;
    this.nextAt = time.nanoTime() + renewEvery.toNanos();
    this.checkAt = time.nanoTime() + checkEvery.toNanos();
  }

  boolean hasNothingInFlight() {
    return inFlight.size() == 0;
  }

  /** There is nothing left to renew, and will not be. */
  void end() {
    nodes.leave();
  }

  Duration untilNext() {
    long now = time.nanoTime();
    return Duration.ofNanos(due.isEmpty() ? Math.max(0, Math.min(nextAt - now, checkAt - now)) : 0);
  }

  /**
   * Renews a batch if it is time. When others are left, it is time again at once, after the
   * outcomes that have come meanwhile: on a slow database those must not wait for the renewal of
   * all events, which grow more while outcomes wait. What has waited too long in the queue is
   * handed over to be released, some seconds later at most.
   */
  void renewIfDue(Consumer<T> release) {
    if (!untilNext().isZero()) {
      return;
    }
    long now = time.nanoTime();
    if (now - checkAt >= 0) {
      checkAt = now + checkEvery.toNanos();
      releaseStale(release);
    }
    if (!due.isEmpty()) {
      renewNext();
    } else if (now - nextAt >= 0) {
      nextAt = now + times.renewEvery().toNanos();
      due.addAll(latestFirst(inFlight.all())); // taken from the end
      renewNext();
    }
    if (due.isEmpty()) {
      nodes.refresh(); // a node that claims nothing has no other thread for it
    }
  }

  private void renewNext() {
    try {
      renew(nextBatch());
      outage.worked(LOOP);
    } catch (Exception e) {
      due.clear();
      nextAt = time.nanoTime() + times.renewEvery().dividedBy(TRIES_PER_PERIOD).toNanos();
      outage.failed(LOOP, e);
    }
  }

  /** Sorts by one reading of each lease: workers renew leases, too, also while this sorts. */
  private static <T extends WorkItem> List<T> latestFirst(Collection<T> items) {
    record Lease<T>(T item, long endsAt) {}
    return items.stream()
        .map(item -> new Lease<>(item, item.leaseEndsAt()))
        .sorted(Comparator.<Lease<T>>comparingLong(Lease::endsAt).reversed())
        .map(Lease::item)
        .toList();
  }

  /** Takes those whose leases end first, without what was recorded meanwhile. */
  private List<T> nextBatch() {
    List<T> batch = new ArrayList<>();
    while (batch.size() < BATCH && !due.isEmpty()) {
      T item = due.remove(due.size() - 1);
      if (inFlight.contains(item)) {
        batch.add(item);
      }
    }
    return batch;
  }

  private void releaseStale(Consumer<T> release) {
    long now = time.nanoTime();
    Duration most = times.maxQueueWait();
    if (nodes.hasOthers() && most.compareTo(WAIT_BESIDE_OTHERS) > 0) {
      most = WAIT_BESIDE_OTHERS;
    }
    long oldest = now - most.toNanos();
    boolean left = false;
    for (T item : inFlight.all()) {
      if (item.hasWaitedSince(oldest) && item.leave()) {
        release.accept(item);
        left = true;
      }
    }
    if (left) {
      onLeft.run();
    }
  }

  private void renew(List<T> items) throws Exception {
    if (items.isEmpty()) {
      return;
    }
    long sentAt = time.nanoTime();
    Set<T> lost = store.renew(items);
    long until = sentAt + times.length().toNanos();
    boolean left = false;
    for (T item : items) {
      if (!lost.contains(item)) {
        item.extendLease(until);
      } else if (item.leave()) {
        inFlight.remove(item);
        left = true;
      }
    }
    if (left) {
      onLeft.run();
    }
  }
}
