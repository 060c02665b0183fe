package failover.observe.internal;

import failover.FailoverOutcome.Kind;
import failover.Failovers.PointCounts;
import java.util.EnumMap;
import java.util.Map;
import java.util.concurrent.atomic.LongAdder;

/** The counters of one point. Safe for use by many threads. */
public final class PointStatistics {

  /** What is counted besides how calls end. */
  public enum Count {
    /** An answer was handed to the store. */
    STORED,
    /** An answer could not be encoded or handed to the store. */
    STORE_FAILED,
    /** A stored answer could not be decoded. */
    UNREADABLE,
    /** A call passed unprotected, because an argument allows no key. */
    UNKEYABLE,
    /** The source was not waited for, because it had failed before. */
    PAUSED,
    /** The source was slow, and a stored answer was given. */
    SLOW,
    /** The splitter of the point failed. */
    SPLITTER_FAILED
  }

  private final Map<Kind, LongAdder> ends = new EnumMap<>(Kind.class);
  private final Map<Count, LongAdder> counts = new EnumMap<>(Count.class);
  private final Window window = new Window();

  /** Counters at zero. */
  public PointStatistics() {
    for (Kind kind : Kind.values()) {
      ends.put(kind, new LongAdder());
    }
    for (Count count : Count.values()) {
      counts.put(count, new LongAdder());
    }
  }

  /** Counts how a call ended. */
  public void ended(Kind kind) {
    adder(ends, kind).increment();
    window.add(kind);
  }

  /** Counts something else. */
  public void count(Count count) {
    adder(counts, count).increment();
  }

  /** Counts something else that happened several times. */
  public void count(Count count, int times) {
    adder(counts, count).add(times);
  }

  /** How many calls have ended. */
  public long ended() {
    return sum(ends, Kind.LIVE) + sum(ends, Kind.RECOVERED) + sum(ends, Kind.FAILED);
  }

  /** The counts as they stand. */
  public PointCounts counts() {
    long live = sum(ends, Kind.LIVE);
    long recovered = sum(ends, Kind.RECOVERED);
    long failed = sum(ends, Kind.FAILED);
    return new PointCounts(
        live + recovered + failed,
        live,
        recovered,
        failed,
        sum(counts, Count.STORED),
        sum(counts, Count.STORE_FAILED),
        sum(counts, Count.UNREADABLE),
        sum(counts, Count.UNKEYABLE),
        sum(counts, Count.PAUSED),
        sum(counts, Count.SLOW),
        1 - window.share(Kind.FAILED, 0),
        window.share(Kind.RECOVERED, 0),
        sum(counts, Count.SPLITTER_FAILED));
  }

  private static <K> long sum(Map<K, LongAdder> adders, K key) {
    return adder(adders, key).sum();
  }

  private static <K> LongAdder adder(Map<K, LongAdder> adders, K key) {
    LongAdder adder = adders.get(key);
    if (adder == null) {
      throw new IllegalStateException("there must be a counter for " + key);
    }
    return adder;
  }
}
