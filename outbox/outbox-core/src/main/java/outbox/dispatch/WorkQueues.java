package outbox.dispatch;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * The hot and the cold queue: hot first, but every few turns cold first, so that a busy hot path
 * does not starve what waits in the table.
 *
 * <p>The permits count the events in both queues, so a worker waits in one place. A permit promises
 * an event, not a queue: another worker may take the one that was seen first. Safe for use by many
 * threads.
 */
final class WorkQueues {
  private static final int COLD_FIRST_EVERY = 4;

  private final BlockingQueue<Delivery> hot;
  private final BlockingQueue<Delivery> cold;
  private final Semaphore waiting = new Semaphore(0);
  private final AtomicInteger turns = new AtomicInteger();
  private final AtomicInteger unfinished = new AtomicInteger();
  private volatile boolean stopped;
  private volatile boolean coldAwaited;
  private volatile Runnable onColdRoom = () -> {};

  WorkQueues(int hotCapacity, int coldCapacity) {
    this.hot = new ArrayBlockingQueue<>(hotCapacity);
    this.cold = new ArrayBlockingQueue<>(coldCapacity);
  }

  boolean offerHot(Delivery delivery) {
    return offer(hot, delivery);
  }

  boolean offerCold(Delivery delivery) {
    return offer(cold, delivery);
  }

  private boolean offer(BlockingQueue<Delivery> queue, Delivery delivery) {
    unfinished.incrementAndGet();
    boolean taken = queue.offer(delivery);
    if (taken) {
      waiting.release();
    }
    // Who puts something in after stop() has emptied the queues must take it out again.
    if (!taken || (stopped && queue.remove(delivery))) {
      unfinished.decrementAndGet();
      return false;
    }
    return true;
  }

  /** How many events wait or were taken and are not {@link #finished}. */
  int unfinished() {
    return unfinished.get();
  }

  /** Says that an event that was taken is no longer worked on. */
  void finished() {
    unfinished.decrementAndGet();
  }

  int coldCapacityLeft() {
    return cold.remainingCapacity();
  }

  /** Sets who is told that the cold queue has room again; must not throw. */
  void onColdRoom(Runnable listener) {
    onColdRoom = listener;
  }

  /** Whether the cold queue has room; if not, it is told when about half of it is free. */
  boolean hasColdRoom() {
    if (cold.remainingCapacity() > 0) {
      return true;
    }
    coldAwaited = true;
    return cold.remainingCapacity() > 0; // who took one just now has not seen that it is awaited
  }

  private void tellOfColdRoom() {
    if (coldAwaited && cold.remainingCapacity() >= cold.size()) {
      coldAwaited = false;
      onColdRoom.run();
    }
  }

  int hotDepth() {
    return hot.size();
  }

  int coldDepth() {
    return cold.size();
  }

  /** The next event; null once the queues are stopped. */
  @Nullable Delivery take() throws InterruptedException {
    waiting.acquire();
    boolean coldFirst = turns.incrementAndGet() % COLD_FIRST_EVERY == 0;
    while (!stopped) {
      Delivery next = coldFirst ? firstOf(cold, hot) : firstOf(hot, cold);
      if (next != null) {
        tellOfColdRoom();
        return next;
      }
    }
    return null;
  }

  private static @Nullable Delivery firstOf(
      BlockingQueue<Delivery> preferred, BlockingQueue<Delivery> other) {
    Delivery next = preferred.poll();
    return next != null ? next : other.poll();
  }

  /** Sends all workers home and hands over what nobody took. */
  List<Delivery> stop(int workers) {
    stopped = true;
    waiting.release(workers);
    List<Delivery> left = new ArrayList<>();
    hot.drainTo(left);
    cold.drainTo(left);
    unfinished.addAndGet(-left.size());
    return left;
  }
}
