package failover.execution;

import failover.FailoverCall;
import failover.FailoverOutcome.FailureReason;
import failover.recovery.FailoverHandler.Recovery;
import failover.store.FailoverStoreException;
import failover.threads.SharedThreads;
import holdfast.lifecycle.Deadline;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.CountDownLatch;
import org.jspecify.annotations.Nullable;

/**
 * What is stored for one call: read once, on the caller's thread where that takes no waiting, on
 * another within a time limit elsewhere. For use by the thread of the caller and the one that
 * reads.
 */
final class StoredAnswer<T> implements SharedThreads.Work {
  private final StoreReads reads;
  private final FailoverCall<T> call;
  private final Point point;
  private final Runnable whenRead;
  private volatile @Nullable Recovery<T> recovery;
  private long nanos; // written before the recovery, and read after it

  // Of the caller's thread, and not changed while the other one runs. What only a read on another
  // thread needs is made for that one alone: most answers are in memory.
  private boolean begun;
  private @Nullable CountDownLatch done;
  private @Nullable Deadline limit;
  private @Nullable Throwable cause;
  private @Nullable Instant now;
  private @Nullable Runnable carried;
  private long beganAt;

  StoredAnswer(StoreReads reads, FailoverCall<T> call, Point point, Runnable whenRead) {
    this.reads = reads;
    this.call = call;
    this.point = point;
    this.whenRead = whenRead;
  }

  /** Has reading that another thread begins carry what hangs on this one. */
  void carryFromHere() {
    carried = reads.carried(this::read);
  }

  /**
   * Begins to read, unless that has been done.
   *
   * @param cause the failure that an answer is needed for
   * @param now by which its age is judged
   */
  void begin(Throwable cause, Instant now) {
    if (begun) {
      return;
    }
    this.begun = true;
    this.cause = cause;
    this.now = now;
    this.beganAt = reads.nanoTime();
    Recovery<T> known = point.handler.recoverAtOnce(call, cause, now);
    if (known != null) {
      end(known);
    } else {
      this.done = new CountDownLatch(1);
      this.limit = reads.limit();
      beginElsewhere();
    }
  }

  /** The call may be under way on another thread: what carries the context must not end it. */
  private void beginElsewhere() {
    try {
      carried = carried == null ? reads.carried(this::read) : carried;
    } catch (RuntimeException | Error e) {
      failed(e);
      return;
    }
    reads.threads().submit(point.reads, this);
  }

  @Override
  public void run() {
    try {
      Runnable task = carried;
      if (task != null) {
        task.run();
      }
      failed(new IllegalStateException("the context of the caller must run what it carries"));
    } catch (RuntimeException | Error e) { // of what carries the context; the call goes on
      failed(e);
    }
  }

  private void read() {
    Throwable why = cause;
    Instant at = now;
    if (why != null && at != null) {
      end(point.handler.recover(call, why, at));
    }
  }

  /** Does nothing if it was read before. */
  @Override
  public void failed(Throwable why) {
    if (recovery == null) {
      end(new Recovery.Missing<>(FailureReason.STORE_FAILED, why));
    }
  }

  private void end(Recovery<T> found) {
    nanos = reads.nanoTime() - beganAt;
    recovery = found;
    CountDownLatch latch = done;
    if (latch != null) {
      latch.countDown();
    }
    whenRead.run();
  }

  /** What was read; null if it was not, or not yet. */
  @Nullable Recovery<T> recovery() {
    return recovery;
  }

  boolean isRead() {
    return recovery != null;
  }

  boolean isFound() {
    return recovery instanceof Recovery.Found;
  }

  /** How long it took, if somebody wants to know. */
  long nanos() {
    return recovery == null ? 0 : nanos;
  }

  /**
   * What is stored, or that the store did not say so in time.
   *
   * @param cause the failure that an answer is needed for
   * @param now by which its age is judged
   * @param end when the call is over; null if only the time for reading is limited
   */
  Recovery<T> await(Throwable cause, Instant now, @Nullable Deadline end) {
    boolean isNew = !begun;
    begin(cause, now);
    Recovery<T> known = recovery;
    if (known == null) {
      known = awaited(end);
    } else if (!isNew && known instanceof Recovery.Missing) {
      Recovery<T> since = point.handler.recoverAtOnce(call, cause, now);
      known = since instanceof Recovery.Found ? since : known;
    }
    return known;
  }

  private Recovery<T> awaited(@Nullable Deadline end) {
    Deadline mine = limit;
    CountDownLatch latch = done;
    Duration left = Duration.ZERO;
    if (mine != null && latch != null) {
      Deadline first = end != null && end.remaining().compareTo(mine.remaining()) < 0 ? end : mine;
      left = first.remaining();
      first.awaitUninterruptibly(latch);
    }
    Recovery<T> known = recovery;
    if (known != null) {
      point.readsInTime();
      return known;
    }
    reads.threads().withdraw(point.reads, this);
    FailoverStoreException late =
        new FailoverStoreException(
            "the store must answer failover '%s' within its timeout and readTimeout but did not in the"
                    .formatted(call.spec().name())
                + " %s that were left; check that the store can be reached, or raise readTimeout"
                    .formatted(left),
            null);
    point.readsTooLate(late);
    return new Recovery.Missing<>(FailureReason.STORE_FAILED, late);
  }
}
