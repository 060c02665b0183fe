package holdfast.lifecycle;

import holdfast.time.Alarm;
import holdfast.time.TimeSource;
import java.time.Duration;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A thread of its own that takes the same step again and again, until it is closed.
 *
 * <pre>{@code
 * Loop loop = new Loop("outbox-poller", interval, this::look, this::report, time);
 * loop.start();
 * loop.wakeUp();                        // something came: do not wait any longer
 * loop.wakeIn(Duration.ofSeconds(3));   // something will be due then
 * loop.close(Duration.ofSeconds(10));
 * }</pre>
 *
 * <p>After each step it waits for as long as the step says, and never longer than the ceiling. The
 * ceiling is scattered from wait to wait, so that nodes which were started together do not stay in
 * step; what a step says is kept to. A step that fails is reported and taken again after the
 * ceiling, or when somebody wakes the loop. Only {@link #close} ends it: an {@link Error} ends the
 * thread, and another goes on. Steps never overlap. Safe for use by many threads.
 */
public final class Loop {
  /** A wait that is as good as endless, and still leaves room to count with. */
  private static final long LONGEST = Long.MAX_VALUE / 4;

  private static final double LEAST_SHARE = 0.8;

  private final Step step;
  private final long ceiling;
  private final Consumer<Exception> onFailure;
  private final TimeSource time;
  private final Alarm alarm;
  private final ThreadFactory threads;
  private final Lifecycle life;
  private final DueTimes dueTimes = new DueTimes();
  private final AtomicBoolean woken = new AtomicBoolean();
  private volatile @Nullable Thread thread;

  /** What a loop does in each turn. */
  @FunctionalInterface
  public interface Step {

    /**
     * Takes the step.
     *
     * @return how long to wait for the next one, if nobody wakes the loop; zero or less for not at
     *     all, the ceiling or more if nothing is known to come sooner
     * @throws Exception if it failed; it is reported, and the loop goes on
     */
    Duration take() throws Exception;
  }

  /**
   * A loop; {@link #start} starts it.
   *
   * @param name what it does; the name of its thread, and of the loop in error messages
   * @param ceiling how long it waits at most, more than zero
   * @param step what it does in each turn
   * @param onFailure is told when a step has failed, on the loop's thread; must not throw
   * @param time the clock to wait by
   * @throws IllegalArgumentException if the ceiling is zero or less
   */
  public Loop(
      String name, Duration ceiling, Step step, Consumer<Exception> onFailure, TimeSource time) {
    if (ceiling.isZero() || ceiling.isNegative()) {
      throw new IllegalArgumentException(
          "ceiling of " + name + " must be more than zero but was " + ceiling);
    }
    this.step = step;
    this.ceiling = nanos(ceiling);
    this.onFailure = onFailure;
    this.time = time;
    this.alarm = time.newAlarm();
    this.threads = Threads.daemon(name);
    this.life = new Lifecycle(name);
  }

  /**
   * Takes the first step at once, on the loop's thread; does nothing the second time.
   *
   * @throws IllegalStateException if the loop is closed
   */
  public void start() {
    if (life.start()) {
      run(false);
    }
  }

  /** Has the next step taken at once, or once more after the one under way. */
  public void wakeUp() {
    woken.set(true);
    alarm.ring();
  }

  /**
   * Has a step taken when so much time has passed, or up to ten milliseconds later; steps before
   * that do not count for it. Does nothing where the ceiling comes sooner.
   *
   * @param delay how long from now; zero or less for at once
   */
  public void wakeIn(Duration delay) {
    if (delay.isZero() || delay.isNegative()) {
      wakeUp();
    } else if (nanos(delay) < ceiling) {
      dueTimes.add(time.nanoTime() + nanos(delay));
      alarm.ring();
    }
  }

  /** Whether it was closed; a long step asks this to end early. */
  public boolean isClosed() {
    return life.isClosed();
  }

  /**
   * Takes no further step and waits for the one under way; if that lasts too long, or the caller is
   * interrupted, it is interrupted. A step may close its own loop; that does not wait. Does nothing
   * the second time.
   *
   * @param timeout how long to wait
   * @return whether no step is under way any more
   */
  public boolean close(Duration timeout) {
    boolean first = life.close();
    alarm.ring();
    Thread running = thread;
    if (running == null || running.equals(Thread.currentThread())) {
      return running == null;
    }
    try {
      if (first && !Deadline.after(timeout, time).join(running)) {
        running.interrupt();
      }
    } catch (InterruptedException e) {
      running.interrupt();
      Thread.currentThread().interrupt();
    }
    return !running.isAlive();
  }

  private void run(boolean waitFirst) {
    Thread next = threads.newThread(() -> turns(waitFirst));
    thread = next;
    next.start();
  }

  private void turns(boolean waitFirst) {
    boolean orderly = false;
    try {
      if (waitFirst) {
        pause(ceiling);
      }
      while (!life.isClosed()) {
        pause(turn());
      }
      orderly = true;
    } finally {
      if (!orderly && !life.isClosed()) { // An error ends the thread, not the work.
        run(true);
      }
    }
  }

  private long turn() {
    try {
      return nanos(step.take());
    } catch (Exception e) {
      onFailure.accept(e);
      return ceiling;
    }
  }

  private void pause(long wait) {
    // Left behind by the step. Closing interrupts too, but has said so in another way before.
    Thread.interrupted();
    long ends = time.nanoTime() + Math.min(wait, scatteredCeiling());
    boolean isOver = false;
    while (!isOver && !life.isClosed()) {
      try {
        alarm.await(Duration.ofNanos(Math.max(0, dueTimes.earliest(ends) - time.nanoTime())));
      } catch (InterruptedException e) {
        // Nobody but close has reason to: look again.
      }
      boolean isDue = dueTimes.removeUntil(time.nanoTime());
      isOver = woken.getAndSet(false) || isDue || ends - time.nanoTime() <= 0;
    }
  }

  private long scatteredCeiling() {
    return (long) (ceiling * ThreadLocalRandom.current().nextDouble(LEAST_SHARE, 1));
  }

  private static long nanos(Duration duration) {
    return Math.min(LONGEST, TimeUnit.NANOSECONDS.convert(duration));
  }
}
