package failover.store;

import failover.key.StoreKey;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Writes that wait, one for each row, the oldest first. Safe for use by many threads.
 *
 * <p>A write that is under way stays here until it has succeeded, so that who reads meanwhile sees
 * it; one that comes for the same row takes its place. A row has two keys: one made of arguments,
 * and one of the id that stores list it by. Ids are worked out only while a write of the second
 * kind waits, which is when people have removed something: calls need none.
 */
final class PendingWrites {

  /**
   * A write: an answer to be stored, or null for a removal.
   *
   * @param removesFirst whether it took the place of a removal, which it must not undo
   */
  record Write(StoreKey key, @Nullable ReferentialPayload answer, boolean removesFirst) {
    Write(StoreKey key, @Nullable ReferentialPayload answer) {
      this(key, answer, false);
    }

    boolean isRemoval() {
      return answer == null;
    }

    private Write under(StoreKey other) {
      return key.equals(other)
          ? this
          : new Write(other, answer == null ? null : answer.under(other), removesFirst);
    }

    private Write after(Write before) {
      boolean removes = !isRemoval() && (before.isRemoval() || before.removesFirst);
      return removes ? new Write(key, answer, true) : this;
    }

    String operation() {
      return answer == null ? "delete" : "store";
    }
  }

  private final int capacity;
  private final Map<StoreKey, Write> waiting = new LinkedHashMap<>(); // guarded by this
  private int listed; // how many wait under a key without arguments; guarded by this
  private boolean closed; // guarded by this

  PendingWrites(int capacity) {
    this.capacity = capacity;
  }

  /** Adds a write; false if there is no room, or nobody will write it any more. */
  synchronized boolean add(Write added) {
    Write before = waiting.get(placeOf(added.key()));
    if (closed || (before == null && waiting.size() >= capacity)) {
      return false;
    }
    if (before == null) {
      put(added);
    } else if (isToReplace(before, added)) {
      StoreKey key = added.key().hasArguments() ? added.key() : before.key();
      if (!key.equals(before.key())) {
        remove(before);
      }
      put(added.under(key).after(before));
    }
    return true;
  }

  /** The key under which a write for the same row waits; the key itself if none does. */
  private StoreKey placeOf(StoreKey key) {
    if (waiting.containsKey(key)) {
      return key;
    }
    if (key.hasArguments()) {
      return listed == 0 ? key : StoreKey.stored(key.name(), key.id());
    }
    return waiting.keySet().stream()
        .filter(own -> own.name().equals(key.name()) && own.id().equals(key.id()))
        .findFirst()
        .orElse(key);
  }

  private void put(Write write) {
    if (waiting.put(write.key(), write) == null && !write.key().hasArguments()) {
      listed++;
    }
  }

  private boolean remove(Write write) {
    boolean removed = waiting.remove(write.key(), write);
    if (removed && !write.key().hasArguments()) {
      listed--;
    }
    return removed;
  }

  /** An older answer does not take the place of a newer one that waits. */
  private static boolean isToReplace(Write before, Write write) {
    return before.answer() == null
        || write.answer() == null
        || write.answer().replaces(before.answer());
  }

  /** Up to so many writes, which stay here. */
  synchronized List<Write> first(int most) {
    return waiting.values().stream().limit(most).toList();
  }

  /** Takes out a write that has succeeded, unless another has taken its place. */
  synchronized void written(Write write) {
    remove(write);
  }

  /** Moves a write that has failed behind all others, unless another has taken its place. */
  synchronized void postpone(Write write) {
    if (remove(write)) {
      put(write);
    }
  }

  /** What waits for the row of that key, under that key: empty if nothing does. */
  synchronized Optional<Write> of(StoreKey key) {
    return Optional.ofNullable(waiting.get(placeOf(key))).map(write -> write.under(key));
  }

  /** All that waits under an effective name. */
  synchronized List<Write> under(String name) {
    return new ArrayList<>(
        waiting.values().stream().filter(write -> write.key().name().equals(name)).toList());
  }

  synchronized int size() {
    return waiting.size();
  }

  int capacity() {
    return capacity;
  }

  synchronized boolean isClosed() {
    return closed;
  }

  synchronized void close() {
    closed = true;
  }
}
