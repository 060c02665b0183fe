package tracer.spring;

import java.util.concurrent.atomic.AtomicInteger;

/**
 * When and on which threads an observation was started, and its scope opened and closed. Safe for
 * use by many threads.
 */
final class ObservationTimes {
  /*
   * Scopes of a thread lie in each other, starts and stops need not. So the span of a thread is as
   * long as the scope, and an observation that lasted much longer than that is no such span. What a
   * busy machine adds between the end of a scope and the stop is not much.
   */
  private static final long LITTLE = 100_000_000;

  private final long began;
  private final long thread = Thread.currentThread().getId();
  private final AtomicInteger scopes = new AtomicInteger();
  private volatile long scopeThread;
  private volatile long scopeOpened;
  private volatile long scopeClosed;
  private volatile boolean isClosed;

  ObservationTimes(long began) {
    this.began = began;
  }

  void scopeOpened(long now) {
    if (scopes.incrementAndGet() == 1) {
      scopeThread = Thread.currentThread().getId();
      scopeOpened = now;
    }
  }

  void scopeClosed(long now) {
    if (scopeThread == Thread.currentThread().getId()) {
      scopeClosed = now;
      isClosed = true;
    }
  }

  /** Whether all of it happened on the current thread, within one scope. */
  boolean isSpanOfThisThread(long stopped) {
    long current = Thread.currentThread().getId();
    return scopes.get() == 1
        && isClosed
        && thread == current
        && scopeThread == current
        && isMostlyInScope(stopped);
  }

  private boolean isMostlyInScope(long stopped) {
    long inside = scopeClosed - scopeOpened;
    long outside = stopped - began - inside;
    return outside <= Math.max(inside, LITTLE);
  }

  long began() {
    return began;
  }

  long scopeOpened() {
    return scopeOpened;
  }

  long scopeClosed() {
    return scopeClosed;
  }
}
