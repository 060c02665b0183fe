package holdfast.work;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.PriorityBlockingQueue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * The events that wait for a worker, in two lines: those just committed here, and those claimed
 * from the table. Committed ones go first, but every few turns a claimed one does, so that a busy
 * publisher does not starve what waits in the table. Claimed ones are taken by priority, then in
 * the order they came.
 *
 * <p>The permits count the events in both lines, so a worker waits in one place. A permit promises
 * an event, not a line: another worker may take the one that was seen first. Safe for use by many
 * threads.
 */
final class WorkQueue<T extends WorkItem> {
  private static final int CLAIMED_FIRST_EVERY = 4;
  private static final int NOBODY = -1;

  private final ArrayBlockingQueue<T> committed;
  private final PriorityBlockingQueue<T> claimed =
      new PriorityBlockingQueue<>(
          64, Comparator.<T>comparingInt(WorkItem::priority).thenComparingLong(WorkItem::number));
  private final int claimedCapacity;
  private final Semaphore permits = new Semaphore(0);
  private final AtomicInteger turns = new AtomicInteger();
  private final AtomicInteger unfinished = new AtomicInteger();
  private long claims; // guarded by claimed
  private volatile boolean stopped;
  private volatile int wakeAtSize = NOBODY;
  private volatile boolean wakeWhenFinished;
  private volatile Runnable onRoom = () -> {};

  WorkQueue(int committedCapacity, int claimedCapacity) {
    this.committed = new ArrayBlockingQueue<>(committedCapacity);
    this.claimedCapacity = claimedCapacity;
  }

  /** Adds an event that was just committed; false if there is no room or the queue is stopped. */
  boolean offerCommitted(T item) {
    unfinished.incrementAndGet(); // before a worker can take it
    return isQueued(item, committed, committed.offer(item));
  }

  /** Adds an event that was claimed; false if there is no room or the queue is stopped. */
  boolean offerClaimed(T item) {
    unfinished.incrementAndGet();
    boolean added;
    synchronized (claimed) {
      item.number(claims++);
      added = claimed.size() < claimedCapacity && claimed.add(item);
    }
    return isQueued(item, claimed, added);
  }

  private boolean isQueued(T item, Queue<T> line, boolean added) {
    if (added) {
      permits.release();
    }
    // What was added after stop() had emptied the lines must be taken out again.
    if (!added || (stopped && line.remove(item))) {
      unfinished.decrementAndGet();
      return false;
    }
    return true;
  }

  /** Returns how many wait, or were taken and are not {@link #finished}. */
  int unfinished() {
    return unfinished.get();
  }

  /** Notes that an event that was taken is no longer worked on. */
  void finished() {
    unfinished.decrementAndGet();
    if (wakeWhenFinished) {
      wakeWhenFinished = false;
      onRoom.run();
    }
  }

  /** Tells the listener that another worker is free. */
  void announceFreeWorker() {
    onRoom.run();
  }

  /** Returns how many events were taken and are not {@link #finished}, about. */
  int running() {
    return Math.max(0, unfinished.get() - committed.size() - claimed.size());
  }

  /** Returns how many claimed events wait or run; one that a worker takes meanwhile counts once. */
  int claimedOrRunning() {
    return unfinished.get() - committed.size();
  }

  int committedSize() {
    return committed.size();
  }

  /** Returns how many committed events may be added. */
  int committedRoom() {
    return stopped ? 0 : committed.remainingCapacity();
  }

  int claimedSize() {
    return claimed.size();
  }

  int claimedCapacity() {
    return claimedCapacity;
  }

  /** Returns how many claimed events may be added. */
  int claimedRoom() {
    return Math.max(0, claimedCapacity - claimed.size());
  }

  /** Sets what is called when claimed events have become few; must not throw. */
  void onRoom(Runnable listener) {
    onRoom = listener;
  }

  /** Returns whether at most so many claimed events wait; if not, the listener hears when. */
  boolean holdsAtMost(int size) {
    if (claimed.size() <= size) {
      return true;
    }
    wakeAtSize = size;
    return claimed.size() <= size; // a worker that took one just now did not know
  }

  /** Has the listener called when the next event is finished. */
  void wakeWhenFinished() {
    wakeWhenFinished = true;
  }

  /** Waits for the next event and takes it; null once the queue is stopped. */
  @Nullable T take() throws InterruptedException {
    permits.acquire();
    boolean claimedFirst = turns.incrementAndGet() % CLAIMED_FIRST_EVERY == 0;
    while (!stopped) {
      T next = claimedFirst ? firstOf(claimed, committed) : firstOf(committed, claimed);
      if (next != null) {
        announceRoom();
        return next;
      }
    }
    return null;
  }

  private static <T> @Nullable T firstOf(Queue<T> preferred, Queue<T> other) {
    T next = preferred.poll();
    return next != null ? next : other.poll();
  }

  private void announceRoom() {
    if (claimed.size() <= wakeAtSize) {
      wakeAtSize = NOBODY;
      onRoom.run();
    }
  }

  boolean isStopped() {
    return stopped;
  }

  /** Ends the waiting of all workers and returns what none of them has taken. */
  List<T> stop(int workers) {
    stopped = true;
    permits.release(workers);
    List<T> left = new ArrayList<>();
    committed.drainTo(left);
    claimed.drainTo(left);
    unfinished.addAndGet(-left.size());
    return left;
  }
}
