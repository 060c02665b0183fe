package failover.caffeine;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import failover.key.StoreKey;
import failover.store.FailoverStore;
import failover.store.FailoverStoreSizeAware;
import failover.store.ReferentialPayload;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Answers in a Caffeine cache, each until the first sweep after it has expired. Nothing of it
 * survives a restart; usually the near store before a far one. Safe for use by many threads.
 */
public final class CaffeineFailoverStore implements FailoverStore, FailoverStoreSizeAware {
  /** Answers kept unless configured: {@value}. */
  public static final long DEFAULT_MAX_SIZE = 10_000;

  private final Cache<StoreKey, Kept> answers;

  /** A store of {@value #DEFAULT_MAX_SIZE} answers. */
  public CaffeineFailoverStore() {
    this(DEFAULT_MAX_SIZE);
  }

  /**
   * A store of about so many answers.
   *
   * @param maxSize how many, 1 or more
   * @throws IllegalArgumentException if the size is out of range
   */
  public CaffeineFailoverStore(long maxSize) {
    if (maxSize < 1) {
      throw new IllegalArgumentException("maxSize must be 1 or more but was " + maxSize);
    }
    this.answers =
        Caffeine.newBuilder()
            .maximumSize(maxSize)
            .executor(Runnable::run) // evicting is a few steps; no thread is borrowed for it
            .build();
  }

  // An answer whose key has a place is put there, which is no write to the cache and its policy.
  @Override
  public void store(ReferentialPayload answer) {
    StoreKey key = answer.key();
    while (true) {
      Kept kept = answers.getIfPresent(key);
      if (kept == null) {
        kept = answers.asMap().putIfAbsent(key, new Kept(answer));
      }
      if (kept == null || kept.offer(answer)) {
        return;
      }
      answers.asMap().remove(key, kept); // given up; not gone yet
    }
  }

  @Override
  public void delete(StoreKey key) {
    answers.invalidate(key);
  }

  @Override
  public Optional<ReferentialPayload> find(StoreKey key) {
    Kept kept = answers.getIfPresent(key);
    return kept == null ? Optional.empty() : Optional.ofNullable(kept.answer());
  }

  @Override
  public List<ReferentialPayload> findAll(String name) {
    return answers.asMap().entrySet().stream()
        .filter(entry -> entry.getKey().name().equals(name))
        .flatMap(entry -> Stream.ofNullable(entry.getValue().answer()))
        .toList();
  }

  @Override
  public long cleanByExpiry(Instant cutoff) {
    long removed = 0;
    for (Map.Entry<StoreKey, Kept> entry : answers.asMap().entrySet()) {
      if (entry.getValue().endIfExpired(cutoff)) {
        answers.asMap().remove(entry.getKey(), entry.getValue());
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
