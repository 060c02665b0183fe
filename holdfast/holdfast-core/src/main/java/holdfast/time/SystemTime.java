package holdfast.time;

import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/** The clock of this machine. Safe for use by many threads. */
enum SystemTime implements TimeSource {
  INSTANCE;

  @Override
  public Instant instant() {
    return Instant.now();
  }

  @Override
  public long nanoTime() {
    return System.nanoTime();
  }

  @Override
  public Alarm newAlarm() {
    return new SemaphoreAlarm();
  }

  /** The permits are the rings not yet noticed; a wait uses up all of them. */
  private static final class SemaphoreAlarm implements Alarm {
    private final Semaphore rings = new Semaphore(0);

    @Override
    public boolean await(Duration timeout) throws InterruptedException {
      boolean rang = rings.tryAcquire(TimeUnit.NANOSECONDS.convert(timeout), TimeUnit.NANOSECONDS);
      int more = rings.drainPermits();
      return rang || more > 0;
    }

    @Override
    public void ring() {
      if (rings.availablePermits() == 0) {
        rings.release();
      }
    }
  }
}
