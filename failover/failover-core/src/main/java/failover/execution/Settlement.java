package failover.execution;

import failover.FailoverCall;
import failover.FailoverException;
import failover.FailoverResult;
import failover.FailoverSpec;
import failover.FailureReason;
import failover.SourceDrillException;
import failover.SourcePausedException;
import failover.observe.PointStatistics.Count;
import failover.recovery.Recovery;
import java.time.Instant;
import java.util.concurrent.CancellationException;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
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
      if (failure != null) {
        return failed(call, point, ticket, failure, answer.nanos());
      }
      keep(call, point, ticket, answer);
      return Ended.live(FailoverResult.live(answer.value(), call.startedAt()));
    } catch (RuntimeException | Error e) {
      point.pause.withdrawn(ticket);
      return Ended.failed(e, FailureReason.ERROR);
    }
  }

  private <T> void keep(FailoverCall<T> call, Point point, long ticket, Answer<T> answer) {
    point.pause.succeeded(ticket);
    point.live();
    if (!parts.listeners().areAny()) {
      parts.handler().store(call, answer.value());
      return;
    }
    long began = parts.time().nanoTime();
    boolean kept = parts.handler().store(call, answer.value());
    long nanos = parts.time().nanoTime() - began;
    parts.listeners().tell(it -> it.upstream(call.spec(), true, answer.nanos()));
    parts.listeners().tell(it -> it.stored(call.spec(), kept, nanos));
  }

  private <T> Ended<T> failed(
      FailoverCall<T> call, Point point, long ticket, Throwable failure, long nanos) {
    if (failure instanceof Error) {
      point.pause.withdrawn(ticket);
      return Ended.failed(failure, FailureReason.ERROR);
    }
    if (isNotAsked(call.spec(), failure)) {
      point.pause.withdrawn(ticket);
      return recover(call, point, failure, () -> failure, parts.time().instant());
    }
    parts.listeners().tell(it -> it.upstream(call.spec(), false, nanos));
    if (!isRecoverable(call.spec(), failure)) {
      unrecoverable(point, ticket, failure);
      return Ended.failed(failure, FailureReason.NOT_RECOVERABLE);
    }
    point.pause.failed(ticket, failure);
    return recover(call, point, failure, () -> failure, parts.time().instant());
  }

  /** Whether this failure is the library's own word that the source was not even asked. */
  private static boolean isNotAsked(FailoverSpec<?> spec, Throwable failure) {
    return (failure instanceof SourceDrillException || failure instanceof SourcePausedException)
        && ((FailoverException) failure).name().equals(spec.name());
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
      keep(call, point, ticket, answer);
      return;
    }
    if (isNotAsked(call.spec(), failure)) {
      point.pause.withdrawn(ticket);
      return;
    }
    parts.listeners().tell(it -> it.upstream(call.spec(), false, answer.nanos()));
    point.lateFailure(failure);
    if (failure instanceof Error) {
      point.pause.withdrawn(ticket);
    } else if (!isRecoverable(call.spec(), failure)) {
      unrecoverable(point, ticket, failure);
    } else {
      point.pause.failed(ticket, failure);
    }
  }

  /** The source is not asked. */
  <T> Ended<T> paused(FailoverCall<T> call, Point point) {
    point.statistics.count(Count.PAUSED);
    Throwable cause = causeOf(point.pause);
    return recover(
        call,
        point,
        cause,
        () -> new SourcePausedException(call.spec().name(), cause),
        call.startedAt()); // just now: nobody was waited for
  }

  private static Throwable causeOf(Pause pause) {
    Throwable last = pause.lastFailure();
    // The pause may have ended since the call was refused; then nothing is left to tell of it.
    return last == null ? new IllegalStateException("the pause has just ended") : last;
  }

  /**
   * The source takes its time.
   *
   * @param leave leaves the call to itself; false if it has ended meanwhile
   * @return null if there is nothing to give meanwhile
   */
  <T> @Nullable Ended<T> slow(
      FailoverCall<T> call, Point point, BooleanSupplier leave, Throwable cause) {
    return meanwhile(call, point, leave, Count.SLOW, cause, parts.time().instant());
  }

  /** The source is tried again; parameters and answer as of {@link #slow}. */
  <T> @Nullable Ended<T> probed(FailoverCall<T> call, Point point, BooleanSupplier leave) {
    Throwable cause = causeOf(point.pause);
    return meanwhile(call, point, leave, Count.PAUSED, cause, call.startedAt());
  }

  private <T> @Nullable Ended<T> meanwhile(
      FailoverCall<T> call,
      Point point,
      BooleanSupplier leave,
      Count count,
      Throwable cause,
      Instant now) {
    Found<T> found = find(call, cause, now);
    if (!(found.recovery instanceof Recovery.Found) || !leave.getAsBoolean()) {
      return null;
    }
    point.statistics.count(count);
    return give(call, point, found, cause);
  }

  /** What was looked for, and how long that took. */
  private record Found<T>(Recovery<T> recovery, long nanos) {}

  private <T> Found<T> find(FailoverCall<T> call, Throwable cause, Instant now) {
    if (!parts.listeners().areAny()) {
      return new Found<>(parts.handler().recover(call, cause, now), 0);
    }
    long began = parts.time().nanoTime();
    Recovery<T> recovery = parts.handler().recover(call, cause, now);
    return new Found<>(recovery, parts.time().nanoTime() - began);
  }

  private <T> Ended<T> recover(
      FailoverCall<T> call,
      Point point,
      Throwable cause,
      Supplier<Throwable> ifNothing,
      Instant now) {
    Found<T> found = find(call, cause, now);
    return give(
        call, point, found, found.recovery instanceof Recovery.Found ? cause : ifNothing.get());
  }

  private <T> Ended<T> give(FailoverCall<T> call, Point point, Found<T> looked, Throwable cause) {
    Recovery<T> recovery = looked.recovery;
    point.troubled(cause);
    Recovery.Found<T> found = recovery instanceof Recovery.Found<T> it ? it : null;
    if (parts.listeners().areAny()) {
      Throwable trouble = recovery instanceof Recovery.Missing<?> it ? it.trouble() : null;
      parts
          .listeners()
          .tell(it -> it.recovered(call.spec(), cause, found != null, trouble, looked.nanos));
    }
    try {
      T answer = handled(call, point, found == null ? null : found.value(), cause);
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

  private <T> @Nullable T handled(
      FailoverCall<T> call, Point point, @Nullable T stored, Throwable cause) {
    try {
      T answer = parts.recovered().handle(call, stored, cause);
      point.hookWell();
      return answer;
    } catch (RuntimeException | Error e) {
      point.hookFailed(e);
      return stored; // as its contract says
    }
  }
}
