package failover.store;

import failover.key.StoreKey;
import failover.key.StoredName;
import failover.store.FailoverStore.FailoverStoreSizeAware;
import failover.store.FailoverStore.StoredEntry;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashSet;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/**
 * Answers in the memory of this process, the most recently used ones. Nothing of it survives a
 * restart. Safe for use by many threads.
 */
public final class InMemoryFailoverStore implements FailoverStore, FailoverStoreSizeAware {
  /** Answers kept unless configured: {@value}. */
  public static final int DEFAULT_MAX_ENTRIES = 10_000;

  /** Bytes of keys and contents kept unless configured: 64 MiB. */
  public static final long DEFAULT_MAX_BYTES = 64L << 20;

  private final int maxEntries;
  private final long maxBytes;
  private final Map<StoreKey, ReferentialPayload> answers; // guarded by this
  private long bytes; // guarded by this

  /** A store of {@value #DEFAULT_MAX_ENTRIES} answers and 64 MiB. */
  public InMemoryFailoverStore() {
    this(DEFAULT_MAX_ENTRIES);
  }

  /**
   * A store of a number of answers and 64 MiB.
   *
   * @param maxEntries how many answers
   * @throws IllegalArgumentException if that is not 1 or more
   */
  public InMemoryFailoverStore(int maxEntries) {
    this(maxEntries, DEFAULT_MAX_BYTES);
  }

  /**
   * A store of a number of answers and bytes. What exceeds them takes the place of the answers not
   * used for the longest time. An answer that is larger by itself is refused.
   *
   * @param maxEntries how many answers
   * @param maxBytes how many bytes their keys and contents take, by estimate
   * @throws IllegalArgumentException if one of them is not 1 or more
   */
  public InMemoryFailoverStore(int maxEntries, long maxBytes) {
    if (maxEntries < 1) {
      throw new IllegalArgumentException("maxEntries must be 1 or more but was " + maxEntries);
    }
    if (maxBytes < 1) {
      throw new IllegalArgumentException("maxBytes must be 1 or more but was " + maxBytes);
    }
    this.maxEntries = maxEntries;
    this.maxBytes = maxBytes;
    this.answers = new LinkedHashMap<>(16, 0.75f, true);
  }

  @Override
  public synchronized void store(ReferentialPayload answer) {
    ReferentialPayload young = answer.under(placeOf(answer.key()));
    ReferentialPayload old = answers.get(young.key());
    if (old != null && !young.replaces(old)) {
      return;
    }
    if (young.estimatedBytes() > maxBytes) {
      remove(young.key()); // it is older
      throw FailoverStoreException.tooLarge(young, maxBytes);
    }
    answers.put(young.key(), young);
    bytes += young.estimatedBytes() - (old == null ? 0 : old.estimatedBytes());
    makeRoom();
  }

  private void makeRoom() {
    Iterator<ReferentialPayload> eldest = answers.values().iterator();
    while (answers.size() > maxEntries || bytes > maxBytes) {
      bytes -= eldest.next().estimatedBytes();
      eldest.remove();
    }
  }

  /** The key of the answer with that name and id, if the key has no more than these. */
  private StoreKey placeOf(StoreKey key) {
    return key.hasArguments() || answers.containsKey(key)
        ? key
        : answers.keySet().stream().filter(key::hasIdOf).findFirst().orElse(key);
  }

  @Override
  public synchronized void delete(StoreKey key) {
    remove(placeOf(key));
  }

  @Override
  public synchronized void deleteUnlessNewer(StoreKey key, Instant asOf) {
    StoreKey place = placeOf(key);
    ReferentialPayload stored = answers.get(place);
    if (stored != null && !stored.asOf().isAfter(asOf)) {
      remove(place);
    }
  }

  private void remove(StoreKey key) {
    ReferentialPayload removed = answers.remove(key);
    bytes -= removed == null ? 0 : removed.estimatedBytes();
  }

  @Override
  public synchronized int deleteAll(String name) {
    return removeIf(answer -> answer.key().name().equals(name));
  }

  private int removeIf(Predicate<ReferentialPayload> condition) {
    int before = answers.size();
    answers
        .values()
        .removeIf(
            answer -> {
              boolean isToGo = condition.test(answer);
              bytes -= isToGo ? answer.estimatedBytes() : 0;
              return isToGo;
            });
    return before - answers.size();
  }

  @Override
  public synchronized int expireAll(String name, Instant now) {
    List<ReferentialPayload> all = under(name);
    all.forEach(answer -> store(answer.expiredAt(now)));
    return all.size();
  }

  @Override
  public boolean isInProcess() {
    return true;
  }

  @Override
  public synchronized Optional<ReferentialPayload> find(StoreKey key) {
    return Optional.ofNullable(answers.get(placeOf(key))).map(found -> found.under(key));
  }

  /** Keys that were listed are looked for in one pass over all answers, not in one each. */
  @Override
  public synchronized List<ReferentialPayload> findAll(Collection<StoreKey> keys) {
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
    for (ReferentialPayload answer : answers.values()) {
      StoreKey place = answer.key();
      if (names.contains(place.name())) {
        StoreKey key = StoreKey.stored(place.name(), place.id());
        if (listed.contains(key)) {
          found.add(answer.under(key));
        }
      }
    }
    return found;
  }

  @Override
  public synchronized List<StoredEntry> entries(String name, int limit) {
    return under(name).stream()
        .sorted(Comparator.comparing(ReferentialPayload::asOf).reversed())
        .limit(limit)
        .map(StoredEntry::of)
        .toList();
  }

  private List<ReferentialPayload> under(String name) {
    return answers.values().stream().filter(answer -> answer.key().name().equals(name)).toList();
  }

  @Override
  public synchronized Optional<Set<String>> names() {
    return Optional.of(answers.keySet().stream().map(StoreKey::name).collect(Collectors.toSet()));
  }

  @Override
  public synchronized long cleanByExpiry(Instant cutoff) {
    return removeIf(answer -> answer.expireOn().isBefore(cutoff));
  }

  @Override
  public synchronized long liveEntryCount(String name) {
    return answers.keySet().stream().filter(key -> StoredName.isOf(key.name(), name)).count();
  }
}
