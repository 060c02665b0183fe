package holdfast.work;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * An event that this node has claimed, from the moment it is queued until its outcome is recorded.
 * Libraries extend it by what they claim.
 *
 * <p>Its stage moves only forward: from {@code QUEUED} to {@code RUNNING} by a worker, or to {@code
 * LEFT} when it is released or its lease is lost while it waits. The thread that makes that move
 * decides what happens next. The end of the lease is written by the thread that renewed it and read
 * by the worker that starts. Moments are readings of a monotonic clock. Safe for use by many
 * threads.
 */
public abstract class WorkItem {
  /** The priority that goes before all others: {@value}. */
  public static final int MOST_URGENT = 0;

  private enum Stage {
    QUEUED,
    RUNNING,
    LEFT
  }

  private final long queuedAt;
  private final AtomicReference<Stage> stage = new AtomicReference<>(Stage.QUEUED);
  private volatile long leaseEndsAt;
  private volatile long number;
  private volatile boolean startCounted;

  /**
   * Creates an item that is queued.
   *
   * @param queuedAt when it was queued; for a claimed one, before the claim was sent
   * @param leaseEndsAt when its lease ends, counted from before the claim was sent
   */
  protected WorkItem(long queuedAt, long leaseEndsAt) {
    this.queuedAt = queuedAt;
    this.leaseEndsAt = leaseEndsAt;
  }

  /** Returns the event's id. */
  public abstract Object id();

  /** Returns the event's type. */
  public abstract String type();

  /** Returns how many bytes of memory it takes with its payload and headers, about. */
  public abstract long bytes();

  /** Returns how many attempts have failed before. */
  public abstract int failures();

  /**
   * Returns how long it had been failing when it was claimed, by the table's clock; null if no
   * attempt had failed, or the table does not keep it.
   */
  public abstract @Nullable Duration failingFor();

  /** Returns whether the table keeps since when it fails; if not, only attempts limit retries. */
  public boolean isFailingTimeKept() {
    return true;
  }

  /** Returns whether it has been failing that long; never without a limit. */
  final boolean hasFailedFor(@Nullable Duration limit, long now) {
    Duration before = failingFor();
    return limit != null
        && before != null
        && before.plusNanos(now - queuedAt).compareTo(limit) >= 0;
  }

  /** Returns how long it may go on failing until that limit; the limit before its first failure. */
  final Duration failingTimeLeft(Duration limit, long now) {
    Duration before = failingFor();
    return before == null ? limit : limit.minus(before).minusNanos(now - queuedAt);
  }

  /**
   * Returns the size of its group if it is a suspect, otherwise 0: a lease of it has expired
   * before, and its worker may have died of it.
   */
  public abstract int suspectGroup();

  /** Returns whether it is a suspect. */
  public final boolean isSuspect() {
    return suspectGroup() > 0;
  }

  /** Returns whether other events wait for its outcome, which is recorded at once then. */
  public boolean isAwaited() {
    return isSuspect();
  }

  /** Returns whether the table has a lease on it for this node, which can be released. */
  public boolean isLeased() {
    return true;
  }

  /** Notes that the table has counted its start, before its handlers run. */
  public final void countStart() {
    startCounted = true;
  }

  /** Returns whether the table has counted its start, as it does for the only suspect of a node. */
  public final boolean isStartCounted() {
    return startCounted;
  }

  /**
   * Returns its priority, {@value #MOST_URGENT} or more: lower first; within one priority, the
   * order in which they came.
   */
  public int priority() {
    return MOST_URGENT;
  }

  /** Returns whether it waits in the queue, and has since that moment. */
  final boolean hasWaitedSince(long moment) {
    return isWaiting() && queuedAt - moment <= 0;
  }

  final boolean isWaiting() {
    return stage.get() == Stage.QUEUED;
  }

  /** Returns how long it has been in flight, in nanoseconds. */
  final long age(long now) {
    return now - queuedAt;
  }

  /** Returns how much of the lease is left, in nanoseconds. */
  final long leaseLeft(long now) {
    return leaseEndsAt - now;
  }

  final long leaseEndsAt() {
    return leaseEndsAt;
  }

  /** Notes that the lease was renewed. */
  final void extendLease(long until) {
    leaseEndsAt = until;
  }

  /** Returns whether the caller is the one to run it. */
  final boolean begin() {
    return stage.compareAndSet(Stage.QUEUED, Stage.RUNNING);
  }

  /** Returns whether the caller is the one to take it out of the queue without running it. */
  public final boolean leave() {
    return stage.compareAndSet(Stage.QUEUED, Stage.LEFT);
  }

  final void number(long place) {
    number = place;
  }

  final long number() {
    return number;
  }
}
