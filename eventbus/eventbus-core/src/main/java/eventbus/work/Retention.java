package eventbus.work;

import eventbus.EventStatus;
import eventbus.table.EventStore;
import holdfast.lifecycle.Loop;
import holdfast.log.Outage;
import holdfast.time.TimeSource;
import java.time.Duration;
import java.util.Map;

/**
 * Purges the log from time to time, on a thread of its own, so that a long purge holds up no event.
 * Every node may do so; they pass over each other's lines. Safe for use by many threads.
 */
public final class Retention {
  private static final Duration SHORTEST_PAUSE = Duration.ofSeconds(1);
  private static final Duration LONGEST_PAUSE = Duration.ofMinutes(10);
  private static final int LOOKS_PER_RETENTION = 10;
  private static final String LOOP = "purge";

  private final EventStore store;
  private final Map<EventStatus, Duration> keep;
  private final Outage outage;
  private final Loop loop;

  /** Purges lines older than the duration given for their status; keeps those of others. */
  public Retention(
      EventStore store, Map<EventStatus, Duration> keep, Outage outage, TimeSource time) {
    this.store = store;
    this.keep = Map.copyOf(keep);
    this.outage = outage;
    this.loop = new Loop("eventbus-retention", pause(keep), this::purge, this::report, time);
  }

  /** Returns whether there is anything to purge. */
  public boolean isSet() {
    return !keep.isEmpty();
  }

  /** Starts purging, if there is anything to purge. */
  public void start() {
    if (isSet()) {
      loop.start();
    }
  }

  /** Stops purging. */
  public void close(Duration timeout) {
    loop.close(timeout);
  }

  private Duration purge() {
    keep.forEach((status, time) -> store.purge(status, time, loop::isClosed));
    outage.worked(LOOP);
    return LONGEST_PAUSE;
  }

  private void report(Exception failure) {
    if (!loop.isClosed()) {
      outage.failed(LOOP, failure);
    }
  }

  /** A tenth of the shortest retention, within bounds. */
  private static Duration pause(Map<EventStatus, Duration> keep) {
    Duration shortest = keep.values().stream().min(Duration::compareTo).orElse(LONGEST_PAUSE);
    Duration tenth = shortest.dividedBy(LOOKS_PER_RETENTION);
    if (tenth.compareTo(SHORTEST_PAUSE) < 0) {
      return SHORTEST_PAUSE;
    }
    return tenth.compareTo(LONGEST_PAUSE) > 0 ? LONGEST_PAUSE : tenth;
  }
}
