package failover.store;

import failover.key.StoreKey;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Writes that wait, one for each key, the oldest first. Safe for use by many threads.
 *
 * <p>A write that is under way stays here until it has succeeded, so that who reads meanwhile sees
 * it; one that comes for the same key takes its place.
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
  private boolean closed; // guarded by this

  PendingWrites(int capacity) {
    this.capacity = capacity;
  }

  /** Adds a write; false if there is no room, or nobody will write it any more. */
  synchronized boolean add(Write added) {
    Write write = added.key().hasArguments() ? added : underItsArguments(added);
    Write before = waiting.get(write.key());
    if (closed || (before == null && waiting.size() >= capacity)) {
      return false;
    }
    if (before == null || isToReplace(before, write)) {
      waiting.put(write.key(), before == null ? write : write.after(before));
    }
    return true;
  }

  /** The write under the key of the one that waits for the same row, if there is one. */
  private Write underItsArguments(Write write) {
    for (StoreKey key : waiting.keySet()) {
      if (key.name().equals(write.key().name()) && key.id().equals(write.key().id())) {
        ReferentialPayload answer = write.answer();
        return new Write(key, answer == null ? null : answer.under(key));
      }
    }
    return write;
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
    waiting.remove(write.key(), write);
  }

  /** Moves a write that has failed behind all others, unless another has taken its place. */
  synchronized void postpone(Write write) {
    if (waiting.remove(write.key(), write)) {
      waiting.put(write.key(), write);
    }
  }

  /** What waits for that key: empty if nothing does. */
  synchronized Optional<Write> of(StoreKey key) {
    return Optional.ofNullable(waiting.get(key));
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
