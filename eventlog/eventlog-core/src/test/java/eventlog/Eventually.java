package eventlog;

import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/** Waits for what other threads bring about. */
public final class Eventually {
  private static final Duration PATIENCE = Duration.ofSeconds(30);
  private static final Duration BETWEEN_LOOKS = Duration.ofMillis(1);

  private Eventually() {}

  /** Returns once the condition holds; fails if it does not within thirty seconds. */
  public static void await(String what, BooleanSupplier condition) {
    long startedAt = System.nanoTime();
    while (!condition.getAsBoolean()) {
      if (System.nanoTime() - startedAt > PATIENCE.toNanos()) {
        throw new AssertionError("did not happen within " + PATIENCE + ": " + what);
      }
      LockSupport.parkNanos(BETWEEN_LOOKS.toNanos());
    }
  }
}
