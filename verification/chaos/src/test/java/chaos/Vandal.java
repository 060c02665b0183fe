package chaos;

import holdfast.lifecycle.Threads;
import holdfast.time.Alarm;
import holdfast.time.TimeSource;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;

/**
 * Breaks network lines at random, one at a time, until it is stopped: mostly a cut of a moment, now
 * and then a line that stays down or silent for longer. Safe for use by many threads.
 */
public final class Vandal implements AutoCloseable {
  private static final int BREAKS_PER_LONG_ONE = 10;

  private final List<NetworkLine> lines;
  private final Random random;
  private final Duration longestPause;
  private final Duration longBreak;
  private final Alarm alarm = TimeSource.system().newAlarm();
  private final FutureTask<Void> work = new FutureTask<>(this::work);
  private volatile boolean stopped;

  private Vandal(
      List<NetworkLine> lines, Random random, Duration longestPause, Duration longBreak) {
    this.lines = lines;
    this.random = random;
    this.longestPause = longestPause;
    this.longBreak = longBreak;
  }

  /**
   * Somebody who breaks nothing before {@link #start}.
   *
   * @param longestPause the longest time from one break to the next
   * @param longBreak how long a long break lasts
   */
  public static Vandal on(
      List<NetworkLine> lines, Random random, Duration longestPause, Duration longBreak) {
    return new Vandal(lines, random, longestPause, longBreak);
  }

  /** Starts breaking, once. */
  public void start() {
    Threads.daemon("vandal").newThread(work).start();
  }

  private Void work() throws InterruptedException {
    // One for long at once, so that a short campaign has seen it as well.
    breakForLong(lines.get(0));
    while (!stopped) {
      alarm.await(Duration.ofMillis(random.nextInt((int) longestPause.toMillis()) + 1L));
      if (!stopped) {
        breakOne(lines.get(random.nextInt(lines.size())));
      }
    }
    return null;
  }

  private void breakOne(NetworkLine line) throws InterruptedException {
    if (random.nextInt(BREAKS_PER_LONG_ONE) == 0) {
      breakForLong(line);
    } else {
      line.cut();
    }
  }

  private void breakForLong(NetworkLine line) throws InterruptedException {
    if (random.nextBoolean()) {
      line.down(longBreak, alarm);
    } else {
      line.stall(longBreak, alarm);
    }
  }

  /** Stops; all lines are whole when this returns. */
  @Override
  public void close() {
    stopped = true;
    alarm.ring();
    try {
      work.get();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted while lines are mended", e);
    } catch (ExecutionException e) {
      throw new IllegalStateException("a line could not be broken", e.getCause());
    }
  }
}
