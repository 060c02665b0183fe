package holdfast.work;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.PriorityQueue;
import java.util.Queue;
import java.util.function.ToIntFunction;
import org.jspecify.annotations.Nullable;

/**
 * The events that wait for a worker: those just committed here, and those claimed from the table. A
 * worker takes the most urgent; among equals one of a type that no worker has, so that no type
 * keeps all workers; then committed ones, but every few turns a claimed one, so that a busy
 * publisher does not starve what waits in the table; then in the order they came. Events of a type
 * that has as many workers as it may wait. Safe for use by many threads.
 */
final class WorkQueue<T extends WorkItem> {
  private static final int CLAIMED_FIRST_EVERY = 4;
  private static final int NOBODY = -1;

  private final int committedCapacity;
  private final int claimedCapacity;
  private final ToIntFunction<String> concurrency;

  // Guarded by this, for which workers wait.
  private final Map<String, TypeQueue<T>> types = new HashMap<>();
  private int committed;
  private int claimed;
  private int busy; // workers that have taken an event and are not free yet
  private int unfinished;
  private long arrivals;
  private int turns;
  private int wakeAtSize = NOBODY;
  private boolean wakeWhenFinished;
  private boolean stopped;
  private boolean prioritized; // whether there was an event that is not of the most urgent
  private Runnable onRoom = () -> {};

  /** The events of one type. Guarded by the queue. */
  private static final class TypeQueue<T extends WorkItem> {
    private final Deque<T> committed = new ArrayDeque<>();
    private final Queue<T> claimed =
        new PriorityQueue<>(
            Comparator.<T>comparingInt(WorkItem::priority).thenComparingLong(WorkItem::number));
    private final int most;
    private int running;

    TypeQueue(int most) {
      this.most = most;
    }

    boolean isEmpty() {
      return committed.isEmpty() && claimed.isEmpty();
    }

    boolean takesClaimed(boolean claimedFirst) {
      return claimedFirst ? !claimed.isEmpty() : committed.isEmpty();
    }

    private T first(boolean claimedFirst) {
      return takesClaimed(claimedFirst) ? claimed.element() : committed.element();
    }

    /** Whether a worker that is free takes from here before it takes from there. */
    boolean comesBefore(TypeQueue<T> there, boolean claimedFirst) {
      T mine = first(claimedFirst);
      T other = there.first(claimedFirst);
      if (mine.priority() != other.priority()) {
        return mine.priority() < other.priority();
      }
      if ((running == 0) != (there.running == 0)) {
        return running == 0;
      }
      boolean fromClaimed = takesClaimed(claimedFirst);
      return fromClaimed == there.takesClaimed(claimedFirst)
          ? mine.number() < other.number()
          : fromClaimed == claimedFirst;
    }

    void removeLeft() {
      committed.removeIf(item -> !item.isWaiting());
      claimed.removeIf(item -> !item.isWaiting());
    }

    void drainTo(List<T> left) {
      left.addAll(committed);
      left.addAll(claimed);
      committed.clear();
      claimed.clear();
    }
  }

  /**
   * Creates an empty queue.
   *
   * @param committedCapacity how many committed events may wait
   * @param claimedCapacity how many claimed events may wait
   * @param concurrency how many handlers of a type may run at the same time
   */
  WorkQueue(int committedCapacity, int claimedCapacity, ToIntFunction<String> concurrency) {
    this.committedCapacity = committedCapacity;
    this.claimedCapacity = claimedCapacity;
    this.concurrency = concurrency;
  }

  /** Adds an event that was just committed; false if there is no room or the queue is stopped. */
  boolean offerCommitted(T item) {
    return offer(item, true, concurrency.applyAsInt(item.type()));
  }

  /** Adds an event that was claimed; false if there is no room or the queue is stopped. */
  boolean offerClaimed(T item) {
    return offer(item, false, concurrency.applyAsInt(item.type()));
  }

  private synchronized boolean offer(T item, boolean isCommitted, int most) {
    if (stopped || (isCommitted ? committed == committedCapacity : claimed == claimedCapacity)) {
      return false;
    }
    item.number(arrivals++);
    unfinished++;
    TypeQueue<T> type = types.computeIfAbsent(item.type(), name -> new TypeQueue<>(most));
    if (isCommitted) {
      committed++;
      type.committed.add(item);
    } else {
      claimed++;
      prioritized |= item.priority() > WorkItem.MOST_URGENT;
      type.claimed.add(item);
    }
    notify();
    return true;
  }

  /** The queue of a type that a worker has. */
  private TypeQueue<T> typeOf(T taken) {
    return Objects.requireNonNull(types.get(taken.type()));
  }

  /** Waits for the next event and takes it; null once the queue is stopped. */
  synchronized @Nullable T take() throws InterruptedException {
    TypeQueue<T> next = next();
    while (next == null && !stopped) {
      wait();
      next = next();
    }
    if (next == null) {
      return null;
    }
    next.running++;
    busy++;
    T taken = takeFrom(next, isClaimedFirst());
    turns++;
    announceRoom();
    return taken;
  }

  private @Nullable TypeQueue<T> next() {
    @Nullable TypeQueue<T> best = null;
    for (TypeQueue<T> type : types.values()) {
      boolean mayRun = !type.isEmpty() && type.running < type.most;
      if (mayRun && (best == null || type.comesBefore(best, isClaimedFirst()))) {
        best = type;
      }
    }
    return best;
  }

