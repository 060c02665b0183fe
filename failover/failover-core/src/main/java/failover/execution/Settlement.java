package failover.execution;

import failover.FailoverCall;
import failover.FailoverException;
import failover.FailoverException.SourceBusyException;
import failover.FailoverException.SourceDrillException;
import failover.FailoverException.SourcePausedException;
import failover.FailoverException.SourceTimeoutException;
import failover.FailoverOutcome.FailureReason;
import failover.FailoverOutcome.Kind;
import failover.FailoverResult;
import failover.FailoverSpec;
import failover.execution.FailoverExecution.CallEnd;
import failover.execution.FailoverExecution.CallEnd.NotAwaited;
import failover.execution.MethodExceptionPolicy.MethodExceptionContext;
import failover.recovery.FailoverHandler.Recovery;
import holdfast.lifecycle.Deadline;
import java.time.Duration;
import java.util.concurrent.CancellationException;
import org.jspecify.annotations.Nullable;

/** Decides how a call ends once its source has. Safe for use by many threads. */
final class Settlement {
  private final BasicFailoverExecution.Parts parts;
  private final StoreReads reads;

  Settlement(BasicFailoverExecution.Parts parts, StoreReads reads) {
    this.parts = parts;
    this.reads = reads;
  }

  /**
   * The source has answered or failed, and the caller waits. Whatever a part of the application
   * throws meanwhile is how the call ends.
   *
   * @param stored what is stored for the call; null if nobody has looked
   * @param end when the call is over; null if it has no timeout
   */
  <T> CallEnd<T> settle(
      FailoverCall<T> call,
      Point point,
      Ticket ticket,
      Answer<T> answer,
      @Nullable StoredAnswer<T> stored,
      @Nullable Deadline end) {
    Throwable failure = answer.failure();
    try {
      if (failure == null) {
        FailoverResult<T> elsewhere = keep(call, point, ticket, answer, end);
        return elsewhere == null
            ? CallEnd.live(FailoverResult.live(answer.value(), call.startedAt()))
            : CallEnd.recovered(elsewhere);
      }
      FailureReason whyNot = failed(call, point, ticket, answer, failure, end);
      return whyNot == null
          ? recover(call, point, failure, stored == null ? reads.of(call, point) : stored, end)
          : CallEnd.failed(failure, whyNot);
    } catch (RuntimeException | Error e) {
      point.withdrawn(ticket);
      return CallEnd.failed(e, FailureReason.ERROR);
    }
  }

  /**
   * Keeps a live answer. What another point has recovered, or what was made of that, is not stored:
   * it would seem to be of this moment.
   *
   * @return what the caller gets instead of a live answer; null if the answer is live
   */
  private <T> @Nullable FailoverResult<T> keep(
      FailoverCall<T> call, Point point, Ticket ticket, Answer<T> answer, @Nullable Deadline end) {
    point.answered(ticket, call);
    parts.listener().upstream(call.spec(), true, answer.nanos());
    FailoverResult<T> elsewhere = answer.recoveredElsewhere();
    if (elsewhere == null) {
      point.live();
      store(call, point, answer.value(), end);
    }
    return elsewhere;
  }

  private <T> void store(
      FailoverCall<T> call, Point point, @Nullable T answer, @Nullable Deadline end) {
    Duration patience = reads.patience(end);
    if (!parts.isObserved()) {
      point.handler.store(call, answer, patience);
      return;
    }
    long began = parts.time().nanoTime();
    boolean kept = point.handler.store(call, answer, patience);
    long nanos = parts.time().nanoTime() - began;
    parts.listener().stored(call.spec(), kept, nanos);
  }

