package holdfast.lease;

import holdfast.log.Outage;
import holdfast.time.TimeSource;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;

/**
 * Keeps the leases of everything a node has in hand: queued, running or awaiting its mark. Confined
 * to the thread of a {@link MarkWriter}.
 *
 * @param <L> what the node claims
 */
public final class LeaseRenewal<L extends Lease> {
  private static final int BATCH = 500;
  private static final int TRIES_PER_PERIOD = 5;

  /**
   * The table and the hand that a renewal looks after.
   *
   * @param <L> what the node claims
   */
  public interface Hand<L> {

    /** Everything in hand, at this moment. */
    Collection<L> all();

    /**
     * Renews leases in the table.
     *
     * @param leases at most 500
     * @return those that are no longer this node's
     * @throws Exception if the table could not be asked
     */
    Set<L> renew(List<L> leases) throws Exception;

    /** Lets go of one that was lost while it waited. */
    void lost(L lease);
  }

  private static final String LOOP = "lease renewal";

  private final Outage outage;
  private final LeaseTimes times;
  private final Hand<L> hand;
  private final TimeSource time;
  private long nextAt;

  /**
   * Creates the renewal of a library's leases.
   *
   * @param outage is told whether the table could be asked
   * @param times how long leases last
   * @param hand what to renew
   * @param time the clock to measure by
   */
  public LeaseRenewal(Outage outage, LeaseTimes times, Hand<L> hand, TimeSource time) {
    this.outage = outage;
    this.times = times;
    this.hand = hand;
    this.time = time;
    this.nextAt = time.nanoTime() + times.renewEvery().toNanos();
  }

  boolean hasNothingInHand() {
    return hand.all().isEmpty();
  }

  Duration untilNext() {
    return Duration.ofNanos(Math.max(0, nextAt - time.nanoTime()));
  }

  /** Renews if it is time; what has waited too long in a queue is handed over to be given back. */
  void renewIfDue(Consumer<L> giveBack) {
    if (nextAt - time.nanoTime() > 0) {
      return;
    }
    nextAt = time.nanoTime() + times.renewEvery().toNanos();
    giveBackStale(giveBack);
    List<L> leases = new ArrayList<>(hand.all());
    try {
      for (int from = 0; from < leases.size(); from += BATCH) {
        renew(leases.subList(from, Math.min(from + BATCH, leases.size())));
      }
      outage.worked(LOOP);
    } catch (Exception e) {
      nextAt = time.nanoTime() + times.renewEvery().dividedBy(TRIES_PER_PERIOD).toNanos();
      outage.failed(LOOP, e);
    }
  }

  private void giveBackStale(Consumer<L> giveBack) {
    long oldest = time.nanoTime() - times.maxQueueWait().toNanos();
    for (L lease : List.copyOf(hand.all())) {
      if (lease.hasWaitedSince(oldest) && lease.leave()) {
        giveBack.accept(lease);
      }
    }
  }

  private void renew(List<L> leases) throws Exception {
    long sentAt = time.nanoTime();
    Set<L> lost = hand.renew(leases);
    long until = sentAt + times.length().toNanos();
    for (L lease : leases) {
      if (!lost.contains(lease)) {
        lease.extendTo(until);
      } else if (lease.leave()) {
        hand.lost(lease);
      }
    }
  }
}
