package tracer.lane;

import java.util.concurrent.atomic.AtomicInteger;

/**
 * How many sealed rings may wait for the drain, and how many do. The rings themselves are found by
 * their state. Safe for use by many threads.
 */
final class SubmitQueue {
  private final int capacity;
  private final AtomicInteger waiting = new AtomicInteger();

  SubmitQueue(int capacity) {
    this.capacity = capacity;
  }

  /** Takes a place; false if there is none. */
  boolean enter() {
    int seen = waiting.get();
    while (seen < capacity) {
      if (waiting.compareAndSet(seen, seen + 1)) {
        return true;
      }
      seen = waiting.get();
    }
    return false;
  }

  /** Gives a place back. */
  void leave() {
    waiting.decrementAndGet();
  }

  boolean isFull() {
    return waiting.get() >= capacity;
  }

  int size() {
    return waiting.get();
  }
}