  /** Counts a failure, and says why it is not to be recovered; null if it is. */
  private <T> @Nullable FailureReason failed(
      FailoverCall<T> call,
      Point point,
      Ticket ticket,
      Answer<T> answer,
      Throwable failure,
      @Nullable Deadline end) {
    if (failure instanceof Error) {
      point.withdrawn(ticket);
      return FailureReason.ERROR;
    }
    if (isNotAsked(call.spec(), failure)) {
      point.withdrawn(ticket);
      return null;
    }
    parts.listener().upstream(call.spec(), false, answer.nanos());
    if (isGone(call.spec(), failure)) {
      gone(call, point, ticket, end);
      return FailureReason.NOT_RECOVERABLE;
    }
    if (!isRecoverable(call.spec(), failure)) {
      unrecoverable(call, point, ticket, failure);
      return FailureReason.NOT_RECOVERABLE;
    }
    point.failed(ticket, call, failure);
    return null;
  }

  /** Whether this failure is the library's own word that the source was not even asked. */
  private static boolean isNotAsked(FailoverSpec<?> spec, Throwable failure) {
    return (failure instanceof SourceDrillException || failure instanceof SourcePausedException)
        && ((FailoverException) failure).name().equals(spec.name());
  }

  /**
   * Whether this failure is the library's own word that the source did not answer in time. That is
   * a failure of the source, whatever types of failures the point recovers.
   */
  private static boolean isTimeout(FailoverSpec<?> spec, Throwable failure) {
    return failure instanceof SourceTimeoutException own && own.name().equals(spec.name());
  }

  /** Whether the source says that there is nothing any more, and that is not to be recovered. */
  boolean isGone(FailoverSpec<?> spec, Throwable failure) {
    return !(failure instanceof Error)
        && !isNotAsked(spec, failure)
        && !isTimeout(spec, failure)
        && (spec.removes(failure) || (HttpStatus.isGone(failure) && !isRecoverable(spec, failure)));
  }

  private <T> void gone(FailoverCall<T> call, Point point, Ticket ticket, @Nullable Deadline end) {
    point.answered(ticket, call);
    store(call, point, null, end);
  }

  private boolean isRecoverable(FailoverSpec<?> spec, Throwable failure) {
    return isTimeout(spec, failure) || spec.recoverable().orElse(parts.recoverable()).test(failure);
  }

  /** A caller's mistake shows that the source is there; a caller who gave up shows nothing. */
  private static void unrecoverable(
      FailoverCall<?> call, Point point, Ticket ticket, Throwable failure) {
    if (failure instanceof InterruptedException || failure instanceof CancellationException) {
      point.withdrawn(ticket);
    } else {
      point.answered(ticket, call);
    }
  }

  /**
   * The source has answered or failed after its caller has left. What it says about the stored
   * answer counts all the same: it is replaced, or removed. Nobody waits any more for what a part
   * of the application throws meanwhile, so that it is logged.
   */
  <T> void late(FailoverCall<T> call, Point point, Ticket ticket, Answer<T> answer) {
    try {
      settleLate(call, point, ticket, answer);
    } catch (RuntimeException | Error e) {
      point.lateFailure(e);
      point.withdrawn(ticket);
    }
  }

  /** The source has not answered within the hard timeout, and its caller has left before. */
  void overdue(FailoverCall<?> call, Point point, Ticket ticket, Duration hard) {
    SourceTimeoutException timeout = new SourceTimeoutException(call.spec().name(), hard);
    point.failed(ticket, call, timeout);
    point.lateFailure(timeout);
    parts.listener().upstream(call.spec(), false, hard.toNanos());
  }

  private <T> void settleLate(FailoverCall<T> call, Point point, Ticket ticket, Answer<T> answer) {
    Throwable failure = answer.failure();
    if (failure == null) {
      keep(call, point, ticket, answer, null);
    } else if (ticket != Ticket.COUNTED) {
      failed(call, point, ticket, answer, failure, null);
      if (!isNotAsked(call.spec(), failure)) {
        point.lateFailure(failure);
      }
    } else if (isGone(call.spec(), failure)) { // its failure was counted at its hard timeout
      gone(call, point, ticket, null);
    }
  }

  private <T> CallEnd<T> recover(
      FailoverCall<T> call,
      Point point,
      Throwable cause,
      StoredAnswer<T> stored,
      @Nullable Deadline end) {
    Recovery<T> recovery = stored.await(cause, parts.time().instant(), end);
    return give(call, point, recovery, stored.nanos(), cause, null);
  }

