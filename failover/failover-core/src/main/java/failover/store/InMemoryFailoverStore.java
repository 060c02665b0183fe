package failover.store;

import failover.key.StoreKey;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Answers in the memory of this process, the most recently used ones. Nothing of it survives a
 * restart. Safe for use by many threads.
 */
public final class InMemoryFailoverStore implements FailoverStore, FailoverStoreSizeAware {
  /** Answers kept unless configured: {@value}. */
  public static final int DEFAULT_MAX_ENTRIES = 10_000;

  private final int maxEntries;
  private final Map<StoreKey, ReferentialPayload> answers; // guarded by this

  /** A store of {@value #DEFAULT_MAX_ENTRIES} answers. */
  public InMemoryFailoverStore() {
    this(DEFAULT_MAX_ENTRIES);
  }

  /**
   * A store of so many answers; one more takes the place of the one not used for the longest time.
   *
   * @throws IllegalArgumentException if that is not 1 or more
   */
  public InMemoryFailoverStore(int maxEntries) {
    if (maxEntries < 1) {
      throw new IllegalArgumentException("maxEntries must be 1 or more but was " + maxEntries);
    }
    this.maxEntries = maxEntries;
    this.answers = new LinkedHashMap<>(16, 0.75f, true);
  }

  @Override
  public synchronized void store(ReferentialPayload answer) {
    answers.merge(answer.key(), answer, (old, young) -> young.replaces(old) ? young : old);
    if (answers.size() > maxEntries) {
      answers.remove(answers.keySet().iterator().next());
    }
  }

  @Override
  public synchronized void delete(StoreKey key) {
    answers.remove(key);
  }

  @Override
  public synchronized Optional<ReferentialPayload> find(StoreKey key) {
    return Optional.ofNullable(answers.get(key));
  }

  @Override
  public synchronized List<ReferentialPayload> findAll(String name) {
    return answers.values().stream().filter(answer -> answer.key().name().equals(name)).toList();
  }

  @Override
  public synchronized long cleanByExpiry(Instant cutoff) {
    long before = answers.size();
    answers.values().removeIf(answer -> answer.expireOn().isBefore(cutoff));
    return before - answers.size();
  }

  @Override
  public synchronized long liveEntryCount(String name) {
    return answers.keySet().stream().filter(key -> key.name().equals(name)).count();
  }
}
