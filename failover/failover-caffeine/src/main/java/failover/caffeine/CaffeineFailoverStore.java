package failover.caffeine;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import com.github.benmanes.caffeine.cache.Expiry;
import failover.key.StoreKey;
import failover.store.FailoverStore;
import failover.store.FailoverStoreSizeAware;
import failover.store.ReferentialPayload;
import holdfast.time.TimeSource;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * Answers in a Caffeine cache, each until it expires. Nothing of it survives a restart; usually the
 * near store before a far one. Safe for use by many threads.
 */
public final class CaffeineFailoverStore implements FailoverStore, FailoverStoreSizeAware {
  /** Answers kept unless configured: {@value}. */
  public static final long DEFAULT_MAX_SIZE = 10_000;

  private static final Duration KEPT_OUT = Duration.ofMinutes(1);

  private final Cache<StoreKey, ReferentialPayload> answers;

  /** A store of {@value #DEFAULT_MAX_SIZE} answers. */
  public CaffeineFailoverStore() {
    this(DEFAULT_MAX_SIZE, TimeSource.system());
  }

  /**
   * A store of about so many answers.
   *
   * @param maxSize how many, 1 or more
   * @param time the clock by which answers expire
   * @throws IllegalArgumentException if the size is out of range
   */
  public CaffeineFailoverStore(long maxSize, TimeSource time) {
    if (maxSize < 1) {
      throw new IllegalArgumentException("maxSize must be 1 or more but was " + maxSize);
    }
    this.answers =
        Caffeine.newBuilder()
            .maximumSize(maxSize)
            .ticker(time::nanoTime)
            .executor(Runnable::run) // evicting is a few steps; no thread is borrowed for it
            .expireAfter(
                Expiry.<StoreKey, ReferentialPayload>writing(
                    (key, answer) -> timeLeft(answer, time.instant())))
            .build();
  }

  /**
   * The last moment is still good. What is over when it comes was made to expire, and stays for a
   * while to keep out the answers of calls that began before.
   */
  private static Duration timeLeft(ReferentialPayload answer, Instant now) {
    Duration left = Duration.between(now, answer.expireOn()).plusNanos(1);
    return left.isNegative() || left.isZero() ? KEPT_OUT : left;
  }

  @Override
  public void store(ReferentialPayload answer) {
    answers.asMap().merge(answer.key(), answer, (old, young) -> young.replaces(old) ? young : old);
  }

  @Override
  public void delete(StoreKey key) {
    answers.invalidate(key);
  }

  @Override
  public Optional<ReferentialPayload> find(StoreKey key) {
    return Optional.ofNullable(answers.getIfPresent(key));
  }

  @Override
  public List<ReferentialPayload> findAll(String name) {
    return answers.asMap().values().stream()
        .filter(answer -> answer.key().name().equals(name))
        .toList();
  }

  @Override
  public long cleanByExpiry(Instant cutoff) {
    long removed = 0;
    for (ReferentialPayload answer : answers.asMap().values()) {
      if (answer.expireOn().isBefore(cutoff) && answers.asMap().remove(answer.key(), answer)) {
        removed++;
      }
    }
    return removed;
  }

  @Override
  public long liveEntryCount(String name) {
    return answers.asMap().keySet().stream().filter(key -> key.name().equals(name)).count();
  }
}
