package eventlog.send;

import eventlog.EventLogEntry;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * A queue of events, bounded in number and in bytes, that nobody who adds to it ever waits at. Safe
 * for use by many threads.
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

  private static final int TAIL = 16;
  private static final int HEAD = 32;
  private static final int LIMIT = 48;
  private static final int WORDS = 64;

  private final int capacity;
  private final int mask;
  private final AtomicReferenceArray<@Nullable Object> places; // entries and pending ones
  private final ByteBudget budget;

  // The words of the queue, so far apart that those who write one do not disturb those who read
  // another. The limit is a head seen before, plus the capacity: it spares adders the look at the
  // head, which takers write all the time.
  private final AtomicLongArray words = new AtomicLongArray(WORDS);
  private final AtomicLong putBack = new AtomicLong();
  private final ReentrantLock taking = new ReentrantLock();
  private final List<QueueThresholdAlarm> bells = new CopyOnWriteArrayList<>();
  private volatile QueueThresholdAlarm[] bellArray = {};

  /**
   * An empty queue.
   *
   * @param capacity how many events it has room for, 1 or more
   */
  public EventQueue(int capacity) {
    this(capacity, ByteBudget.unlimited());
  }

  /**
   * An empty queue.
   *
   * @param capacity how many events it has room for, 1 or more
   * @param budget how many bytes of them
   */
  public EventQueue(int capacity, ByteBudget budget) {
    this.capacity = capacity;
    this.budget = budget;
    int size = Math.max(2, Integer.highestOneBit(Math.max(1, capacity - 1)) << 1);
    this.mask = size - 1;
    this.places = new AtomicReferenceArray<>(size);
    words.set(LIMIT, capacity);
  }

  /** Has the alarm rung when events are added. */
  public void wakes(QueueThresholdAlarm alarm) {
    bells.add(alarm);
    bellArray = bells.toArray(QueueThresholdAlarm[]::new);
  }

  /**
   * Adds an event as it was logged. What it needs on its way it gets from who takes it: those who
   * log allocate nothing.
   *
   * @return false if there is no room, or the queue is closed
   */
  public boolean offer(EventLogEntry entry) {
    return offer(entry, entry.estimatedBytes());
  }

  /**
   * Adds an event that is on its way already.
   *
   * @return false if there is no room, or the queue is closed
   */
  public boolean offer(InFlightEvent event) {
    return offer(event, event.bytes());
  }

  private boolean offer(Object event, int bytes) {
    if (!budget.tryTake(bytes)) {
      return false;
    }
    boolean added = add(event, false);
    if (!added) {
      budget.release(bytes);
    }
    return added;
  }

  /**
   * Adds an event that has been in the queue before, even if the queue is closed or has too many
   * bytes: it is in memory anyway.
   *
   * @return false if there is no room
   */
  boolean putBack(InFlightEvent event) {
    putBack.incrementAndGet();
    budget.take(event.bytes());
    boolean added = add(event, true);
    if (!added) {
      budget.release(event.bytes());
      putBack.decrementAndGet();
    }
    return added;
  }

  private boolean add(Object event, boolean evenIfClosed) {
    long claimed;
    do {
      claimed = words.get(TAIL);
      if ((claimed & ~CLOSED) >= words.get(LIMIT) && !moveLimit(claimed & ~CLOSED)) {
        return false;
      }
      if (claimed < 0 && !evenIfClosed) {
        return false;
      }
    } while (!words.compareAndSet(TAIL, claimed, claimed + 1));
    // Whoever arms a alarm looks at the tail afterwards, so the order of that and the alarm is
    // enough.
    places.lazySet((int) claimed & mask, event);
    for (QueueThresholdAlarm alarm : bellArray) {
      if (alarm.added(this)) {
        break;
      }
    }
    return true;
  }

  /** Looks at the head again; false if there is still no room. */
  private boolean moveLimit(long claimed) {
    long limit = words.get(HEAD) + capacity;
    words.set(LIMIT, limit); // an older head from a slower thread is only more careful
    return claimed < limit;
  }

  /**
   * Takes the oldest events.
   *
   * @param into where to add them
   * @param most how many at most
   * @return how many were taken
   */
  public int drain(Collection<? super InFlightEvent> into, int most) {
    return drain(into, most, Long.MAX_VALUE);
  }

  /**
   * Takes the oldest events.
   *
   * @param into where to add them
   * @param most how many at most
   * @param mostBytes how many bytes of them at most, or one event
   * @return how many were taken
   */
  public int drain(Collection<? super InFlightEvent> into, int most, long mostBytes) {
    long bytes = 0;
    taking.lock();
    try {
      long next = words.get(HEAD);
      int taken = 0;
      while (taken < most) {
        int place = (int) next & mask;
        Object event = places.get(place);
        if (event == null) {
          break; // empty, or claimed by somebody who has not filled it yet
        }
        InFlightEvent pending =
            event instanceof EventLogEntry entry ? new InFlightEvent(entry) : (InFlightEvent) event;
        if (taken > 0 && bytes + pending.bytes() > mostBytes) {
          break;
        }
        bytes += pending.bytes();
        into.add(pending);
        budget.release(pending.bytes());
        places.lazySet(place, null);
        words.set(HEAD, ++next);
        taken++;
      }
      return taken;
    } finally {
      taking.unlock();
    }
  }

  /** How many events wait, or are just being added. */
  public int size() {
    long taken = words.get(HEAD);
    return (int) Math.max(0, Math.min(capacity, (words.get(TAIL) & ~CLOSED) - taken));
  }

  /** Takes no more events from outside, for good. */
  public void close() {
    words.getAndUpdate(TAIL, seen -> seen | CLOSED);
  }

  /** Whether the queue was closed. */
  public boolean isClosed() {
    return words.get(TAIL) < 0;
  }

  /** How many events were ever added, those that were put back not counted again. */
  public long added() {
    // Who puts back counts first and then moves the tail. While the count stands still, a tail read
    // between two looks at it holds no event twice; one that is just being put back may be missing,
    // which is held all the while and so never makes the ledger show more out than in.
    long again;
    long moved;
    do {
      again = putBack.get();
      moved = words.get(TAIL) & ~CLOSED;
    } while (again != putBack.get());
    return Math.max(0, moved - again);
  }

  /** How many events there is room for in all. */
  public int capacity() {
    return capacity;
  }

  /**
   * How many more events there is room for; 0 while more than half of the bytes for large events
   * are used, so that what the senders have in hand always finds room.
   */
  public int room() {
    return budget.isHalfFree() ? capacity - size() : 0;
  }
}
