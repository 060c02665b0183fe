package eventbus.work;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.PriorityBlockingQueue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * What was claimed and waits for a worker of this node, first priority first. Its size is bounded
 * by the claimer, which asks for no more than there is room. Safe for use by many threads.
 */
final class WorkQueue {
  private static final Comparator<Delivery> ORDER =
      Comparator.comparingInt((Delivery delivery) -> delivery.event().priority())
          .thenComparingLong(Delivery::order);

  private final PriorityBlockingQueue<Delivery> waiting = new PriorityBlockingQueue<>(64, ORDER);
  private final Semaphore permits = new Semaphore(0);
  private final AtomicInteger running = new AtomicInteger();
  private volatile boolean stopped;

  /** False once the queue is stopped; the delivery is the caller's again then. */
  boolean offer(Delivery delivery) {
    waiting.add(delivery);
    permits.release();
    // Who puts something in after stop() has emptied the queue must take it out again.
    return !(stopped && waiting.remove(delivery));
  }

  int size() {
    return waiting.size();
  }

  /** How many were taken and are not {@link #finished}. */
  int running() {
    return running.get();
  }

  void finished() {
    running.decrementAndGet();
  }

  /** The next one; null once the queue is stopped. */
  @Nullable Delivery take() throws InterruptedException {
    permits.acquire();
    running.incrementAndGet(); // before it leaves the queue: it is always in one of the two counts
    Delivery next = stopped ? null : waiting.poll();
    if (next == null) {
      running.decrementAndGet();
    }
    return next;
  }

  boolean isStopped() {
    return stopped;
  }

  /** Sends all workers home and hands over what nobody took. */
  List<Delivery> stop(int workers) {
    stopped = true;
    permits.release(workers);
    List<Delivery> left = new ArrayList<>();
    waiting.drainTo(left);
    return left;
  }
}
