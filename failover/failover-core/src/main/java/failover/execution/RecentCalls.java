package failover.execution;

import failover.key.StoreKey;
import holdfast.time.TimeSource;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/**
 * The calls of a point within its window, how many of them failed, and for how many keys. Says when
 * that is too much. Safe for use by many threads.
 */
final class RecentCalls {
  /** How many failures without an answer between them, for a while, show that nothing answers. */
  static final int IN_A_ROW = 10;

  /** How long that is in seconds of the clock, so that it is more than one second. */
  private static final int WHILE = 2;

  /**
   * How many keys must have failed at a point with several; more say nothing more of its source.
   */
  private static final int KEYS = 3;

  private static final int PARTS = 10;

  /*
   * Time is cut into parts, of which the last 11 count: the window and what is left of the part in
   * which it begins. Answers, of which there are many, are only added up; to which part they belong
   * is settled when the next part begins. The first call to be answered in another second looks at
   * the clock for that. Its own beginning tells the second, which costs nothing. It also tells
   * since when nothing was answered.
   */
  private final double share;
  private final int minimum;
  private final int leastKeys;
  private final long partNanos;
  private final TimeSource time;
  private final LongAdder answered = new LongAdder();
  private volatile int inARow;
  private long second; // in which the last call began that was answered; threads may race
  private boolean keysDiffer; // the same, and so the next two
  private boolean isAny;
  private int firstKey;

  // Guarded by this object's lock.
  private final long[] answers = new long[PARTS + 1];
  private final long[] failures = new long[PARTS + 1];
  private final Map<Object, Long> failedKeys = new LinkedHashMap<>(); // the latest, by their part
  private long part;
  private long settled;

  RecentCalls(double share, int minimum, Duration window, TimeSource time) {
    this.share = share;
    this.minimum = minimum;
    this.leastKeys = Math.min(KEYS, minimum);
    this.partNanos = Math.max(1, window.toNanos() / PARTS);
    this.time = time;
    this.part = Math.floorDiv(time.nanoTime(), partNanos);
  }

  /**
   * Counts an answer.
   *
   * @return whether it was the first in a second, roughly
   */
  boolean answered(@Nullable StoreKey key, Instant startedAt) {
    long mine = startedAt.getEpochSecond();
    boolean isFirst = mine != second;
    if (isFirst) {
      second = mine;
      turn(); // before it is counted: it belongs to the part that begins
    }
    answered.increment();
    if (inARow != 0) {
      inARow = 0;
    }
    note(key);
    return isFirst;
  }

  private void note(@Nullable StoreKey key) {
    if (keysDiffer) {
      return;
    }
    int hash = key == null ? 0 : key.hashCode();
    if (!isAny) {
      firstKey = hash;
      isAny = true;
    } else if (hash != firstKey) {
      keysDiffer = true;
    }
  }

  /** Whether the calls of this point have had more than one key. */
  boolean keysDiffer() {
    return keysDiffer;
  }

  /** Counts a failure, and says whether that makes too many. */
  synchronized boolean failed(@Nullable StoreKey key) {
    note(key);
    turn();
    failures[index(part)]++;
    inARow++;
    Object mine = key == null ? new Object() : key.hashCode();
    failedKeys.remove(mine);
    failedKeys.put(mine, part);
    if (failedKeys.size() > leastKeys) {
      failedKeys.remove(failedKeys.keySet().iterator().next());
    }
    return isTooMuch();
  }

  private boolean isTooMuch() {
    long failed = sum(failures);
    return failed >= minimum
        && (!keysDiffer || recentlyFailedKeys() >= leastKeys)
        && (failed >= share * (failed + sum(answers)) || nothingAnswers());
  }

  /** Whether all calls fail that have begun for a while; a few failures together do not count. */
  private boolean nothingAnswers() {
    return inARow >= IN_A_ROW && time.instant().getEpochSecond() - second >= WHILE;
  }

  private long recentlyFailedKeys() {
    return failedKeys.values().stream().filter(it -> it >= part - PARTS).count();
  }

  /** Forgets all calls. */
  synchronized void clear() {
    turn();
    Arrays.fill(answers, 0);
    Arrays.fill(failures, 0);
    failedKeys.clear();
    inARow = 0;
  }

  private synchronized void turn() {
    long now = Math.floorDiv(time.nanoTime(), partNanos);
    long sum = answered.sum();
    answers[index(part)] += sum - settled;
    settled = sum;
    for (long next = part + 1; next <= Math.min(now, part + answers.length); next++) {
      answers[index(next)] = 0;
      failures[index(next)] = 0;
    }
    part = Math.max(part, now);
  }

  private static int index(long part) {
    return Math.floorMod(part, PARTS + 1);
  }

  private static long sum(long[] parts) {
    long sum = 0;
    for (long part : parts) {
      sum += part;
    }
    return sum;
  }
}
