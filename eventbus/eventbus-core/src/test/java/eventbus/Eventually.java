package eventbus;

import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** Waits for something to become true. */
final class Eventually {
  private static final Duration LIMIT = Duration.ofSeconds(30);

  private Eventually() {}

  static void await(String what, Callable<Boolean> condition) throws Exception {
    await(what, LIMIT, condition);
  }

  static void await(String what, Duration limit, Callable<Boolean> condition) throws Exception {
    long end = System.nanoTime() + limit.toNanos();
    while (!condition.call()) {
      if (System.nanoTime() - end > 0) {
        throw new AssertionError("not within " + limit + ": " + what);
      }
      LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(2));
    }
  }
}
