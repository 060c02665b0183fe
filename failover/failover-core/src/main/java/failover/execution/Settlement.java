package failover.execution;

import failover.FailoverCall;
import failover.FailoverResult;
import failover.FailoverSpec;
import failover.FailureReason;
import failover.SourcePausedException;
import failover.observe.Metrics;
import failover.observe.PointStatistics.Count;
import failover.recovery.Recovery;
import java.util.concurrent.CancellationException;
import org.jspecify.annotations.Nullable;

/** Decides how a call ends once its source has. Safe for use by many threads. */
final class Settlement {
  private final BasicFailoverExecution.Parts parts;

  Settlement(BasicFailoverExecution.Parts parts) {
    this.parts = parts;
  }

  /**
   * The source has answered or failed, and the caller waits. Whatever a part of the application
   * throws meanwhile is how the call ends.
   */
  <T> Ended<T> settle(FailoverCall<T> call, Point point, long ticket, Answer<T> answer) {
    Throwable failure = answer.failure();
    try {
      return failure == null
          ? live(call, point, ticket, answer.value())
          : failed(call, point, ticket, failure);
    } catch (RuntimeException | Error e) {
      point.pause.withdrawn(ticket);
      return Ended.failed(e, FailureReason.ERROR);
    }
  }

  private <T> Ended<T> live(FailoverCall<T> call, Point point, long ticket, @Nullable T value) {
    keep(call, point, ticket, value);
    return Ended.live(FailoverResult.live(value, call.startedAt()));
  }

  private <T> void keep(FailoverCall<T> call, Point point, long ticket, @Nullable T value) {
    point.pause.succeeded(ticket);
    point.live();
    parts.handler().store(call, value);
    parts.publishers().publish(() -> upstream(call, "success"));
  }

  private <T> Ended<T> failed(FailoverCall<T> call, Point point, long ticket, Throwable failure) {
    if (failure instanceof Error) {
      point.pause.withdrawn(ticket);
      return Ended.failed(failure, FailureReason.ERROR);
    }
    if (!isRecoverable(call.spec(), failure)) {
      unrecoverable(point, ticket, failure);
      return Ended.failed(failure, FailureReason.NOT_RECOVERABLE);
    }
    point.pause.failed(ticket, failure);
    parts.publishers().publish(() -> upstream(call, "failure"));
    return recover(call, point, parts.handler().recover(call, failure), failure);
  }

  private boolean isRecoverable(FailoverSpec<?> spec, Throwable failure) {
    return spec.recoverable().orElse(parts.recoverable()).test(failure);
  }

  /** A caller's mistake shows that the source is there; a caller who gave up shows nothing. */
  private static void unrecoverable(Point point, long ticket, Throwable failure) {
    if (failure instanceof InterruptedException || failure instanceof CancellationException) {
      point.pause.withdrawn(ticket);
    } else {
      point.pause.succeeded(ticket);
    }
  }

  /** The source has answered or failed after its caller has left. */
  <T> void late(FailoverCall<T> call, Point point, long ticket, Answer<T> answer) {
    Throwable failure = answer.failure();
    if (failure == null) {
      keep(call, point, ticket, answer.value());
    } else if (failure instanceof Error || !isRecoverable(call.spec(), failure)) {
      point.pause.withdrawn(ticket);
      point.lateFailure(failure);
    } else {
      point.pause.failed(ticket, failure);
      point.lateFailure(failure);
    }
  }

  /** The source is not asked. */
  <T> Ended<T> paused(FailoverCall<T> call, Point point) {
    parts.statistics().apply(call.spec().name()).count(Count.PAUSED);
    Throwable last = point.pause.lastFailure();
    // The pause may have ended since the call was refused; then nothing is left to tell of it.
    Throwable cause = last == null ? new IllegalStateException("the pause has just ended") : last;
    Recovery<T> recovery = parts.handler().recover(call, cause);
    return recover(
        call,
        point,
        recovery,
        recovery instanceof Recovery.Found
            ? cause
            : new SourcePausedException(call.spec().name(), cause));
  }

  /** The source takes its time, and this was found. */
  <T> Ended<T> slow(FailoverCall<T> call, Point point, Recovery.Found<T> found, Throwable cause) {
    parts.statistics().apply(call.spec().name()).count(Count.SLOW);
    return recover(call, point, found, cause);
  }

  private <T> Ended<T> recover(
      FailoverCall<T> call, Point point, Recovery<T> recovery, Throwable cause) {
    point.troubled(cause);
    parts.publishers().publish(() -> recovered(call, recovery, cause));
    Recovery.Found<T> found = recovery instanceof Recovery.Found<T> it ? it : null;
    try {
      T answer = handled(call, found == null ? null : found.value(), cause);
      T given = parts.policy().handle(new MethodExceptionContext<>(call, answer, cause));
      return found != null
          ? Ended.recovered(FailoverResult.recovered(given, found.asOf(), cause))
          : Ended.substituted(
              FailoverResult.recovered(given, call.startedAt(), cause), reason(recovery));
    } catch (Throwable thrown) { // the policy's word
      return Ended.failed(thrown, reason(recovery));
    }
  }

  private static FailureReason reason(Recovery<?> recovery) {
    return recovery instanceof Recovery.Missing<?> missing
        ? missing.reason()
        : FailureReason.NOT_RECOVERABLE;
  }

  private <T> @Nullable T handled(FailoverCall<T> call, @Nullable T stored, Throwable cause) {
    try {
      return parts.recovered().handle(call, stored, cause);
    } catch (RuntimeException e) {
      return stored; // as its contract says
    }
  }

  private static Metrics upstream(FailoverCall<?> call, String result) {
    return event(call, "upstream").collect("upstream-result", result);
  }

  private static Metrics recovered(FailoverCall<?> call, Recovery<?> recovery, Throwable cause) {
    Throwable trouble = recovery instanceof Recovery.Missing<?> it ? it.trouble() : null;
    return event(call, "recover")
        .collect("exception", cause.getClass().getName())
        .collect("is-recovered", recovery instanceof Recovery.Found)
        .collect("is-recovery-failed", trouble != null)
        .collect("recovery-failure-message", trouble == null ? null : trouble.getMessage());
  }

  private static Metrics event(FailoverCall<?> call, String action) {
    return Metrics.of(call.spec().name())
        .collect("action", action)
        .collect("name", call.spec().name())
        .collect("domain", call.spec().effectiveName());
  }
}
