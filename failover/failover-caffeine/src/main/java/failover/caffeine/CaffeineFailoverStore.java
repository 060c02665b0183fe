package failover.caffeine;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import failover.key.StoreKey;
import failover.key.StoredName;
import failover.store.FailoverStore;
import failover.store.FailoverStore.FailoverStoreSizeAware;
import failover.store.FailoverStore.StoredEntry;
import failover.store.FailoverStoreException;
import failover.store.InMemoryFailoverStore;
import failover.store.ReferentialPayload;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Answers in a Caffeine cache, each until the first sweep after it has expired. Nothing of it
 * survives a restart; usually the near store before a far one. Safe for use by many threads.
 */
public final class CaffeineFailoverStore implements FailoverStore, FailoverStoreSizeAware {
  /** Answers kept unless configured: {@value}. */
  public static final long DEFAULT_MAX_SIZE = 10_000;

  /** Bytes of keys and contents kept unless configured: 64 MiB. */
  public static final long DEFAULT_MAX_BYTES = InMemoryFailoverStore.DEFAULT_MAX_BYTES;

  private static final long MOST_LEAST = 1 << 30;

  private final long maxBytes;
  private final int least; // what each answer weighs at least, so that their number is bounded
  private final Cache<StoreKey, Kept> answers;

  /** A store of {@value #DEFAULT_MAX_SIZE} answers and 64 MiB. */
  public CaffeineFailoverStore() {
    this(DEFAULT_MAX_SIZE);
  }

  /**
   * A store of about a number of answers and 64 MiB.
   *
   * @param maxSize how many, 1 or more
   * @throws IllegalArgumentException if the size is out of range
   */
  public CaffeineFailoverStore(long maxSize) {
    this(maxSize, DEFAULT_MAX_BYTES);
  }

  /**
   * A store of about a number of answers and bytes. An answer that is larger by itself is refused.
   *
   * @param maxSize how many answers, 1 or more
   * @param maxBytes how many bytes their keys and contents take, by estimate, 1 or more
   * @throws IllegalArgumentException if one of them is out of range
   */
  public CaffeineFailoverStore(long maxSize, long maxBytes) {
    if (maxSize < 1) {
      throw new IllegalArgumentException("maxSize must be 1 or more but was " + maxSize);
    }
    if (maxBytes < 1) {
      throw new IllegalArgumentException("maxBytes must be 1 or more but was " + maxBytes);
    }
    this.maxBytes = maxBytes;
    this.least = (int) Math.min(MOST_LEAST, Math.max(1, maxBytes / maxSize));
    this.answers =
        Caffeine.newBuilder()
            .maximumWeight(least == MOST_LEAST ? maxSize * MOST_LEAST : maxBytes)
            .weigher((StoreKey key, Kept kept) -> kept.weight())
            .executor(Runnable::run) // evicting is a few steps; no thread is borrowed for it
            .build();
  }

  // An answer whose key has a place is put there, which is no write to the cache and its policy.
  @Override
  public void store(ReferentialPayload answer) {
    ReferentialPayload young = answer.under(placeOf(answer.key()));
    long bytes = young.estimatedBytes();
    if (bytes > maxBytes) {
      answers.asMap().computeIfPresent(young.key(), (key, kept) -> unlessOlder(kept, young));
      throw FailoverStoreException.tooLarge(young, maxBytes);
    }
    int weight = weightOf(bytes);
    while (true) {
      Kept kept = answers.getIfPresent(young.key());
      if (kept == null) {
        kept = answers.asMap().putIfAbsent(young.key(), new Kept(young, weight));
      }
      if (kept == null
          || (hasFittingWeight(kept, weight) && kept.offer(young))
          || !young.replaces(kept.answer())) {
        return;
      }
      answers.asMap().computeIfPresent(young.key(), (key, old) -> moved(old, young));
    }
  }

  private static @Nullable Kept unlessOlder(Kept kept, ReferentialPayload young) {
    if (!young.replaces(kept.answer())) {
      return kept;
    }
    kept.giveUp();
    return null;
  }

  /** A place of the right weight, with the newest answer; null if that has expired meanwhile. */
  private @Nullable Kept moved(Kept old, ReferentialPayload young) {
    ReferentialPayload last = old.giveUp();
    ReferentialPayload newest = young.replaces(last) ? young : last;
    return new Kept(newest, weightOf(newest.estimatedBytes()));
  }