  private boolean isClaimedFirst() {
    return (turns + 1) % CLAIMED_FIRST_EVERY == 0;
  }

  private T takeFrom(TypeQueue<T> type, boolean claimedFirst) {
    if (type.takesClaimed(claimedFirst)) {
      claimed--;
      return type.claimed.remove();
    }
    committed--;
    return type.committed.remove();
  }

  /** Returns whether an event of the type waits. */
  synchronized boolean hasMoreOf(String type) {
    TypeQueue<T> queue = types.get(type);
    return queue != null && !queue.isEmpty();
  }

  /**
   * Takes more events of the type of one that was taken, to be handled together with it.
   *
   * @param most how many in all
   * @return the first and the others
   */
  synchronized List<T> takeMore(T first, int most) {
    List<T> taken = new ArrayList<>();
    taken.add(first);
    TypeQueue<T> type = typeOf(first);
    while (taken.size() < most && !type.isEmpty()) {
      taken.add(takeFrom(type, false));
    }
    announceRoom();
    return taken;
  }

  private void announceRoom() {
    if (claimed <= wakeAtSize) {
      wakeAtSize = NOBODY;
      onRoom.run();
    }
  }

  /** Notes that there is a worker more. */
  synchronized void workerAdded() {
    onRoom.run();
  }

  /** Notes that a worker is free, though what it has taken is not finished. */
  synchronized void workerFreed() {
    busy--;
    announceFreed();
  }

  private void announceFreed() {
    if (wakeWhenFinished) {
      wakeWhenFinished = false;
      onRoom.run();
    }
  }

  /**
   * Notes that events that were taken together are no longer worked on.
   *
   * @param first one of them
   * @param events how many they are
   * @param byWorker whether a worker is free now
   */
  synchronized void finished(T first, int events, boolean byWorker) {
    unfinished -= events;
    busy -= byWorker ? 1 : 0;
    TypeQueue<T> type = typeOf(first);
    type.running--;
    if (type.isEmpty() && type.running == 0) {
      types.remove(first.type());
    } else if (type.running == type.most - 1) {
      notify(); // an event that may run now
    }
    announceFreed();
  }

  /** Returns how many wait, or were taken and are not {@link #finished}. */
  synchronized int unfinished() {
    return unfinished;
  }

  synchronized int committedSize() {
    return committed;
  }

  /**
   * Returns how many committed events may be added.
   *
   * @param most how many events may wait or keep workers busy
   */
  synchronized int committedRoom(int most) {
    int room = Math.min(committedCapacity - committed, most - busy - committed - claimed);
    return stopped ? 0 : Math.max(0, room);
  }

  synchronized int claimedSize() {
    return claimed;
  }

  int claimedCapacity() {
    return claimedCapacity;
  }

  /** Returns how many claimed events may be added. */
  synchronized int claimedRoom() {
    return claimedCapacity - claimed;
  }

  /**
   * Returns how many events may be claimed.
   *
   * @param most how many may wait or keep workers busy
   */
  synchronized int roomForClaims(int most) {
    int room = most - busy - claimed;
    // While published events wait, no worker is ever free, but one claimed event has its turn.
    int turn = committed > 0 ? 1 - claimed : 0;
    return Math.max(0, Math.min(claimedCapacity - claimed, Math.max(room, turn)));
  }

  /** Removes those that were released or lost while they waited: nobody takes them any more. */
  synchronized void removeLeft() {
    int before = committed + claimed;
    committed = 0;
    claimed = 0;
    for (TypeQueue<T> type : types.values()) {
      type.removeLeft();
      committed += type.committed.size();
      claimed += type.claimed.size();
    }
    unfinished -= before - committed - claimed;
    types.values().removeIf(type -> type.isEmpty() && type.running == 0);
    announceRoom();
  }

  /** Sets what is called when events may be claimed; must not throw, and not wait. */
  synchronized void onRoom(Runnable listener) {
    onRoom = listener;
  }

  /** Returns whether at most so many claimed events wait; if not, the listener hears when. */
  synchronized boolean holdsAtMost(int size) {
    boolean few = claimed <= size;
    wakeAtSize = few ? wakeAtSize : size;
    return few;
  }

  /**
   * Returns the priority of the claimed event at that place among those that wait, the most urgent
   * first; of the last if there are fewer, and the most urgent if there is none or none is taken.
   */
  synchronized int priorityAt(int place) {
    return stopped || !prioritized
        ? WorkItem.MOST_URGENT
        : types.values().stream()
            .flatMap(type -> type.claimed.stream())
            .mapToInt(WorkItem::priority)
            .sorted()
            .limit(place)
            .max()
            .orElse(WorkItem.MOST_URGENT);
  }

  /** Has the listener called when the next event is finished. */
  synchronized void wakeWhenFinished() {
    wakeWhenFinished = true;
  }

  synchronized boolean isStopped() {
    return stopped;
  }

  /** Ends the waiting of all workers and returns what none of them has taken. */
  synchronized List<T> stop() {
    stopped = true;
    notifyAll();
    List<T> left = new ArrayList<>();
    types.values().forEach(type -> type.drainTo(left));
    types.values().removeIf(type -> type.running == 0);
    committed = 0;
    claimed = 0;
    unfinished -= left.size();
    return left;
  }
}
