package failover.store;

import failover.key.StoreKey;
import failover.store.FailoverStore.StoredEntry;
import failover.store.PendingWrites.Write;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** A store as it will be when all that waits is written. Safe for use by many threads. */
record StoreWithPendingWrites(PendingWrites pending, FailoverStore target) {

  Optional<ReferentialPayload> find(StoreKey key) {
    Optional<Write> waiting = pending.of(key);
    return waiting.isPresent() ? waiting.flatMap(this::unlessOlder) : target.find(key);
  }

  /** What waits, or what is stored if that is newer: then the one that waits will not be kept. */
  private Optional<ReferentialPayload> unlessOlder(Write waiting) {
    ReferentialPayload young = waiting.answer();
    return young == null || waiting.removesFirst()
        ? Optional.ofNullable(young)
        : Optional.of(newest(young));
  }

  private ReferentialPayload newest(ReferentialPayload young) {
    try {
      return target.find(young.key()).filter(stored -> !young.replaces(stored)).orElse(young);
    } catch (RuntimeException e) {
      return young; // the write that waits fails for the same reason, and is reported
    }
  }

  /** What waits may be older than what is stored, as above; all of it is looked for at once. */
  List<ReferentialPayload> findAll(Collection<StoreKey> keys) {
    List<ReferentialPayload> found = new ArrayList<>();
    Map<StoreKey, ReferentialPayload> young = new LinkedHashMap<>();
    Set<StoreKey> others = new LinkedHashSet<>();
    for (StoreKey key : keys) {
      Write waiting = pending.of(key).orElse(null);
      ReferentialPayload answer = waiting == null ? null : waiting.answer();
      if (waiting == null) {
        others.add(key);
      } else if (answer != null && waiting.removesFirst()) {
        found.add(answer);
      } else if (answer != null) {
        young.put(key, answer);
      }
    }
    for (ReferentialPayload stored : stored(others, young.keySet())) {
      young.merge(stored.key(), stored, (mine, old) -> mine.replaces(old) ? mine : old);
    }
    found.addAll(young.values());
    return found;
  }

  private List<ReferentialPayload> stored(Set<StoreKey> others, Set<StoreKey> waiting) {
    Set<StoreKey> all = new LinkedHashSet<>(others);
    all.addAll(waiting);
    try {
      return all.isEmpty() ? List.of() : target.findAll(all);
    } catch (RuntimeException e) {
      if (others.isEmpty()) {
        return List.of(); // the writes that wait fail for the same reason, and are reported
      }
      throw e;
    }
  }

  Map<StoreKey, Instant> momentsOf(Collection<StoreKey> keys) {
    // What waits first: what is written in the meantime is in the store by then.
    List<Write> waiting = keys.stream().map(pending::of).flatMap(Optional::stream).toList();
    Map<StoreKey, Instant> moments = new HashMap<>(target.momentsOf(keys));
    for (Write write : waiting) {
      ReferentialPayload answer = write.answer();
      if (answer == null) {
        moments.remove(write.key());
      } else if (write.removesFirst()) {
        moments.put(write.key(), answer.asOf());
      } else {
        moments.merge(write.key(), answer.asOf(), (a, b) -> a.isAfter(b) ? a : b);
      }
    }
    return moments;
  }

  List<StoredEntry> entries(String name, int limit) {
    List<Write> waiting = pending.under(name);
    Map<String, StoredEntry> byId = new LinkedHashMap<>();
    long most = (long) limit + waiting.size(); // those may be removals
    target
        .entries(name, (int) Math.min(most, Integer.MAX_VALUE))
        .forEach(entry -> byId.put(entry.key().id(), entry));
    for (Write write : waiting) {
      ReferentialPayload answer = write.answer();
      if (answer == null) {
        byId.remove(write.key().id());
      } else if (write.removesFirst()) {
        byId.put(write.key().id(), StoredEntry.of(answer));
      } else {
        byId.merge(
            write.key().id(),
            StoredEntry.of(answer),
            (old, young) -> young.asOf().isBefore(old.asOf()) ? old : young);
      }
    }
    return byId.values().stream()
        .sorted(Comparator.comparing(StoredEntry::asOf).reversed())
        .limit(limit)
        .toList();
  }
}