  private int weightOf(long bytes) {
    return (int) Math.min(Integer.MAX_VALUE, Math.max(least, bytes));
  }

  /** Whether the place weighs enough for an answer of that weight, and not far too much. */
  private static boolean hasFittingWeight(Kept kept, int weight) {
    return weight <= kept.weight() && weight >= kept.weight() / 2;
  }

  /** The key of the answer with that name and id, if the key has no more than these. */
  private StoreKey placeOf(StoreKey key) {
    return key.hasArguments() || answers.asMap().containsKey(key)
        ? key
        : answers.asMap().keySet().stream().filter(key::hasIdOf).findFirst().orElse(key);
  }

  @Override
  public void delete(StoreKey key) {
    answers.invalidate(placeOf(key));
  }

  @Override
  public void deleteUnlessNewer(StoreKey key, Instant asOf) {
    answers
        .asMap()
        .computeIfPresent(
            placeOf(key), (place, kept) -> kept.giveUpUnlessNewer(asOf) ? null : kept);
  }

  @Override
  public int deleteAll(String name) {
    int removed = 0;
    for (ReferentialPayload answer : under(name)) {
      removed += answers.asMap().remove(answer.key()) == null ? 0 : 1;
    }
    return removed;
  }

  @Override
  public int expireAll(String name, Instant now) {
    List<ReferentialPayload> all = under(name);
    all.forEach(answer -> store(answer.expiredAt(now)));
    return all.size();
  }

  @Override
  public boolean isInProcess() {
    return true;
  }

  @Override
  public Optional<ReferentialPayload> find(StoreKey key) {
    Kept kept = answers.getIfPresent(placeOf(key));
    return kept == null ? Optional.empty() : Optional.of(kept.answer().under(key));
  }

  /** Keys that were listed are looked for in one pass over all answers, not in one each. */
  @Override
  public List<ReferentialPayload> findAll(Collection<StoreKey> keys) {
    Map<Boolean, List<StoreKey>> byKind =
        keys.stream().collect(Collectors.partitioningBy(StoreKey::hasArguments));
    List<ReferentialPayload> found = new ArrayList<>();
    for (StoreKey key : byKind.getOrDefault(true, List.of())) {
      find(key).ifPresent(found::add);
    }
    List<StoreKey> listed = byKind.getOrDefault(false, List.of());
    if (listed.size() > 1) {
      found.addAll(findListed(new HashSet<>(listed)));
    } else {
      listed.forEach(key -> find(key).ifPresent(found::add));
    }
    return found;
  }

  private List<ReferentialPayload> findListed(Set<StoreKey> listed) {
    Set<String> names = listed.stream().map(StoreKey::name).collect(Collectors.toSet());
    List<ReferentialPayload> found = new ArrayList<>();
    answers
        .asMap()
        .forEach(
            (place, kept) -> {
              if (names.contains(place.name())) {
                StoreKey key = StoreKey.stored(place.name(), place.id());
                if (listed.contains(key)) {
                  found.add(kept.answer().under(key));
                }
              }
            });
    return found;
  }

  @Override
  public List<StoredEntry> entries(String name, int limit) {
    return under(name).stream()
        .sorted(Comparator.comparing(ReferentialPayload::asOf).reversed())
        .limit(limit)
        .map(StoredEntry::of)
        .toList();
  }

  private List<ReferentialPayload> under(String name) {
    return answers.asMap().values().stream()
        .map(Kept::answer)
        .filter(answer -> answer.key().name().equals(name))
        .toList();
  }

  @Override
  public Optional<Set<String>> names() {
    return Optional.of(
        answers.asMap().keySet().stream().map(StoreKey::name).collect(Collectors.toSet()));
  }

  @Override
  public long cleanByExpiry(Instant cutoff) {
    long removed = 0;
    for (Map.Entry<StoreKey, Kept> entry : answers.asMap().entrySet()) {
      if (entry.getValue().giveUpIfExpired(cutoff)) {
        answers.asMap().remove(entry.getKey(), entry.getValue());
        removed++;
      }
    }
    return removed;
  }

  @Override
  public long liveEntryCount(String name) {
    return answers.asMap().keySet().stream()
        .filter(key -> StoredName.isOf(key.name(), name))
        .count();
  }
}
