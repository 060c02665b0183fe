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
 * another transaction has locked is passed over, and would otherwise wait for its own time. The
 * first success of a type on this node counts too, since other nodes may have failed before: it
 * costs one statement if nothing waits. Otherwise a type without failures costs none; one that
 * succeeds and fails in turns is asked for once a minute. Safe for use by many threads.
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

  /** The number of the turn that is the only one unless something waits. */
  private static final int FIRST_SUCCESS = -1;

  private static final String WHAT = "making retries due";

  private final WorkStore<T> store;
  private final Outage outage;
  private final TimeSource time;
  private final Set<String> failing = ConcurrentHashMap.newKeySet();
  private final Set<String> succeeded = ConcurrentHashMap.newKeySet();
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
    if (!(ended.outcome() instanceof Outcome.Done)) {
      return false;
    }
    boolean first =
        !succeeded.contains(type) && succeeded.size() < MAX_TYPES && succeeded.add(type);
    // Others may have failed on another node, or before this one was started.
    boolean wasFailing = ended.item().failingFor() != null || failing.contains(type);
    if (wasFailing && isTime(type)) {
      failing.remove(type);
      return add(type, new Turn(0, time.nanoTime()));
    }
    return first && add(type, new Turn(FIRST_SUCCESS, time.nanoTime()));
  }

  private boolean add(String type, Turn turn) {
    return recovered.size() < MAX_TYPES && recovered.putIfAbsent(type, turn) == null;
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
    int last = BATCH;
    int rounds = 0;
    try {
      while (rounds < ROUNDS && last == BATCH) {
        last = store.retryNow(type, BATCH);
        rounds += last == BATCH ? 1 : 0;
      }
      if (rounds == ROUNDS) {
        return turn; // more wait, but claims go first
      }
    } catch (Exception e) {
      outage.failedOnce(WHAT, e);
      return null; // they are due at their time, and a later success tries again
    }
    if (turn.number() == FIRST_SUCCESS && rounds == 0 && last == 0) {
      return null;
    }
    int number = Math.max(0, turn.number());
    return number == AGAIN_AFTER.size()
        ? null
        : new Turn(number + 1, time.nanoTime() + AGAIN_AFTER.get(number).toNanos());
  }
}
