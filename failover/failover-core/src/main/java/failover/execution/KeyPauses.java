package failover.execution;

import failover.key.StoreKey;
import holdfast.retry.Backoff;
import holdfast.time.TimeSource;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * The keys of a point that failed recently; a key that fails again and again has a pause of its
 * own. Safe for use by many threads.
 */
final class KeyPauses {
  /** How many failures of a key without an answer begin its pause. */
  static final int IN_A_ROW = 5;

  /** How many keys are watched at once; the failures of further ones are not counted by key. */
  static final int MOST_KEYS = 256;

  private final double share;
  private final long memoryNanos;
  private final Backoff backoff;
  private final TimeSource time;

  // By the hashes of keys, which may be long: two keys that have the same share a pause.
  private final Map<Integer, FailingKey> keys = new ConcurrentHashMap<>();

  KeyPauses(double share, Duration memory, Backoff backoff, TimeSource time) {
    this.share = share;
    this.memoryNanos = memory.toNanos();
    this.backoff = backoff;
    this.time = time;
  }

  /** What is known of a key since its first failure. */
  private final class FailingKey {
    final Pause pause = new Pause(backoff, time);
    private volatile long failedAt;
    private int failed; // guarded by this, as the next two
    private int answered;
    private int inARow;

    synchronized boolean failed() {
      long now = time.nanoTime();
      if (isOld(now)) {
        failed = 0;
        answered = 0;
        inARow = 0;
      }
      failedAt = now;
      failed++;
      inARow++;
      return inARow >= IN_A_ROW && failed >= share * (failed + answered);
    }

    synchronized void answered() {
      answered++;
      inARow = 0;
    }

    boolean isOld(long now) {
      return failed > 0 && now - failedAt > memoryNanos;
    }
  }

  /** A ticket of the pause of that key; null if it has none. */
  @Nullable Ticket enter(@Nullable StoreKey key) {
    FailingKey known = of(key);
    return known != null && known.pause.isPaused() ? known.pause.enter() : null;
  }

  private @Nullable FailingKey of(@Nullable StoreKey key) {
    return key == null || keys.isEmpty() ? null : keys.get(key.hashCode());
  }

  void answered(@Nullable StoreKey key) {
    FailingKey known = of(key);
    if (known != null) {
      known.answered();
      known.pause.end();
    }
  }

  void failed(@Nullable StoreKey key, Throwable failure) {
    FailingKey known = key == null ? null : watched(key);
    if (known != null && known.failed()) {
      known.pause.begin(failure);
    }
  }

  private @Nullable FailingKey watched(StoreKey key) {
    FailingKey known = keys.get(key.hashCode());
    if (known != null) {
      return known;
    }
    if (keys.size() >= MOST_KEYS) {
      forgetOld();
    }
    return keys.size() >= MOST_KEYS
        ? null
        : keys.computeIfAbsent(key.hashCode(), it -> new FailingKey());
  }

  /** Forgets the keys whose last failure was long ago. */
  void forgetOld() {
    long now = time.nanoTime();
    keys.values().removeIf(key -> key.isOld(now));
  }
}
