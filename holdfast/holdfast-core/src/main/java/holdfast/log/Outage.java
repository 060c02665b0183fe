package holdfast.log;

import static java.lang.System.Logger.Level.ERROR;

import holdfast.time.TimeSource;
import java.util.HashSet;
import java.util.Set;
import java.util.function.Consumer;

/**
 * The failures of a library's database in the log: one series for all threads of the library. ERROR
 * with the stack trace when it begins, one line a minute while it lasts, INFO when it is over. Safe
 * for use by many threads.
 *
 * <p>Each loop reports under a name of its own. The outage begins with the first loop that fails
 * and is over when one of those that have failed works again: some try again only minutes later. A
 * loop that has not failed does not end it, since what fails may be the statement of another loop.
 */
public final class Outage {
  private final FailureSeries series;
  private final Consumer<Exception> onBegin;
  private final Runnable onEnd;
  private final Set<String> failing = new HashSet<>();
  private volatile boolean quiet = true;

  /** Creates an outage that has not begun and tells nobody. */
  public Outage(String library, TimeSource time) {
    this(library, time, cause -> {}, () -> {});
  }

  /**
   * Creates an outage that has not begun.
   *
   * @param library the name of the logger, and the first word of each line
   * @param time the clock
   * @param onBegin is called with the first cause; must not throw
   * @param onEnd is called when it is over; must not throw
   */
  public Outage(String library, TimeSource time, Consumer<Exception> onBegin, Runnable onEnd) {
    this.series =
        new FailureSeries(System.getLogger(library), ERROR, library + " database access", "", time);
    this.onBegin = onBegin;
    this.onEnd = onEnd;
  }

  /**
   * Reports that a loop has failed and will try again.
   *
   * @param loop the name of the loop, which calls {@link #worked} with the same name
   * @param cause what the database said
   */
  public void failed(String loop, Exception cause) {
    boolean begins;
    synchronized (failing) {
      begins = failing.isEmpty();
      failing.add(loop);
      quiet = false;
    }
    series.failed(" during=" + loop, cause);
    if (begins) {
      onBegin.accept(cause);
    }
  }

  /**
   * Reports a failure of what is not tried again by the same thread. It is in the log, but no
   * outage begins with it.
   *
   * @param action what has failed
   * @param cause what the database said
   */
  public void failedOnce(String action, Exception cause) {
    series.failed(" during=" + action, cause);
    synchronized (failing) {
      quiet = false;
    }
  }

  /** Reports that a loop works; cheap while nothing fails. */
  public void worked(String loop) {
    if (quiet) {
      return;
    }
    boolean ends;
    synchronized (failing) {
      ends = failing.contains(loop);
      if (!ends && !failing.isEmpty()) {
        return;
      }
      failing.clear();
    }
    series.worked();
    synchronized (failing) { // a recovery that was too soon to be logged is tried again
      quiet = failing.isEmpty() && !series.isFailing();
    }
    if (ends) {
      onEnd.run();
    }
  }
}
