package eventlog.send;

import java.util.Collection;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * A bounded queue of events that nobody who adds to it ever waits at. Safe for use by many threads.
 */
public final class EventQueue {
  /*
   * A ring. Those who add claim a place by moving the tail in one step and then fill it; those who
   * take come one at a time, by a lock that adders never touch. A place that is claimed but not yet
   * filled is null, and so is one that is free; which of the two follows from the tail. A taker
   * empties a place before it moves the head, and an adder looks at the head first, so the place it
   * claims is always free.
   *
   * The highest bit of the tail says closed. Claiming a place moves an open tail in one step, so
   * there is no moment between "is it open" and "I am in" at which the queue could close: what was
   * claimed before is filled, and found by whoever empties the closed queue.
   */
  private static final long CLOSED = Long.MIN_VALUE;

  private final int capacity;
  private final int mask;
  private final AtomicReferenceArray<@Nullable Pending> places;
  private final AtomicLong tail = new AtomicLong();
  private final AtomicLong head = new AtomicLong();
  private final AtomicLong putBack = new AtomicLong();
  private final ReentrantLock taking = new ReentrantLock();
  private final List<Bell> bells = new CopyOnWriteArrayList<>();
  private volatile Bell[] bellArray = {};

  /**
   * An empty queue.
   *
   * @param capacity how many events it has room for, 1 or more
   */
  public EventQueue(int capacity) {
    this.capacity = capacity;
    int size = Math.max(2, Integer.highestOneBit(Math.max(1, capacity - 1)) << 1);
    this.mask = size - 1;
    this.places = new AtomicReferenceArray<>(size);
  }

  /** Has the bell rung when events are added. */
  public void wakes(Bell bell) {
    bells.add(bell);
    bellArray = bells.toArray(Bell[]::new);
  }

  /**
   * Adds an event.
   *
   * @return false if there is no room, or the queue is closed
   */
  public boolean offer(Pending event) {
    return add(event, false);
  }

  /**
   * Adds an event that has been in the queue before, even if the queue is closed.
   *
   * @return false if there is no room
   */
  boolean putBack(Pending event) {
    putBack.incrementAndGet();
    boolean added = add(event, true);
    if (!added) {
      putBack.decrementAndGet();
    }
    return added;
  }

  private boolean add(Pending event, boolean evenIfClosed) {
    long claimed;
    long taken;
    do {
      claimed = tail.get();
      taken = head.get();
      if ((claimed & ~CLOSED) - taken >= capacity || (claimed < 0 && !evenIfClosed)) {
        return false;
      }
    } while (!tail.compareAndSet(claimed, claimed + 1));
    places.set((int) claimed & mask, event);
    long waiting = (claimed & ~CLOSED) + 1 - taken;
    for (Bell bell : bellArray) {
      if (bell.added(waiting)) {
        break;
      }
    }
    return true;
  }

  /**
   * Takes the oldest events.
   *
   * @param into where to add them
   * @param most how many at most
   * @return how many were taken
   */
  public int drain(Collection<? super Pending> into, int most) {
    taking.lock();
    try {
      long next = head.get();
      int taken = 0;
      while (taken < most) {
        int place = (int) next & mask;
        Pending event = places.get(place);
        if (event == null) {
          break; // empty, or claimed by somebody who has not filled it yet
        }
        into.add(event);
        places.lazySet(place, null);
        head.set(++next);
        taken++;
      }
      return taken;
    } finally {
      taking.unlock();
    }
  }

  /** How many events wait, or are just being added. */
  public int size() {
    long taken = head.get();
    return (int) Math.max(0, Math.min(capacity, (tail.get() & ~CLOSED) - taken));
  }

  /** Takes no more events from outside, for good. */
  public void close() {
    tail.getAndUpdate(seen -> seen | CLOSED);
  }

  /** Whether the queue was closed. */
  public boolean isClosed() {
    return tail.get() < 0;
  }

  /** How many events were ever added, those that were put back not counted again. */
  public long added() {
    long again = putBack.get();
    return Math.max(0, (tail.get() & ~CLOSED) - again);
  }

  /** How many more events there is room for. */
  public int room() {
    return capacity - size();
  }
}
