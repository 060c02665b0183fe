package holdfast.work;

import holdfast.log.Outage;
import holdfast.time.TimeSource;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Makes the waiting retries of a type due when an event of the type succeeds again, so that they do
 * not wait out delays that have grown during an outage. A type without failures costs no statement;
 * one that succeeds and fails in turns is looked for once a minute. Safe for use by many threads.
 */
final class RecoveredTypes<T extends WorkItem> {
  private static final Duration PAUSE = Duration.ofMinutes(1);
  private static final int MAX_TYPES = 1_000;
  private static final int BATCH = 500;

  /** How many times in a row at most, so that claims go on. */
  private static final int ROUNDS = 20;

  private static final String WHAT = "making retries due";

  private final WorkStore<T> store;
  private final Outage outage;
  private final TimeSource time;
  private final Set<String> failing = ConcurrentHashMap.newKeySet();
  private final Set<String> recovered = ConcurrentHashMap.newKeySet();
  private final Map<String, Long> recoveredAt = new ConcurrentHashMap<>();

  RecoveredTypes(WorkStore<T> store, Outage outage, TimeSource time) {
    this.store = store;
    this.outage = outage;
    this.time = time;
  }

  /** Notes an outcome; returns whether retries of its type are to be made due. */
  boolean ended(Ended<T> ended) {
    String type = ended.item().type();
    if (ended.outcome() instanceof Outcome.Retry retry) {
      if (retry.counted() && failing.size() < MAX_TYPES) {
        failing.add(type);
      }
      return false;
    }
    // Others may have failed on another node, or before this one was started.
    boolean wasFailing = ended.item().failingFor() != null || failing.contains(type);
    if (!(ended.outcome() instanceof Outcome.Done) || !wasFailing || !isTime(type)) {
      return false;
    }
    failing.remove(type);
    return recovered.size() < MAX_TYPES && recovered.add(type);
  }

  private boolean isTime(String type) {
    long now = time.nanoTime();
    recoveredAt.values().removeIf(at -> now - at >= PAUSE.toNanos());
    return recoveredAt.size() < MAX_TYPES && recoveredAt.putIfAbsent(type, now) == null;
  }

  /** Makes the retries of recovered types due. A failing database is reported, not thrown. */
  void retryNow() {
    recovered.removeIf(this::retryNow);
  }

  /** Whether it is done with the type: no more wait, as far as the database tells. */
  private boolean retryNow(String type) {
    try {
      int rounds = 0;
      while (rounds < ROUNDS && store.retryNow(type, BATCH) == BATCH) {
        rounds++;
      }
      return rounds < ROUNDS;
    } catch (Exception e) {
      outage.failedOnce(WHAT, e);
      return true; // they are due at their time, and a later success tries again
    }
  }
}
