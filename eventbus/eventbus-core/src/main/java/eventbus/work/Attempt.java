package eventbus.work;

import eventbus.Event;
import eventbus.EventRouter;
import eventbus.NonRetryableException;
import eventbus.RetryAfterException;
import eventbus.RetryPolicy;
import eventbus.RouteResult;
import holdfast.jdbc.ErrorText;
import java.time.Duration;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Runs the handlers of an event once and says how it ended. Never throws; an error of the virtual
 * machine itself is handed over for the worker to rethrow. Safe for use by many threads.
 */
final class Attempt {
  /** No calendar of any database ends sooner than this from now. */
  private static final Duration LONGEST_DELAY = Duration.ofDays(36_500);

  /** How it ended, and the error that must end the thread once that is written down. */
  record Result(Outcome outcome, @Nullable VirtualMachineError fatal) {}

  private final EventRouter router;
  private final RetryPolicy policy;

  Attempt(EventRouter router, RetryPolicy policy) {
    this.router = router;
    this.policy = policy;
  }

  /**
   * Runs the handlers.
   *
   * @param interrupted whether the node closes and has interrupted its handlers: what fails then
   *     may have failed for that, in whatever disguise, and is no failure
   */
  Result run(Event event, BooleanSupplier interrupted) {
    RouteResult result = router.tryRoute(event);
    if (result.isSuccess()) {
      return new Result(new Outcome.Completed(), null);
    }
    Throwable failure = result.failure();
    VirtualMachineError fatal =
        find(result, VirtualMachineError.class) instanceof VirtualMachineError e ? e : null;
    if (fatal == null && interrupted.getAsBoolean()) {
      return new Result(new Outcome.GivenBack(result.done()), null);
    }
    String error = ErrorText.of(failure);
    int failures = event.claim().failures() + 1;
    boolean givenUp =
        find(result, NonRetryableException.class) != null || failures >= policy.maxAttempts();
    Outcome outcome =
        givenUp
            ? new Outcome.Failed(error, failure)
            : new Outcome.Retry(delay(result, failures), error, failure, result.done());
    return new Result(outcome, fatal);
  }

  private Duration delay(RouteResult result, int failures) {
    Duration delay =
        find(result, RetryAfterException.class) instanceof RetryAfterException wish
            ? wish.delay()
            : policy.delay(failures);
    return delay.compareTo(LONGEST_DELAY) < 0 ? delay : LONGEST_DELAY;
  }

  private static @Nullable Throwable find(RouteResult result, Class<? extends Throwable> kind) {
    return result.failures().stream().filter(kind::isInstance).findFirst().orElse(null);
  }
}
