package failover.store;

import failover.key.StoreKey;
import failover.key.StoredName;
import failover.store.FailoverStore.DropReason;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Writes that wait, one for each row, the oldest first. Safe for use by many threads.
 *
 * <p>A write that is under way stays here until it has succeeded, so that a read meanwhile sees it;
 * one that comes for the same row takes its place. Writes that came together are one entry of the
 * queue, and are handed out together. A row has two keys: one made of arguments, and one of the id
 * that stores list it by. Ids are worked out only while a write of the second kind waits, which is
 * when people have removed something: calls need none. No {@linkplain TenantShares tenant} fills it
 * alone.
 */
final class PendingWrites {

  /**
   * A write: an answer to be stored, or null for a removal.
   *
   * @param removesFirst whether it took the place of a removal, which it must not undo
   * @param failure how it failed while the store took others, or null
   * @param entry the entry of the queue that it belongs to
   */
  record Write(
      StoreKey key,
      @Nullable ReferentialPayload answer,
      boolean removesFirst,
      @Nullable Failure failure,
      Entry entry) {

    Write(StoreKey key, @Nullable ReferentialPayload answer) {
      this(key, answer, false, null, new Entry());
    }

    /** Writes that are one entry of the queue. */
    static List<Write> together(Collection<ReferentialPayload> answers) {
      Entry entry = new Entry();
      return answers.stream()
          .map(answer -> new Write(answer.key(), answer, false, null, entry))
          .toList();
    }

    boolean isRemoval() {
      return answer == null;
    }

    /** Whether it is somebody's wish that an answer is not given any more. */
    boolean removes() {
      return answer == null || answer.isMadeToExpire();
    }

    private Write under(StoreKey other) {
      return key.equals(other)
          ? this
          : new Write(
              other, answer == null ? null : answer.under(other), removesFirst, failure, entry);
    }

    private Write after(Write before) {
      boolean removes = !isRemoval() && (before.isRemoval() || before.removesFirst);
      return new Write(key, answer, removes, null, before.entry);
    }

    private Write with(Failure newFailure) {
      return new Write(key, answer, removesFirst, newFailure, entry);
    }

    private long bytes() {
      return answer == null ? REMOVAL_BYTES + key.estimatedBytes() : answer.estimatedBytes();
    }

    String operation() {
      return answer == null ? "delete" : "store";
    }
  }

  /**
   * The failure of a write for its own sake.
   *
   * @param count how often the store took others between two of them
   * @param taken how many others the store had taken by the last one
   * @param dueAt when it may be tried again
   */
  record Failure(int count, long taken, long dueAt) {}

  /** What counts as one of the writes that may wait. Guarded by the queue. */
  static final class Entry {
    private int rows;
    private @Nullable String tenant; // of its first row

    /** Adds a row; whether it is the first, as a number. */
    private int begin(StoreKey key) {
      if (rows++ > 0) {
        return 0;
      }
      tenant = StoredName.tenant(key.name());
      return 1;
    }
  }

  private static final int REMOVAL_BYTES = 200;

  private final int capacity;
  private final long maxBytes;
  private final Map<StoreKey, Write> waiting = new LinkedHashMap<>(); // guarded by this
  private long bytes; // of all that waits; guarded by this
  private int entries; // how many of them have rows that wait; guarded by this
  private int listed; // how many wait under a key without arguments; guarded by this
  private boolean closed; // guarded by this
  private final TenantShares shares = new TenantShares(); // guarded by this

  PendingWrites(int capacity, long maxBytes) {
    this.capacity = capacity;
    this.maxBytes = maxBytes;
  }

  /**
   * Adds a write; the reason why not if the queue is full or closed. One for a row that waits takes
   * over its entry.
   */
  synchronized @Nullable DropReason add(Write added) {
    Write before = waiting.get(placeOf(added.key()));
    DropReason whyNot =
        whyNot(added.key(), added.bytes(), before == null ? 0 : before.bytes(), before == null);
    if (whyNot == null) {
      put(added, before);
    }
    return whyNot;
  }

  /** Adds writes that are one entry, all of them or none; the reason why not. */
  synchronized @Nullable DropReason addAll(List<Write> added) {
    long more = 0;
    long less = 0;
    boolean isNew = false;
    for (Write write : added) {
      Write before = waiting.get(placeOf(write.key()));
      more += write.bytes();
      less += before == null ? 0 : before.bytes();
      isNew |= before == null;
    }
    DropReason whyNot = whyNot(added.get(0).key(), more, less, isNew);
    if (whyNot == null) {
      added.forEach(write -> put(write, waiting.get(placeOf(write.key()))));
    }
    return whyNot;
  }

