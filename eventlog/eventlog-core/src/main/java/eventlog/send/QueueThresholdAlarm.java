package eventlog.send;

import holdfast.time.Alarm;
import holdfast.time.TimeSource;
import java.time.Duration;

/**
 * Wakes one consumer of a queue when as many events wait as it asked for; costs those who add
 * events one reading while it is not armed. Safe for use by many threads; one thread waits.
 */
public final class QueueThresholdAlarm {
  private static final long NOT_ARMED = Long.MAX_VALUE;

  private final Alarm alarm;
  private volatile long wakeAt = NOT_ARMED;

  /** A alarm that is not armed. */
  public QueueThresholdAlarm(TimeSource time) {
    this.alarm = time.newAlarm();
  }

  /** Tells that an event was added; says whether that woke the consumer. */
  boolean added(EventQueue queue) {
    long wanted = wakeAt;
    if (wanted == NOT_ARMED || queue.size() < wanted) {
      return false;
    }
    wakeAt = NOT_ARMED;
    alarm.ring();
    return true;
  }

  /** Wakes the consumer now, or keeps it from waiting the next time. */
  public void ring() {
    alarm.ring();
  }

  /**
   * Waits until so many events are in the queue, somebody rings, or the time has passed.
   *
   * @throws InterruptedException if the thread is interrupted
   */
  public void await(EventQueue queue, int events, Duration timeout) throws InterruptedException {
    wakeAt = events;
    // Looked at after arming: whoever adds an event later sees the alarm armed.
    if (queue.size() < events) {
      alarm.await(timeout);
    }
    wakeAt = NOT_ARMED;
  }

  /** Waits until somebody rings or the time has passed. */
  void await(Duration timeout) throws InterruptedException {
    alarm.await(timeout);
  }
}
