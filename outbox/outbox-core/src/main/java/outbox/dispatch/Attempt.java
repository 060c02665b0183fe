package outbox.dispatch;

import static java.lang.System.Logger.Level.WARNING;

import holdfast.jdbc.ErrorText;
import holdfast.log.LibraryLogger;
import holdfast.log.LineLimit;
import holdfast.time.TimeSource;
import java.time.Duration;
import java.util.List;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import outbox.EventListener;
import outbox.NonRetryableException;
import outbox.RetryAfterException;
import outbox.registry.ListenerRegistry;

/**
 * Runs the listeners of an event once and says how it ended. Never throws; an error of the virtual
 * machine itself is kept for the worker to rethrow. Safe for use by many threads.
 */
final class Attempt {
  private static final System.Logger LOG = LibraryLogger.of("outbox");
  private static final Duration WITHOUT_POLICY = Duration.ofSeconds(1);

  /** No calendar of any database ends sooner than this from now. */
  private static final Duration LONGEST_DELAY = Duration.ofDays(36_500);

  private final ListenerRegistry registry;
  private final RetryPolicy retryPolicy;
  private final int maxAttempts;
  private final UnhandledPolicy unhandled;
  private final TimeSource time;
  private final LineLimit policyFailures;

  Attempt(
      ListenerRegistry registry,
      RetryPolicy retryPolicy,
      int maxAttempts,
      UnhandledPolicy unhandled,
      TimeSource time) {
    this.registry = registry;
    this.retryPolicy = retryPolicy;
    this.maxAttempts = maxAttempts;
    this.unhandled = unhandled;
    this.time = time;
    this.policyFailures = new LineLimit(time);
  }

  /**
   * Runs the listeners.
   *
   * @param interrupted whether the node closes and has interrupted its listeners: what fails then
   *     may have failed for that, in whatever disguise, and is no attempt
   */
  Outcome run(Delivery delivery, BooleanSupplier interrupted) {
    try {
      List<EventListener> listeners = registry.listenersFor(delivery.event().eventType());
      if (listeners.isEmpty()) {
        return unheard(delivery);
      }
      for (EventListener listener : listeners) {
        listener.onEvent(delivery.event());
      }
      return new Outcome.Done();
    } catch (NonRetryableException e) {
      return new Outcome.Dead(ErrorText.of(e), e);
    } catch (RetryAfterException e) {
      return failed(delivery, e, e.delay());
    } catch (VirtualMachineError e) {
      throw new FatalFailure(e, failed(delivery, e, backoff(delivery)));
    } catch (Throwable e) {
      return interrupted.getAsBoolean()
          ? new Outcome.GivenBack(Duration.ZERO)
          : failed(delivery, e, backoff(delivery));
    }
  }

  private Duration backoff(Delivery delivery) {
    try {
      long millis = retryPolicy.computeDelayMs(delivery.queued().attempts() + 1);
      return Duration.ofMillis(Math.max(0, millis));
    } catch (RuntimeException e) {
      long count = policyFailures.next();
      if (count > 0) {
        LOG.log(
            WARNING,
            "outbox retry policy failed, waiting " + WITHOUT_POLICY + " instead failures=" + count,
            e);
      }
      return WITHOUT_POLICY;
    }
  }

  private Outcome failed(Delivery delivery, Throwable failure, Duration delay) {
    int failures = delivery.queued().attempts() + 1;
    String error = ErrorText.of(failure);
    Duration kept = delay.compareTo(LONGEST_DELAY) < 0 ? delay : LONGEST_DELAY;
    return failures >= maxAttempts
        ? new Outcome.Dead(error, failure)
        : new Outcome.Retry(kept, error, failure);
  }

  private Outcome unheard(Delivery delivery) {
    if (unhandled.done()) {
      return new Outcome.Done();
    }
    Duration waited = unhandledFor(delivery);
    if (waited != null && waited.compareTo(unhandled.deadAfter()) >= 0) {
      return new Outcome.Dead(
          "no listener for type '"
              + delivery.event().eventType()
              + "' on any node for "
              + waited
              + "; register one and redeliver the event",
          null);
    }
    return new Outcome.Unhandled(unhandled.delay());
  }

  /**
   * For how long no node has had a listener. The store's clock measures it, never this node's; a
   * store with the five plain methods does not remember it, so there the event's age is taken.
   */
  private @Nullable Duration unhandledFor(Delivery delivery) {
    boolean plain = delivery.held() == null;
    return plain && delivery.queued().attempts() > 0
        ? Duration.between(delivery.event().occurredAt(), time.instant())
        : delivery.unhandledFor();
  }

  /** Carries an error of the virtual machine past the mark of its event. */
  static final class FatalFailure extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final transient Outcome outcome;
    private final VirtualMachineError error;

    FatalFailure(VirtualMachineError error, Outcome outcome) {
      super(error);
      this.error = error;
      this.outcome = outcome;
    }

    VirtualMachineError error() {
      return error;
    }

    Outcome outcome() {
      return outcome;
    }
  }
}
