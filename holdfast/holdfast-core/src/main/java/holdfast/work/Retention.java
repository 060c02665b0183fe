package holdfast.work;

import holdfast.lifecycle.Loop;
import holdfast.log.Outage;
import holdfast.time.TimeSource;
import java.time.Duration;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;

/**
 * Purges finished events from time to time, on a thread of its own, so that a long purge holds up
 * no delivery. Every node may do so; they skip each other's rows. Safe for use by many threads.
 */
public final class Retention {
  private static final Duration SHORTEST_PAUSE = Duration.ofSeconds(1);
  private static final Duration LONGEST_PAUSE = Duration.ofMinutes(10);
  private static final int POLLS_PER_RETENTION = 10;
  private static final String LOOP = "purge";

  private final Consumer<BooleanSupplier> purge;
  private final Outage outage;
  private final Loop loop;

  /**
   * Creates a retention that is not started.
   *
   * @param library the first word of the thread's name
   * @param keep how long finished events are kept; the shortest time if there are several
   * @param purge removes older ones, until it is told to stop
   * @param outage is told whether the database answers
   * @param time the clock
   */
  public Retention(
      String library,
      Duration keep,
      Consumer<BooleanSupplier> purge,
      Outage outage,
      TimeSource time) {
    this.purge = purge;
    this.outage = outage;
    this.loop = new Loop(library + "-retention", pause(keep), this::step, this::report, time);
  }

  /** Starts purging; does nothing the second time. */
  public void start() {
    loop.start();
  }

  /** Stops purging. */
  public void close(Duration timeout) {
    loop.close(timeout);
  }

  private Duration step() {
    purge.accept(loop::isClosed);
    outage.worked(LOOP);
    return LONGEST_PAUSE;
  }

  private void report(Exception failure) {
    if (!loop.isClosed()) {
      outage.failed(LOOP, failure);
    }
  }

  /** A tenth of the retention, within bounds. */
  private static Duration pause(Duration keep) {
    Duration tenth = keep.dividedBy(POLLS_PER_RETENTION);
    if (tenth.compareTo(SHORTEST_PAUSE) < 0) {
      return SHORTEST_PAUSE;
    }
    return tenth.compareTo(LONGEST_PAUSE) > 0 ? LONGEST_PAUSE : tenth;
  }
}
