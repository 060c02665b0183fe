package chaos.eventlog;

import eventlog.testkit.EventLogServer;
import eventlog.testkit.Fault;
import holdfast.lifecycle.Threads;
import holdfast.time.Alarm;
import holdfast.time.TimeSource;
import java.time.Duration;
import java.util.List;
import java.util.Random;

/** Has an API fail and recover again and again, at random. Safe for use by many threads. */
final class Moods implements AutoCloseable {
  private static final List<Fault> BAD =
      List.of(
          Fault.DOWN,
          Fault.SLOW,
          Fault.ERROR,
          Fault.TOO_MANY,
          Fault.PARTIAL,
          Fault.GARBAGE,
          Fault.UNAUTHORIZED);
  private static final int LONGEST_MS = 300;

  private final EventLogServer api;
  private final Random random;
  private final Alarm alarm = TimeSource.system().newAlarm();
  private final Thread thread = Threads.daemon("moods").newThread(this::run);
  private volatile boolean stopped;

  private Moods(EventLogServer api, Random random) {
    this.api = api;
    this.random = random;
    api.faults().pause(Duration.ofMillis(100));
    api.faults().retryAfter(Duration.ZERO);
  }

  static Moods of(EventLogServer api, Random random) {
    Moods moods = new Moods(api, random);
    moods.thread.start();
    return moods;
  }

  private void run() {
    try {
      while (!stopped) {
        api.faults().set(Fault.NONE);
        alarm.await(sometime());
        api.faults().set(BAD.get(random.nextInt(BAD.size())));
        alarm.await(sometime());
      }
    } catch (InterruptedException e) {
      throw new IllegalStateException("nobody interrupts this thread", e);
    }
  }

  private Duration sometime() {
    return Duration.ofMillis(1 + random.nextInt(LONGEST_MS));
  }

  /** Ends in a good mood. */
  @Override
  public void close() throws InterruptedException {
    stopped = true;
    alarm.ring();
    thread.join();
    api.faults().set(Fault.NONE);
  }
}
