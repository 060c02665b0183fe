package outbox.jdbc;

import static java.lang.System.Logger.Level.DEBUG;

import holdfast.lifecycle.Loop;
import holdfast.log.LibraryLogger;
import holdfast.log.Outage;
import holdfast.time.TimeSource;
import java.time.Duration;

/**
 * Purges done events from time to time, on a thread of its own, so that a long purge holds up no
 * delivery. Every node may do so; they pass over each other's rows. Safe for use by many threads.
 */
final class Retention {
  private static final Duration SHORTEST_PAUSE = Duration.ofSeconds(1);
  private static final Duration LONGEST_PAUSE = Duration.ofMinutes(10);
  private static final int LOOKS_PER_RETENTION = 10;
  private static final String LOOP = "purge";
  private static final System.Logger LOG = LibraryLogger.of("outbox");

  private final Purge purge;
  private final Duration keep;
  private final Outage outage;
  private final Loop loop;

  Retention(Purge purge, Duration keep, Outage outage, TimeSource time) {
    this.purge = purge;
    this.keep = keep;
    this.outage = outage;
    this.loop = new Loop("outbox-retention", pause(keep), this::purgeOnce, this::report, time);
  }

  void start() {
    loop.start();
  }

  private Duration purgeOnce() {
    long purged = purge.done(keep, loop::isClosed);
    LOG.log(DEBUG, "outbox purged done={0}", purged);
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
    Duration tenth = keep.dividedBy(LOOKS_PER_RETENTION);
    if (tenth.compareTo(SHORTEST_PAUSE) < 0) {
      return SHORTEST_PAUSE;
    }
    return tenth.compareTo(LONGEST_PAUSE) > 0 ? LONGEST_PAUSE : tenth;
  }

  void close(Duration timeout) {
    loop.close(timeout);
  }
}
