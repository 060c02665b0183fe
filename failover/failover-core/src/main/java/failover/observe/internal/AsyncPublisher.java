package failover.observe.internal;

import failover.observe.ObservablePublisher;
import failover.observe.ObservablePublisher.Metrics;
import holdfast.lifecycle.Deadline;
import holdfast.lifecycle.Loop;
import holdfast.log.LibraryLogger;
import holdfast.time.TimeSource;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Tells events to a publisher on a thread of its own. The number that waits is bounded; further
 * ones are dropped and counted. Safe for use by many threads.
 */
public final class AsyncPublisher implements ObservablePublisher {
  /** Events that may wait unless configured: {@value}. */
  public static final int DEFAULT_CAPACITY = 10_000;

  private static final System.Logger LOGGER = LibraryLogger.of("failover");
  private static final Duration IDLE = Duration.ofSeconds(60);
  private static final long WARN_EACH = 1_000;

  private final ObservablePublisher target;
  private final UnaryOperator<Runnable> context;
  private final TimeSource time;
  private final BlockingQueue<Runnable> waiting;
  private final Loop loop;
  private final AtomicBoolean awake = new AtomicBoolean();
  private final AtomicLong dropped = new AtomicLong();

  /**
   * A queue before a publisher, with its thread.
   *
   * @param target the publisher; must not throw
   * @param capacity how many events may wait, 1 or more
   * @param context carries what hangs on the thread of an event
   * @param time the clock
   */
  public AsyncPublisher(
      ObservablePublisher target, int capacity, UnaryOperator<Runnable> context, TimeSource time) {
    this.target = target;
    this.context = context;
    this.time = time;
    this.waiting = new ArrayBlockingQueue<>(capacity);
    this.loop = new Loop("failover-events", IDLE, this::tell, this::failed, time);
    loop.start();
  }

  @Override
  public void publish(Metrics metrics) {
    if (!loop.isClosed() && waiting.offer(context.apply(() -> target.publish(metrics)))) {
      if (!awake.get() && awake.compareAndSet(false, true)) { // otherwise somebody has woken it
        loop.wakeUp();
      }
      return;
    }
    long number = dropped.incrementAndGet();
    if (number % WARN_EACH == 1) {
      LOGGER.log(Level.WARNING, "failover events are dropped, too many wait dropped={0}", number);
    }
  }

  private Duration tell() {
    awake.set(false); // events that come from here on wake it again
    @Nullable Runnable next;
    while ((next = waiting.poll()) != null) {
      next.run();
    }
    return IDLE;
  }

  private void failed(Exception e) {
    dropped.incrementAndGet();
    LOGGER.log(Level.WARNING, "failover event could not be told", e);
    loop.wakeUp(); // for those behind it
  }

  /** How many events were dropped. */
  public long dropped() {
    return dropped.get();
  }

  /** How many events wait. */
  public int waiting() {
    return waiting.size();
  }

  /** Takes no more events, tells those that wait, and ends; what is left then counts as dropped. */
  public void close(Duration timeout) {
    Deadline deadline = Deadline.after(timeout, time);
    if (loop.close(deadline.remaining())) {
      @Nullable Runnable next;
      while (!deadline.isOver() && (next = waiting.poll()) != null) {
        next.run();
      }
    }
    dropped.addAndGet(waiting.size());
    waiting.clear();
  }
}
