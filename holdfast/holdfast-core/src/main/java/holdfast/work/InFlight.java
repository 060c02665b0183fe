package holdfast.work;

import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BiConsumer;

/**
 * Every event in flight on this node, from its claim until its outcome is recorded, and how many
 * bytes they have. The suspects among them are one group. Safe for use by many threads.
 *
 * @param <T> what the library claims
 */
public final class InFlight<T extends WorkItem> {
  /** About so many events say how large events are of late. */
  private static final int RECENT = 8;

  private final ConcurrentMap<Object, T> items = new ConcurrentHashMap<>();
  private final ConcurrentMap<String, Integer> byType = new ConcurrentHashMap<>();
  private final Set<T> suspects = ConcurrentHashMap.newKeySet();
  private final AtomicLong bytes = new AtomicLong();
  private final AtomicLong usualBytes = new AtomicLong(); // a lost update does no harm
  private final long maxBytes;
  private final BiConsumer<T, Boolean> onRemoved;
  private volatile int groupSize;
  private volatile boolean awaited;
  private volatile Runnable onRoom = () -> {};

  /**
   * Creates an empty set.
   *
   * @param maxBytes how many bytes the events may have in all; one event may always be there
   * @param onRemoved is called with each event that is removed, and whether it was still in the
   *     set; must not throw
   */
  public InFlight(long maxBytes, BiConsumer<T, Boolean> onRemoved) {
    this.maxBytes = maxBytes;
    this.onRemoved = onRemoved;
  }

  void add(T item) {
    if (item.isSuspect()) {
      groupSize = item.suspectGroup();
      suspects.add(item);
    }
    byType.merge(item.type(), 1, Integer::sum);
    long size = item.bytes();
    bytes.addAndGet(size);
    long usual = usualBytes.get();
    usualBytes.set(usual == 0 ? size : usual + (size - usual) / RECENT);
    T before = items.put(item.id(), item);
    if (before != null) { // its lease expired, its handler still runs, and it was claimed again
      uncount(before);
    }
  }

  void remove(T item) {
    boolean current = items.remove(item.id(), item);
    if (current) {
      uncount(item);
    }
    suspects.remove(item);
    onRemoved.accept(item, current);
  }

  /** Forgets an event that is to be replaced by another attempt at it. */
  public void forget(Object id) {
    T before = items.remove(id);
    if (before != null) {
      uncount(before);
    }
  }

  private void uncount(T item) {
    byType.computeIfPresent(item.type(), (type, n) -> n == 1 ? null : n - 1);
    bytes.addAndGet(-item.bytes());
    if (awaited && room() > 0) {
      awaited = false;
      onRoom.run();
    }
  }

  /** Returns how many bytes of other events there is room for; one event passes if it is 1. */
  public long room() {
    return items.isEmpty() ? Math.max(1, maxBytes) : Math.max(0, maxBytes - bytes.get());
  }

  /** Returns {@link #room}; if there is none, the listener is called when there is some. */
  long roomOrCall() {
    long room = room();
    if (room > 0) {
      return room;
    }
    awaited = true;
    return room(); // what was removed just now did not call
  }

  /**
   * Returns how many events to ask for when there is room for so many bytes: twice as many as fit
   * if they are as large as those of late, so that a table need not find out the size of many more.
   */
  int eventsWithin(long room) {
    long fit = room / Math.max(1, usualBytes.get());
    return (int) Math.max(1, 2 * Math.min(Integer.MAX_VALUE / 2, fit));
  }

  /** Returns whether there is room for an event that was just added. */
  boolean hasRoomFor(T added) {
    return bytes.get() <= maxBytes || (items.size() == 1 && contains(added));
  }

  /** Sets what is called when there is room again; must not throw. */
  void onRoom(Runnable listener) {
    onRoom = listener;
  }

  @SuppressWarnings("ReferenceEquality") // another attempt at the same event may follow
  boolean contains(T item) {
    return items.get(item.id()) == item;
  }

  /**
   * Returns how many suspects may be claimed: a new group when none is in flight, otherwise as many
   * as have ended of the group.
   *
   * @param most how large a new group may be
   */
  public SuspectLimit suspectLimit(int most) {
    int running = suspects.size();
    return running == 0
        ? new SuspectLimit(most, 0)
        : new SuspectLimit(Math.max(0, groupSize - running), groupSize);
  }

  /** Returns the types that there are events of. */
  public Set<String> types() {
    return Set.copyOf(byType.keySet());
  }

  /** Returns how many are of a type. */
  public int count(String type) {
    return byType.getOrDefault(type, 0);
  }

  /** Returns how many there are. */
  public int size() {
    return items.size();
  }

  /** Returns all of them at this moment. */
  public Collection<T> all() {
    return List.copyOf(items.values());
  }
}
