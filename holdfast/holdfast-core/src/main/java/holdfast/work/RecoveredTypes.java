package holdfast.work;

import holdfast.log.Outage;
import holdfast.time.TimeSource;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Makes the waiting retries of a type due when an event of the type succeeds again, so that they do
 * not wait out delays that have grown during an outage. It does so four times within seconds: what
 * another transaction has locked is passed over, and would otherwise wait for its own time. A type
 * without failures costs no statement; one that succeeds and fails in turns is looked for once a
 * minute. Safe for use by many threads.
 */
final class RecoveredTypes<T extends WorkItem> {
  private static final Duration PAUSE = Duration.ofMinutes(1);
  private static final int MAX_TYPES = 1_000;
  private static final int BATCH = 500;

  /** How many times in a row at most, so that claims go on. */
  private static final int ROUNDS = 20;

  /** How long after each time the next one follows. */
  private static final List<Duration> AGAIN_AFTER =
      List.of(Duration.ofMillis(200), Duration.ofSeconds(2), Duration.ofSeconds(10));

  private static final String WHAT = "making retries due";

  private final WorkStore<T> store;
  private final Outage outage;
  private final TimeSource time;
  private final Set<String> failing = ConcurrentHashMap.newKeySet();
  private final Map<String, Turn> recovered = new ConcurrentHashMap<>();
  private final Map<String, Long> recoveredAt = new ConcurrentHashMap<>();

  /** When the retries of a type are made due, and how many times they were before. */
  private record Turn(int number, long at) {}

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
    return recovered.size() < MAX_TYPES
        && recovered.putIfAbsent(type, new Turn(0, time.nanoTime())) == null;
  }

  private boolean isTime(String type) {
    long now = time.nanoTime();
    recoveredAt.values().removeIf(at -> now - at >= PAUSE.toNanos());
    return recoveredAt.size() < MAX_TYPES && recoveredAt.putIfAbsent(type, now) == null;
  }

  /**
   * Makes the retries of recovered types due. A failing database is reported, not thrown.
   *
   * @return the time until it is to be called again; empty if it need not be
   */
  Optional<Duration> retryNow() {
    for (Map.Entry<String, Turn> type : List.copyOf(recovered.entrySet())) {
      if (type.getValue().at() - time.nanoTime() <= 0) {
        Turn next = retryNow(type.getKey(), type.getValue());
        if (next == null) {
          recovered.remove(type.getKey());
        } else {
          recovered.put(type.getKey(), next);
        }
      }
    }
    return recovered.values().stream()
        .map(turn -> Duration.ofNanos(Math.max(0, turn.at() - time.nanoTime())))
        .min(Duration::compareTo);
  }

  /** Returns the next turn of the type; null if this was the last. */
  private @Nullable Turn retryNow(String type, Turn turn) {
    try {
      int rounds = 0;
      while (rounds < ROUNDS && store.retryNow(type, BATCH) == BATCH) {
        rounds++;
      }
      if (rounds == ROUNDS) {
        return turn; // more wait, but claims go first
      }
    } catch (Exception e) {
      outage.failedOnce(WHAT, e);
      return null; // they are due at their time, and a later success tries again
    }
    int number = turn.number();
    return number == AGAIN_AFTER.size()
        ? null
        : new Turn(number + 1, time.nanoTime() + AGAIN_AFTER.get(number).toNanos());
  }
}