  /** The call got no thread in time: it is recovered, but says nothing of the source. */
  <T> CallEnd<T> withoutAThread(
      FailoverCall<T> call, Point point, Ticket ticket, StoredAnswer<T> stored, Deadline end) {
    point.withdrawn(ticket);
    Throwable cause = new SourceBusyException(call.spec().name(), parts.timedCalls());
    CallEnd<T> ended = recover(call, point, cause, stored, end);
    return ended.reason() == null
        ? ended
        : new CallEnd<>(
            ended.kind(), ended.result(), ended.thrown(), FailureReason.NO_THREAD, null);
  }

  /**
   * The source is not asked, if something is stored.
   *
   * @return null if nothing is
   */
  <T> @Nullable CallEnd<T> paused(
      FailoverCall<T> call,
      Point point,
      Ticket ticket,
      StoredAnswer<T> stored,
      @Nullable Deadline end) {
    Throwable cause = causeOf(ticket.pause());
    // Its age is that of the beginning: just now, since nobody was waited for.
    Recovery<T> recovery = stored.await(cause, call.startedAt(), end);
    return recovery instanceof Recovery.Found
        ? given(call, point, stored, NotAwaited.PAUSED, cause)
        : null;
  }

  /**
   * Neither is the source asked, nor is something stored.
   *
   * @param end when the call is over; null if it has no timeout
   */
  <T> CallEnd<T> refused(
      FailoverCall<T> call,
      Point point,
      Ticket ticket,
      StoredAnswer<T> stored,
      @Nullable Deadline end) {
    Throwable cause = new SourcePausedException(call.spec().name(), causeOf(ticket.pause()));
    Recovery<T> nothing = stored.await(cause, call.startedAt(), end);
    return give(call, point, nothing, stored.nanos(), cause, NotAwaited.PAUSED);
  }

  static Throwable causeOf(Pause pause) {
    Throwable last = pause.lastFailure();
    // The pause may have ended since the call was refused; then nothing is left to tell of it.
    return last == null ? new IllegalStateException("the pause has just ended") : last;
  }

  /** A stored answer is given, and the source is not waited for. */
  <T> CallEnd<T> given(
      FailoverCall<T> call, Point point, StoredAnswer<T> stored, NotAwaited why, Throwable cause) {
    Recovery<T> found = stored.recovery();
    if (found == null) {
      throw new IllegalStateException("a stored answer must be read before it is given");
    }
    return give(call, point, found, stored.nanos(), cause, why);
  }

  private <T> CallEnd<T> give(
      FailoverCall<T> call,
      Point point,
      Recovery<T> recovery,
      long nanos,
      Throwable cause,
      @Nullable NotAwaited why) {
    point.troubled(cause);
    Recovery.Found<T> found = recovery instanceof Recovery.Found<T> it ? it : null;
    if (parts.isObserved()) {
      Throwable trouble = recovery instanceof Recovery.Missing<?> it ? it.trouble() : null;
      parts.listener().recovered(call.spec(), cause, found != null, trouble, nanos);
      if (found != null && found.parts().missing() > 0) {
        int missing = found.parts().missing();
        parts.listener().recoveredPartially(call.spec(), missing, found.parts().total());
      }
    }
    try {
      T answer = handled(call, point, found == null ? null : found.value(), cause);
      T given = parts.policy().handle(new MethodExceptionContext<>(call, answer, cause));
      return found != null
          ? new CallEnd<>(
              Kind.RECOVERED,
              new FailoverResult<>(given, false, found.asOf(), cause, found.parts().slices()),
              null,
              null,
              why)
          : new CallEnd<>(
              Kind.FAILED,
              FailoverResult.recovered(given, call.startedAt(), cause),
              null,
              reason(recovery),
              why);
    } catch (Throwable thrown) { // what the policy decides
      return new CallEnd<>(Kind.FAILED, null, thrown, reason(recovery), why);
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
