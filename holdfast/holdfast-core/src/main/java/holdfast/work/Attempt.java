package holdfast.work;

import static java.lang.System.Logger.Level.WARNING;

import holdfast.log.LibraryLogger;
import holdfast.log.LineLimit;
import holdfast.retry.NonRetryable;
import holdfast.retry.RetryAfter;
import holdfast.time.TimeSource;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeoutException;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Runs the handlers of an event once and says how it ended. Never throws: an error of the virtual
 * machine itself is handed over for the worker to rethrow. Safe for use by many threads.
 */
final class Attempt<T extends WorkItem> {
  private static final Duration WITHOUT_BACKOFF = Duration.ofSeconds(1);

  /** No calendar of any database ends sooner than this from now. */
  private static final Duration LONGEST_DELAY = Duration.ofDays(36_500);

  private static final int MOST_CAUSES = 100;

  /** How it ended, and the error that must end the thread once that is recorded. */
  record Result(Outcome outcome, @Nullable VirtualMachineError fatal) {}

  private final System.Logger log;
  private final String library;
  private final String handlerName;
  private final WorkHandler<T> handler;
  private final Retries retries;
  private final TimeSource time;
  private final LineLimit backoffFailures;

  Attempt(
      String library,
      String handlerName,
      WorkHandler<T> handler,
      Retries retries,
      TimeSource time) {
    this.log = LibraryLogger.of(library);
    this.library = library;
    this.handlerName = handlerName;
    this.handler = handler;
    this.retries = retries;
    this.time = time;
    this.backoffFailures = new LineLimit(time);
  }

  /** Returns how many events of a type are handled in one call, at most. */
  int batchSize(String type) {
    try {
      return Math.max(1, handler.batchSize(type));
    } catch (RuntimeException e) {
      return 1; // the call itself will fail, and say so
    }
  }

  /**
   * Runs the handlers.
   *
   * @param items one event, or several where they are handled in batches
   * @param interrupted whether the node closes and has interrupted its handlers: what fails then
   *     may have failed for that reason and is no failed attempt, unless the handler says so
   * @return a result for each event, in order
   */
  List<Result> run(List<T> items, BooleanSupplier interrupted) {
    try {
      if (items.size() == 1) {
        return List.of(new Result(handler.handle(items.get(0)), null));
      }
      Map<T, Throwable> failures = handler.handleAll(items);
      return items.stream().map(item -> ended(item, failures.get(item), interrupted)).toList();
    } catch (Throwable failure) {
      return items.stream().map(item -> ended(item, failure, interrupted)).toList();
    }
  }

  /** The result of handlers that have ended, or have failed if there is a failure. */
  Result ended(T item, @Nullable Throwable failure, BooleanSupplier interrupted) {
    if (failure == null) {
      return new Result(Outcome.DONE, null);
    }
    VirtualMachineError fatal = find(failure, VirtualMachineError.class);
    if (fatal == null && !isVerdict(failure) && interrupted.getAsBoolean()) {
      return new Result(Outcome.RELEASED, null);
    }
    return new Result(failed(item, failure), fatal);
  }

  /** The result of handlers that have returned after their time was over: a failure. */
  Result timedOut(T item, Duration limit, Result late) {
    String text = handlerName + " ran longer than " + limit + ", its time limit";
    TimeoutException failure = new TimeoutException(text);
    if (late.outcome() instanceof Outcome.Retry retry) {
      failure.initCause(retry.cause());
    } else if (late.outcome() instanceof Outcome.Dead dead) {
      failure.initCause(dead.cause());
      return new Result(new Outcome.Dead(text + ", then " + dead.error(), failure), late.fatal());
    }
    return new Result(failed(item, failure), late.fatal());
  }

  /** The failure, and the one among its causes that forbids another attempt. */
  @SuppressWarnings("ReferenceEquality") // whether it is another one at all
  private static String error(Throwable failure) {
    NonRetryable decisive = find(failure, NonRetryable.class);
    return decisive instanceof Throwable cause && cause != failure
        ? ErrorText.cut(ErrorText.of(failure) + ", caused by " + ErrorText.of(cause))
        : ErrorText.of(failure);
  }

  private static boolean isVerdict(Throwable failure) {
    return find(failure, NonRetryable.class) != null || find(failure, RetryAfter.class) != null;
  }

  private Outcome failed(T item, Throwable failure) {
    String error = error(failure);
    Duration retryFor = item.isFailingTimeKept() ? retries.retryFor() : null;
    if (find(failure, NonRetryable.class) != null || item.hasFailedFor(retryFor, time.nanoTime())) {
      return new Outcome.Dead(error, failure);
    }
    // Its last try is at the end of its time, not long after it.
    Duration most =
        retryFor == null ? LONGEST_DELAY : item.failingTimeLeft(retryFor, time.nanoTime());
    RetryAfter wish = find(failure, RetryAfter.class);
    if (wish != null && retryFor != null) {
      return new Outcome.Retry(shortest(wish.delay(), most), error, failure, false);
    }
    // Without a limit in time, attempts are all that ends a handler's wishes.
    Optional<Duration> delay = delay(item, failure);
    if (delay.isEmpty()) {
      return new Outcome.Dead(error, failure);
    }
    Duration wait = wish == null ? delay.get() : wish.delay();
    return new Outcome.Retry(shortest(wait, most), error, failure, true);
  }

  private static Duration shortest(Duration delay, Duration most) {
    Duration shorter = delay.compareTo(most) < 0 ? delay : most;
    Duration bounded = shorter.compareTo(LONGEST_DELAY) < 0 ? shorter : LONGEST_DELAY;
    return bounded.isNegative() ? Duration.ZERO : bounded;
  }

  private Optional<Duration> delay(T item, Throwable failure) {
    try {
      Optional<Duration> delay = retries.delays().after(item, item.failures() + 1, failure);
      delay.ifPresent(Attempt::requireZeroOrMore);
      return delay;
    } catch (RuntimeException e) {
      long count = backoffFailures.next();
      if (count > 0) {
        String line = " retry policy failed, waiting " + WITHOUT_BACKOFF + " instead failures=";
        log.log(WARNING, library + line + count, e);
      }
      return Optional.of(WITHOUT_BACKOFF);
    }
  }

  private static void requireZeroOrMore(Duration delay) {
    if (delay.isNegative()) {
      throw new IllegalArgumentException(
          "a retry policy must return a delay of zero or more but returned " + delay);
    }
  }

  /** The failure or one of its causes, if it is of that kind. */
  private static <K> @Nullable K find(Throwable failure, Class<K> kind) {
    Throwable next = failure;
    for (int i = 0; next != null && i < MOST_CAUSES; i++) { // causes may go round in a circle
      if (kind.isInstance(next)) {
        return kind.cast(next);
      }
      next = causeOf(next);
    }
    return null;
  }

  private static @Nullable Throwable causeOf(Throwable failure) {
    try {
      return failure.getCause();
    } catch (Throwable ofTheCause) { // exceptions are the application's code
      return null;
    }
  }
}
