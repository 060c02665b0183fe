package holdfast.time;

import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/** A clock that moves only when told to, with one alarm, and shows how long its waiter wants. */
public final class WatchedTime implements TimeSource {
  private final BlockingQueue<Duration> waits = new LinkedBlockingQueue<>();
  private final Semaphore ends = new Semaphore(0);
  private volatile long nanos = Long.MAX_VALUE - 1_000; // readings may run over

  /** Stands a moment before its readings run over the largest number. */
  public WatchedTime() {}

  /** How long the waiter wants to wait, once it does; it goes on waiting. */
  public Duration nextWait() throws InterruptedException {
    Duration wait = waits.poll(30, TimeUnit.SECONDS);
    if (wait == null) {
      throw new AssertionError("somebody must wait for this clock but nobody did for 30 seconds");
    }
    return wait;
  }

  /** Moves the clock on and ends the wait, whether its time has come or not. */
  public synchronized void advance(Duration by) {
    nanos += by.toNanos();
    ends.release();
  }

  @Override
  public Instant instant() {
    return Instant.EPOCH;
  }

  @Override
  public long nanoTime() {
    return nanos;
  }

  @Override
  public Alarm newAlarm() {
    return new Alarm() {
      @Override
      public boolean await(Duration timeout) throws InterruptedException {
        if (timeout.isZero() || timeout.isNegative()) {
          return ends.tryAcquire();
        }
        if (!ends.tryAcquire()) {
          waits.add(timeout);
          ends.acquire();
        }
        return true;
      }

      @Override
      public void ring() {
        ends.release();
      }
    };
  }
}
