package failover.store;

import failover.key.StoreKey;
import failover.key.StoredName;
import failover.store.FailoverStore.StoreChange;
import failover.store.FailoverStore.StoreChange.Moments;
import failover.store.FailoverStore.StoredEntry;
import holdfast.time.TimeSource;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Keeps copies in the near store in step with the far one: drops those that other nodes have
 * replaced or removed, and stores those again that the far store never got. Safe for use by many
 * threads; checks and sweeps take turns.
 */
final class NearCopies {
  /** How much longer than a write takes, from its statement to its commit. */
  static final Duration OVERLAP = Duration.ofSeconds(15);

  /** For how long the far store can tell what was removed. */
  static final Duration KNOWN_REMOVALS = Duration.ofHours(24);

  static final int MOST_CHANGES = 10_000;
  private static final int BATCH = 500;

  private final FailoverStore near;
  private final FailoverStore far;
  private final TimeSource time;

  /** The names under which something was kept near, unless the near store tells them itself. */
  private final Set<String> kept = ConcurrentHashMap.newKeySet();

  private final boolean tellsNames;

  private final UnwrittenCopies unwritten;
  private long checked; // when the last check began; guarded by this

  NearCopies(FailoverStore near, FailoverStore far, UnwrittenCopies unwritten, TimeSource time) {
    this.near = near;
    this.far = far;
    this.time = time;
    this.unwritten = unwritten;
    this.tellsNames = near.names().isPresent();
    this.checked = time.nanoTime();
  }

  /** Takes note that something is kept near under a name. */
  void remember(String name) {
    if (!tellsNames && !kept.contains(name)) { // a set that is only read costs nothing
      kept.add(name);
    }
  }

  private Set<String> names() {
    Set<String> names = new HashSet<>(near.names().orElse(kept));
    names.addAll(unwritten.names());
    return names;
  }

  /** Drops what others have replaced or removed since the last check that succeeded. */
  synchronized void check() {
    if (names().isEmpty()) {
      return;
    }
    long began = time.nanoTime();
    Duration last = Duration.ofNanos(began - checked).plus(OVERLAP);
    Optional<List<StoreChange>> changes = far.changes(last, MOST_CHANGES);
    if (changes.isPresent()) {
      follow(changes.get(), last);
    }
    checked = began;
    unwritten.writeAgain();
  }

  private void follow(List<StoreChange> changes, Duration last) {
    unwritten.follow(changes);
    boolean isCut = changes.size() >= MOST_CHANGES;
    if (last.compareTo(KNOWN_REMOVALS) > 0 || (isCut && areRemovalsAlone(changes))) {
      unwritten.clear(); // others may have removed some of it, and nobody can tell which
      followAll();
    } else if (isCut) {
      followRemovals(changes);
      followAll();
    } else {
      followRemovals(changes);
      followNewer(changes);
    }
  }

  /** Removals come first, so that there may be more of them than these. */
  private static boolean areRemovalsAlone(List<StoreChange> changes) {
    return changes.stream().allMatch(change -> change.stored() == null);
  }

  private void followRemovals(List<StoreChange> changes) {
    for (StoreChange change : changes) {
      if (change.id() == null) {
        near.deleteAll(change.name());
      }
    }
  }

  private void followNewer(List<StoreChange> changes) {
    Map<String, Map<String, StoreChange>> byName = new HashMap<>();
    Set<String> names = names();
    for (StoreChange change : changes) {
      if (change.id() != null && names.contains(change.name())) {
        byName
            .computeIfAbsent(change.name(), name -> new HashMap<>())
            .merge(change.id(), change, (one, other) -> one.stored() == null ? one : other);
      }
    }
    byName.forEach(this::followNewer);
  }

  private void followNewer(String name, Map<String, StoreChange> byId) {
    for (StoredEntry copy : near.entries(name, Integer.MAX_VALUE)) {
      StoreChange change = byId.get(copy.key().id());
      if (change != null && isOutdated(copy, change.stored())) {
        near.deleteUnlessNewer(copy.key(), copy.asOf());
      }
    }
  }

  private static boolean isOutdated(StoredEntry copy, @Nullable Moments stored) {
    return stored == null || stored.outdates(new Moments(copy.asOf(), copy.expireOn()));
  }

  /**
   * Compares every copy with what the far store has. A tenant whose store fails keeps none of the
   * others' copies from being compared; where several fail, all seem to.
   */
  synchronized void followAll() {
    Map<String, RuntimeException> failed = new HashMap<>();
    for (String name : names()) {
      String tenant = StoredName.tenant(name);
      if (!failed.containsKey(tenant)) {
        try {
          followAll(name);
        } catch (RuntimeException e) {
          if (tenant == null || failed.size() + 1 >= DownTenants.SEVERAL) {
            throw e;
          }
          failed.put(tenant, e);
        }
      }
    }
    for (RuntimeException failure : failed.values()) {
      throw failure;
    }
  }

  /**
   * Drops what is gone from the far store, unless it never got there, or is older than what it has.
   */
  private void followAll(String name) {
    List<StoredEntry> copies = near.entries(name, Integer.MAX_VALUE);
    unwritten.retain(name, copies);
    for (int from = 0; from < copies.size(); from += BATCH) {
      Map<StoreKey, Instant> held = new HashMap<>();
      copies
          .subList(from, Math.min(copies.size(), from + BATCH))
          .forEach(copy -> held.put(copy.key(), copy.asOf()));
      Map<StoreKey, Instant> distant = far.momentsOf(held.keySet());
      held.forEach(
          (key, asOf) -> {
            Instant theirs = distant.get(key);
            if (theirs == null ? !unwritten.contains(key) : theirs.isAfter(asOf)) {
              near.deleteUnlessNewer(key, asOf);
            }
          });
    }
  }
}
