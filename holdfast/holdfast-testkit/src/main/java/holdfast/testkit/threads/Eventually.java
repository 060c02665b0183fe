package holdfast.testkit.threads;

import java.time.Duration;
import java.util.concurrent.locks.LockSupport;

/** Waits for what other threads bring about. Stateless. */
public final class Eventually {
  private static final Duration PATIENCE = Duration.ofSeconds(30);
  private static final Duration BETWEEN_LOOKS = Duration.ofMillis(1);

  /**
   * What is waited for.
   *
   * @param <X> what looking may throw
   */
  @FunctionalInterface
  public interface Condition<X extends Exception> {

    /** Whether it has come about. */
    boolean holds() throws X;
  }

  private Eventually() {}

  /**
   * Returns once the condition holds.
   *
   * @throws AssertionError if it does not within thirty seconds
   * @throws X what looking throws
   */
  public static <X extends Exception> void await(String what, Condition<X> condition) throws X {
    await(what, PATIENCE, condition);
  }

  /**
   * Returns once the condition holds.
   *
   * @throws AssertionError if it does not within that time
   * @throws X what looking throws
   */
  public static <X extends Exception> void await(
      String what, Duration patience, Condition<X> condition) throws X {
    long startedAt = System.nanoTime();
    while (!condition.holds()) {
      if (System.nanoTime() - startedAt > patience.toNanos()) {
        throw new AssertionError("did not happen within " + patience + ": " + what);
      }
      LockSupport.parkNanos(BETWEEN_LOOKS.toNanos());
    }
  }
}
