package holdfast.testkit.threads;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/** Work that is held up, fails or is done, and is counted. Safe for use by many threads. */
public class WorkDesk {
  private static final int PATIENCE_SECONDS = 30;

  private final CountDownLatch mayGoOn = new CountDownLatch(1);
  private final AtomicInteger held = new AtomicInteger();
  private final AtomicInteger taken = new AtomicInteger();

  /** A desk at which nothing was done yet. */
  public WorkDesk() {}

  /** Counts, and waits until it may go on. */
  protected final void holdUp() throws InterruptedException {
    held.incrementAndGet();
    mayGoOn.await(PATIENCE_SECONDS, TimeUnit.SECONDS);
  }

  /** Fails. */
  protected final void fail() {
    throw new IllegalStateException("on purpose");
  }

  /** Counts. */
  protected final void take() {
    taken.incrementAndGet();
  }

  /** Lets everything go on that is held up, and all that comes later. */
  public final void goOn() {
    mayGoOn.countDown();
  }

  /** How many were held up so far. */
  public final int held() {
    return held.get();
  }

  /** How many were taken so far. */
  public final int taken() {
    return taken.get();
  }
}
