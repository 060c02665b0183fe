package eventlog.send;

import holdfast.time.Alarm;
import holdfast.time.TimeSource;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

/**
 * How fast events from disk are sent: no faster than the rate, and slower while live events queue
 * up. Confined to the replay thread, except for being stopped.
 */
public final class Pace {
  /** Waits shorter than this are saved up. */
  private static final long LEAST_WAIT = TimeUnit.MILLISECONDS.toNanos(5);

  private static final Duration LOOK_AGAIN = Duration.ofMillis(20);

  /** Live events may hold back each batch for so long and no longer: the disk must empty, too. */
  private static final Duration MOST_PATIENCE = Duration.ofSeconds(1);

  private final TimeSource time;
  private final Alarm alarm;
  private final EventQueue live;
  private final int batchSize;
  private final long nanosPerEvent;
  private long owed;
  private long since;
  private volatile boolean stopped;

  /**
   * A pace that lets the first request go ahead at once.
   *
   * @param live the live events
   * @param batchSize how many of them may wait without holding up the disk
   * @param eventsPerSecond how many events from disk at most
   * @param time the clock
   */
  public Pace(EventQueue live, int batchSize, int eventsPerSecond, TimeSource time) {
    this.live = live;
    this.batchSize = batchSize;
    this.nanosPerEvent = TimeUnit.SECONDS.toNanos(1) / eventsPerSecond;
    this.alarm = time.newAlarm();
    this.time = time;
    this.since = time.nanoTime();
  }

  /** Ends the wait, and every later one. */
  void stop() {
    stopped = true;
    alarm.ring();
  }

  /** Waits until the next events may be sent; returns at once when it is stopped. */
  void beforeNext(int events) throws InterruptedException {
    if (stopped) {
      return;
    }
    long now = time.nanoTime();
    owed = Math.max(0, owed - (now - since));
    since = now;
    if (owed >= LEAST_WAIT) {
      alarm.await(Duration.ofNanos(owed));
    }
    yieldToLive();
    owed += events * nanosPerEvent;
  }

  private void yieldToLive() throws InterruptedException {
    long startedAt = time.nanoTime();
    while (live.size() > batchSize
        && time.nanoTime() - startedAt < MOST_PATIENCE.toNanos()
        && !alarm.await(LOOK_AGAIN)) {
      // Look again.
    }
  }
}
