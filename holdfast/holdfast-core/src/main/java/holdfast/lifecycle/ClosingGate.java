package holdfast.lifecycle;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicLong;

/**
 * A gate that lets calls through until it is closed, and knows when the last of them has left.
 *
 * <pre>{@code
 * if (!gate.enter()) {
 *   return refused();
 * }
 * try {
 *   return accept(event);
 * } finally {
 *   gate.exit();
 * }
 * }</pre>
 *
 * <p>Safe for use by many threads.
 */
public final class ClosingGate {
  /*
   * One word holds both facts: the highest bit says closed, the others count the calls inside. A
   * call enters by raising the count of an open word in one step, so there is no moment between
   * "is it open" and "I am in" at which the gate could close. From the first time the word is CLOSED
   * with a count of zero it never changes again: nobody enters, so nobody leaves.
   */
  private static final long CLOSED = Long.MIN_VALUE;

  private final AtomicLong word = new AtomicLong();
  private final CountDownLatch drained = new CountDownLatch(1);

  /** An open gate with nobody inside. */
  public ClosingGate() {}

  /**
   * Lets one call in unless the gate is closed.
   *
   * @return whether the call is inside; only then, and exactly once, it must {@link #exit}
   */
  public boolean enter() {
    long seen = word.get();
    while (seen >= 0) {
      if (word.compareAndSet(seen, seen + 1)) {
        return true;
      }
      seen = word.get();
    }
    return false;
  }

  /**
   * Lets one call out.
   *
   * @throws IllegalStateException if nobody is inside
   */
  public void exit() {
    long seen = word.get();
    while (inside(seen) > 0) {
      if (word.compareAndSet(seen, seen - 1)) {
        if (seen - 1 == CLOSED) {
          drained.countDown();
        }
        return;
      }
      seen = word.get();
    }
    throw new IllegalStateException(
        "exit needs a call inside but there is none; call it once for each enter that gave true");
  }

  /**
   * Closes the gate for good; calls inside are not disturbed.
   *
   * @return whether this call closed it; false if it was closed before
   */
  public boolean close() {
    long before = word.getAndUpdate(seen -> seen | CLOSED);
    if (before == 0) {
      drained.countDown();
    }
    return before >= 0;
  }

  /** Whether the gate was closed. */
  public boolean isClosed() {
    return word.get() < 0;
  }

  /** Whether the gate is closed and the last call has left; stays true from then on. */
  public boolean isDrained() {
    return word.get() == CLOSED;
  }

  /** How many calls are inside. */
  public long inside() {
    return inside(word.get());
  }

  /**
   * Waits until the gate is closed and the last call has left.
   *
   * @param deadline how long to wait at most
   * @return whether the last call has left
   * @throws InterruptedException if the waiting thread is interrupted
   */
  public boolean awaitDrained(Deadline deadline) throws InterruptedException {
    return deadline.await(drained) || isDrained();
  }

  private static long inside(long word) {
    return word & ~CLOSED;
  }
}
