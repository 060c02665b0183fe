package failover.execution;

import failover.FailoverCall;
import failover.threads.SharedThreads;
import holdfast.lifecycle.Deadline;
import holdfast.lifecycle.Threads;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** Reads of the store and the threads for those that may take long. Safe for many threads. */
final class StoreReads {
  /** How many reads may be under way at once. */
  static final int THREADS = 64;

  private final BasicFailoverExecution.Parts parts;
  private final SharedThreads threads = new SharedThreads(Threads.daemon("failover-read"), THREADS);

  StoreReads(BasicFailoverExecution.Parts parts) {
    this.parts = parts;
  }

  /** What is stored for a call, not read yet. */
  <T> StoredAnswer<T> of(FailoverCall<T> call, Point point) {
    return of(call, point, () -> {});
  }

  /** The same, and something is done when it is read. */
  <T> StoredAnswer<T> of(FailoverCall<T> call, Point point, Runnable whenRead) {
    return new StoredAnswer<>(this, call, point, whenRead);
  }

  SharedThreads threads() {
    return threads;
  }

  Runnable carried(Runnable read) {
    return parts.context().wrap(read);
  }

  /** When reading must be over that begins now. */
  Deadline limit() {
    return after(parts.readTimeout());
  }

  /** How long a call that is over then may wait for the store; null for one without a timeout. */
  Duration patience(@Nullable Deadline end) {
    Duration most = parts.readTimeout();
    return end == null || end.remaining().compareTo(most) > 0 ? most : end.remaining();
  }

  Deadline after(Duration time) {
    return Deadline.after(time, parts.time());
  }

  /** The clock, if somebody wants to know how long things take. */
  long nanoTime() {
    return parts.isObserved() ? parts.time().nanoTime() : 0;
  }

  void close() {
    threads.close();
  }
}
