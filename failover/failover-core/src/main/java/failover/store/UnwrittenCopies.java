package failover.store;

import failover.key.StoreKey;
import failover.store.FailoverStore.DropReason;
import failover.store.FailoverStore.StoreChange;
import failover.store.FailoverStore.StoreChange.Moments;
import failover.store.FailoverStore.StoredEntry;
import holdfast.lifecycle.Deadline;
import holdfast.lifecycle.Spin;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.ReadWriteLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import java.util.function.IntSupplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Answers that are kept near and that the far store never got. Stores them again, unless somebody
 * removes them meanwhile. Safe for use by many threads, of which one at a time stores again and
 * follows changes.
 */
final class UnwrittenCopies {
  private static final int MOST = 10_000;
  private static final int AT_ONCE = 1_000;

  /** At the end, how often the queue of the far store is asked for room in vain: about a second. */
  private static final int MOST_TRIES = 10_000;

  /** The place of an answer in the far store. */
  private record Row(String name, String id) {
    private static Row of(StoreKey key) {
      return new Row(key.name(), key.id());
    }
  }

  /*
   * A forgotten answer must not come back. Between the moment at which a copy is read and that at
   * which the far store has it, somebody may forget it:
   *
   * On this node a removal first takes the row out of `unwritten` and then removes the answer from
   * the far store under the shared lock. Storing a copy again takes the exclusive one, and happens
   * only if the row is still in `unwritten`. So either the copy is not stored, or the removal
   * comes after it.
   *
   * Another node's removal shows with the next check. What was stored again and has not been seen
   * in the far store yet is `onItsWay`, by its moment. If a removal of it shows before, it is
   * removed once more, unless the far store has something newer by then.
   */
  private final FailoverStore near;
  private final FailoverStore far;
  private final Map<Row, DropReason> unwritten = new ConcurrentHashMap<>(); // usually empty
  private final Map<Row, Instant> onItsWay = new HashMap<>(); // of the one that follows changes
  private final ReadWriteLock removals = new ReentrantReadWriteLock();

  UnwrittenCopies(FailoverStore near, FailoverStore far) {
    this.near = near;
    this.far = far;
  }

  /** Takes note that the far store did not get a write. */
  void dropped(StoreKey key, DropReason reason) {
    if (reason != DropReason.CLOSED && unwritten.size() < MOST) {
      unwritten.put(Row.of(key), reason);
    }
  }

  /** Takes note that there is a new write, or a removal. */
  void replaced(StoreKey key) {
    if (!unwritten.isEmpty()) {
      unwritten.remove(Row.of(key));
    }
  }

  /** Takes note that all under a name are removed. */
  void replacedAll(String name) {
    unwritten.keySet().removeIf(row -> row.name.equals(name));
  }

  /**
   * Removes something from the far store, and not while a copy is being stored there again.
   *
   * @return how much it was
   */
  int removing(IntSupplier removal) {
    removals.readLock().lock();
    try {
      return removal.getAsInt();
    } finally {
      removals.readLock().unlock();
    }
  }

  boolean contains(StoreKey key) {
    return !unwritten.isEmpty() && unwritten.containsKey(Row.of(key));
  }

  /** The names under which there are any. */
  Set<String> names() {
    return unwritten.keySet().stream().map(Row::name).collect(Collectors.toSet());
  }

  /** Forgets those under a name of which there is no copy any more. */
  void retain(String name, Collection<StoredEntry> copies) {
    if (unwritten.isEmpty()) {
      return;
    }
    Set<String> ids = new HashSet<>();
    copies.forEach(copy -> ids.add(copy.key().id()));
    unwritten.keySet().removeIf(row -> row.name.equals(name) && !ids.contains(row.id));
  }

  /** Nobody can tell any more what of it others have removed. */
  void clear() {
    unwritten.clear();
  }

  /** Follows what others have removed from the far store, or stored there. */
  void follow(List<StoreChange> changes) {
    Map<Row, Instant> stored = onItsWay.isEmpty() ? Map.of() : storedBy(changes);
    onItsWay.entrySet().removeIf(mine -> isLater(stored.get(mine.getKey()), mine.getValue()));
    for (StoreChange change : changes) {
      if (change.stored() == null) {
        removed(change.name(), change.id());
      }
    }
    onItsWay.keySet().removeAll(stored.keySet());
  }

  private static Map<Row, Instant> storedBy(List<StoreChange> changes) {
    Map<Row, Instant> stored = new HashMap<>();
    for (StoreChange change : changes) {
      Moments moments = change.stored();
      if (moments != null && change.id() != null) {
        stored.put(new Row(change.name(), change.id()), moments.asOf());
      }
    }
    return stored;
  }

  private static boolean isLater(@Nullable Instant one, Instant other) {
    return one != null && one.isAfter(other);
  }

  private void removed(String name, @Nullable String id) {
    if (id == null) {
      replacedAll(name);
      List.copyOf(onItsWay.keySet()).stream()
          .filter(row -> row.name.equals(name))
          .forEach(this::removeAgain);
    } else {
      Row row = new Row(name, id);
      unwritten.remove(row);
      removeAgain(row);
    }
  }

  private void removeAgain(Row row) {
    if (onItsWay.containsKey(row)) {
      far.delete(StoreKey.stored(row.name, row.id));
      onItsWay.remove(row); // only now: if that fails, the next check tries again
    }
  }

  /** Stores again what the full queue of the far store did not take; a queue of them at a time. */
  void writeAgain() {
    List<Row> rows = new ArrayList<>();
    unwritten.forEach(
        (row, reason) -> {
          if (reason == DropReason.QUEUE_FULL && rows.size() < AT_ONCE) {
            rows.add(row);
          }
        });
    if (rows.isEmpty()) {
      return;
    }
    Map<Row, StoreKey> keys = new HashMap<>();
    Set<String> concerned = new HashSet<>();
    rows.forEach(row -> concerned.add(row.name));
    for (String name : concerned) {
      near.entries(name, Integer.MAX_VALUE).forEach(it -> keys.put(Row.of(it.key()), it.key()));
    }
    for (Row row : rows) {
      writeAgain(row, keys.get(row));
      if (unwritten.containsKey(row)) {
        return; // it is still full, or something is being removed
      }
    }
  }

  /**
   * Stores again all that the full queue of the far store did not take, as it finds room.
   *
   * @return how many are left when the time is over, or the far store takes nothing
   */
  int writeRest(Deadline deadline) {
    int left = waitingForRoom();
    for (int tries = 0; left > 0 && tries < MOST_TRIES && !deadline.isOver(); tries++) {
      writeAgain();
      int now = waitingForRoom();
      if (now < left) {
        tries = 0;
      } else {
        Spin.giveWay(tries);
      }
      left = now;
    }
    return left;
  }

  private int waitingForRoom() {
    return Collections.frequency(unwritten.values(), DropReason.QUEUE_FULL);
  }

  private void writeAgain(Row row, @Nullable StoreKey key) {
    if (!removals.writeLock().tryLock()) {
      return; // removals do not wait, copies do
    }
    try {
      if (unwritten.remove(row) != null && key != null) {
        near.find(key).ifPresent(copy -> write(row, copy));
      }
    } finally {
      removals.writeLock().unlock();
    }
  }

  private void write(Row row, ReferentialPayload copy) {
    if (onItsWay.size() < MOST) {
      onItsWay.put(row, copy.asOf());
    }
    far.store(copy);
  }
}
