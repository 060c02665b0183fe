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
 * Confined to the thread of the {@link OutcomeWriter}.
 */
final class LeaseRenewal<T extends WorkItem> {
  private static final int BATCH = 500;
  private static final int TRIES_PER_PERIOD = 5;
  private static final String LOOP = "lease renewal";

  /** How long a published event may wait here while other nodes could take it. */
  static final Duration WAIT_BESIDE_OTHERS = Duration.ofSeconds(1);

  private final Outage outage;
  private final LeaseTimes times;
  private final WorkStore<T> store;
  private final InFlight<T> inFlight;
  private final Nodes nodes;
  private final TimeSource time;
  private final List<T> due = new ArrayList<>(); // what is left of a round
  private long nextAt;

  LeaseRenewal(
      Outage outage,
      LeaseTimes times,
      WorkStore<T> store,
      InFlight<T> inFlight,
      Nodes nodes,
      TimeSource time) {
    this.outage = outage;
    this.times = times;
    this.store = store;
    this.inFlight = inFlight;
    this.nodes = nodes;
    this.time = time;
    this.nextAt = time.nanoTime() + times.renewEvery().toNanos();
  }

  boolean hasNothingInFlight() {
    return inFlight.size() == 0;
  }

  /** There is nothing left to renew, and will not be. */
  void end() {
    nodes.leave();
  }

  Duration untilNext() {
    return Duration.ofNanos(due.isEmpty() ? Math.max(0, nextAt - time.nanoTime()) : 0);
  }

  /**
   * Renews a batch if it is time. When others are left, it is time again at once, after the
   * outcomes that have come meanwhile: on a slow database those must not wait for the renewal of
   * all events, which grow more while outcomes wait. What has waited too long in the queue is
   * handed over to be released.
   */
  void renewIfDue(Consumer<T> release) {
    if (!untilNext().isZero()) {
      return;
    }
    if (due.isEmpty()) {
      nextAt = time.nanoTime() + times.renewEvery().toNanos();
      releaseStale(release);
      due.addAll(latestFirst(inFlight.all())); // taken from the end
    }
    try {
      renew(nextBatch());
      outage.worked(LOOP);
    } catch (Exception e) {
      due.clear();
      nextAt = time.nanoTime() + times.renewEvery().dividedBy(TRIES_PER_PERIOD).toNanos();
      outage.failed(LOOP, e);
    }
    if (due.isEmpty()) {
      nodes.refresh(); // a node that claims nothing has no other thread for it
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
    long oldest = now - times.maxQueueWait().toNanos();
    long oldestBesideOthers = now - WAIT_BESIDE_OTHERS.toNanos();
    boolean beside = nodes.hasOthers();
    for (T item : inFlight.all()) {
      boolean stale =
          item.hasWaitedSince(oldest)
              || (beside && item.isJustCommitted() && item.hasWaitedSince(oldestBesideOthers));
      if (stale && item.leave()) {
        release.accept(item);
      }
    }
  }

  private void renew(List<T> items) throws Exception {
    if (items.isEmpty()) {
      return;
    }
    long sentAt = time.nanoTime();
    Set<T> lost = store.renew(items);
    long until = sentAt + times.length().toNanos();
    for (T item : items) {
      if (!lost.contains(item)) {
        item.extendLease(until);
      } else if (item.leave()) {
        inFlight.remove(item);
      }
    }
  }
}
