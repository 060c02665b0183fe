package holdfast.testkit.threads;

import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/** What other threads took, in order. Safe for use by many threads. */
public final class Inbox {
  private static final int PATIENCE_SECONDS = 30;

  private final BlockingQueue<String> taken = new LinkedBlockingQueue<>();

  /** An empty one. */
  public Inbox() {}

  /** Adds something. */
  public void take(String what) {
    taken.add(what);
  }

  /**
   * Takes out the first, and waits for it if it is not there yet.
   *
   * @return what was taken, or that nothing was for thirty seconds
   */
  public String next() throws InterruptedException {
    String next = taken.poll(PATIENCE_SECONDS, TimeUnit.SECONDS);
    return next == null ? "nothing within " + PATIENCE_SECONDS + " s" : next;
  }

  /** All that was taken and not yet taken out. */
  public List<String> all() {
    return List.copyOf(taken);
  }
}
