package holdfast.testkit.net;

import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/** Waiting for a condition, with a deadline. */
final class Eventually {

  private static final Duration DEADLINE = Duration.ofSeconds(10);

  private Eventually() {}

  static void becomesTrue(String what, BooleanSupplier condition) {
    long start = System.nanoTime();
    while (!condition.getAsBoolean()) {
      if (System.nanoTime() - start > DEADLINE.toNanos()) {
        throw new AssertionError("within " + DEADLINE + " this had to become true: " + what);
      }
      LockSupport.parkNanos(1_000_000);
    }
  }
}