  private void put(Write added, @Nullable Write before) {
    if (before == null) {
      put(added);
    } else if (isToReplace(before, added)) {
      StoreKey key = added.key().hasArguments() ? added.key() : before.key();
      if (!key.equals(before.key())) {
        remove(before);
      }
      put(added.under(key).after(before));
    }
  }

  private @Nullable DropReason whyNot(StoreKey key, long more, long less, boolean isNew) {
    if (closed) {
      return DropReason.CLOSED;
    }
    if (more > maxBytes) {
      return DropReason.TOO_LARGE;
    }
    boolean fits = bytes + more - less <= maxBytes && !(isNew && entries >= capacity);
    boolean isFair =
        shares.allows(
            StoredName.tenant(key.name()),
            isNew ? 1 : 0,
            more - less,
            capacity - entries,
            maxBytes - bytes);
    return fits && isFair ? null : DropReason.QUEUE_FULL;
  }

  /** The key under which a write for the same row waits; the key itself if none does. */
  private StoreKey placeOf(StoreKey key) {
    if (waiting.containsKey(key)) {
      return key;
    }
    if (key.hasArguments()) {
      return listed == 0 ? key : StoreKey.stored(key.name(), key.id());
    }
    return waiting.keySet().stream().filter(key::hasIdOf).findFirst().orElse(key);
  }

  private void put(Write write) {
    Write before = waiting.put(write.key(), write);
    long more = write.bytes() - (before == null ? 0 : before.bytes());
    int added = 0;
    if (before == null) {
      listed += write.key().hasArguments() ? 0 : 1;
      added = write.entry().begin(write.key()); // one that replaces a row has its entry
    }
    count(write, added, more);
  }

  private boolean remove(Write write) {
    boolean removed = waiting.remove(write.key(), write);
    if (removed) {
      listed -= write.key().hasArguments() ? 0 : 1;
      count(write, --write.entry().rows == 0 ? -1 : 0, -write.bytes());
    }
    return removed;
  }

  private void count(Write write, int newEntries, long newBytes) {
    entries += newEntries;
    bytes += newBytes;
    shares.add(write.entry().tenant, newEntries, newBytes);
  }

  /** An older answer does not take the place of a newer one that waits. */
  private static boolean isToReplace(Write before, Write write) {
    return before.answer() == null
        || write.answer() == null
        || write.answer().replaces(before.answer());
  }

  /**
   * The first writes that have not failed, {@code most} of them or more where the last one's entry
   * has more; they stay here.
   */
  synchronized List<Write> fresh(int most) {
    List<Write> fresh = new ArrayList<>();
    for (Write write : waiting.values()) {
      if (write.failure() == null) {
        if (fresh.size() >= most && !isOfSameEntry(write, fresh.get(fresh.size() - 1))) {
          return fresh;
        }
        fresh.add(write);
      }
    }
    return fresh;
  }

  @SuppressWarnings("ReferenceEquality") // entries have no content
  private static boolean isOfSameEntry(Write one, Write other) {
    return one.entry() == other.entry();
  }

  /** Writes that have failed and may be tried again, {@code most} at most; they stay here. */
  synchronized List<Write> due(int most, long now) {
    return waiting.values().stream()
        .filter(write -> write.failure() != null && write.failure().dueAt() - now <= 0)
        .limit(most)
        .toList();
  }

  /** All writes, those that have failed last. */
  synchronized List<Write> all() {
    List<Write> all = new ArrayList<>(fresh(Integer.MAX_VALUE));
    waiting.values().stream().filter(write -> write.failure() != null).forEach(all::add);
    return all;
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

  /** Notes how a write has failed, unless another has taken its place. */
  synchronized void setAside(Write write, Failure failure) {
    if (remove(write)) {
      put(write.with(failure));
    }
  }

  /** Gives up the answer of a write, unless another has taken its place; a removal stays. */
  synchronized void giveUp(Write write) {
    if (remove(write) && write.removesFirst()) {
      put(new Write(write.key(), null, false, null, write.entry()));
    }
  }

  /** What waits for the row of that key, under that key: empty if nothing does. */
  synchronized Optional<Write> of(StoreKey key) {
    return Optional.ofNullable(waiting.get(placeOf(key))).map(write -> write.under(key));
  }

  /** All that waits under an effective name. */
  synchronized List<Write> under(String name) {
    return waiting.values().stream().filter(write -> write.key().name().equals(name)).toList();
  }

  synchronized int size() {
    return waiting.size();
  }

  synchronized boolean isClosed() {
    return closed;
  }

  synchronized void close() {
    closed = true;
  }
}
