package failover.execution;

import failover.FailoverCall;
import failover.FailoverException.SourceTimeoutException;
import failover.Source;
import failover.execution.FailoverExecution.CallEnd;
import failover.execution.FailoverExecution.CallEnd.NotAwaited;
import holdfast.lifecycle.Deadline;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * One call with a timeout. Its caller waits for a thread, the source and the store, and for all of
 * them together no longer than until the call is over. Inside a transaction the caller asks the
 * source itself. For one use by the thread of the caller.
 *
 * @param <T> what the call answers
 */
final class TimedExecution<T> {
  /** Which part of its time is kept for reading the store, should the source not answer. */
  private static final int FOR_READING = 4;

  /** Which part of its time it may wait for a thread, so that what follows tells of its source. */
  private static final int FOR_THREAD = 10;

  private final FailoverCall<T> call;
  private final Source<T, ?> source;
  private final Point point;
  private final BasicFailoverExecution.Parts parts;
  private final Settlement settlement;
  private final TimedCalls calls;
  private final Duration hard;
  private final Deadline end;
  private final StoreReads reads;
  private final boolean staysHere;

  /**
   * A call.
   *
   * @param staysHere whether the source must be asked on the thread of the caller
   */
  TimedExecution(
      FailoverCall<T> call,
      Source<T, ?> source,
      Point point,
      BasicFailoverExecution.Parts parts,
      Settlement settlement,
      StoreReads reads,
      TimedCalls calls,
      boolean staysHere) {
    this.call = call;
    this.source = source;
    this.point = point;
    this.parts = parts;
    this.settlement = settlement;
    this.reads = reads;
    this.calls = calls;
    this.staysHere = staysHere;
    this.hard = call.spec().longestCall();
    this.end = reads.after(hard);
  }

  CallEnd<T> execute(Ticket ticket) {
    if (!ticket.isRefused()) {
      return ask(ticket, null);
    }
    StoredAnswer<T> stored = reads.of(call, point);
    CallEnd<T> ended = settlement.paused(call, point, ticket, stored, reads.after(halfOfIt()));
    if (ended != null) {
      return ended;
    }
    Ticket direct = ticket.pause().enterDirectly();
    return direct == null
        ? settlement.refused(call, point, ticket, stored, end)
        : ask(direct, stored);
  }

  /** If the store hangs, the source gets the other half. */
  private Duration halfOfIt() {
    return hard.dividedBy(2);
  }

  /** Asks the source; the store was perhaps asked before and had no answer. */
  private CallEnd<T> ask(Ticket ticket, @Nullable StoredAnswer<T> before) {
    if (staysHere) {
      return askHere(ticket, before);
    }
    TimedCall<T> timed =
        new TimedCall<>(
            source,
            ticket,
            (mine, answer) -> settlement.late(call, point, mine, answer),
            parts.time());
    StoredAnswer<T> stored = before == null ? reads.of(call, point, timed::wake) : before;
    TimedCalls.Submitted submitted;
    try {
      submitted = calls.submit(timed, point.calls);
    } catch (RuntimeException | Error e) { // of what carries the context
      point.withdrawn(ticket);
      throw e;
    }
    CallEnd<T> early = null;
    if (before == null && call.spec().softTimeout().isPresent()) {
      early = untilSoftTimeout(timed, submitted, ticket, stored);
    } else if (before == null) {
      readAhead(timed, stored);
    }
    return early == null ? untilHardTimeout(timed, submitted, ticket, stored) : early;
  }

  /**
   * How the call ended by then, or as soon after as the store has an answer; null if neither has. A
   * call that tries a source after its pause is answered at once.
   */
  private @Nullable CallEnd<T> untilSoftTimeout(
      TimedCall<T> timed, TimedCalls.Submitted submitted, Ticket ticket, StoredAnswer<T> stored) {
    boolean isProbe = ticket.isProbe();
    Duration patience = isProbe ? Duration.ZERO : call.spec().softTimeout().orElse(Duration.ZERO);
    if (!isProbe && timed.await(reads.after(patience), () -> false) != null) {
      return null;
    }
    Throwable cause =
        isProbe
            ? Settlement.causeOf(ticket.pause())
            : new SourceTimeoutException(call.spec().name(), patience);
    stored.begin(cause, isProbe ? call.startedAt() : parts.time().instant());
    timed.await(end, stored::isRead);
    if (!stored.isFound() || !timed.leave()) {
      return null;
    }
    if (submitted.withdraw()) {
      point.withdrawn(ticket);
    } else {
      submitted.unlessFinished(end.remaining(), () -> overdue(timed));
    }
    return settlement.given(
        call, point, stored, isProbe ? NotAwaited.PAUSED : NotAwaited.SLOW, cause);
  }

  /** A call that was left when its soft timeout was over has not ended when the hard one is. */
  private void overdue(TimedCall<T> timed) {
    Ticket ticket = timed.interruptLeft();
    if (waitedForItsThread(timed)) {
      point.withdrawn(ticket);
    } else if (ticket != Ticket.COUNTED) {
      settlement.overdue(call, point, ticket, hard);
    }
  }

  /** Whether it waited so long that what follows says nothing about its source. */
  private boolean waitedForItsThread(TimedCall<T> timed) {
    return timed.waited().compareTo(hard.dividedBy(FOR_THREAD)) > 0;
  }

  /**
   * Asks the source on the thread of the caller, which a transaction hangs on. The caller is
   * interrupted when the call is over; a source that takes no notice of that holds it.
   */
  private CallEnd<T> askHere(Ticket ticket, @Nullable StoredAnswer<T> before) {
    StoredAnswer<T> stored = before == null ? reads.of(call, point) : before;
    CallerWatch watch;
    try {
      if (before == null) {
        stored.carryFromHere();
      }
      watch = CallerWatch.begin(calls, untilReading(), () -> begin(stored), end);
    } catch (RuntimeException | Error e) { // of what carries the context
      point.withdrawn(ticket);
      throw e;
    }
    Answer<T> answer = Answer.of(source, parts.time());
    boolean isLate = watch.end();
    return settlement.settle(call, point, ticket, isLate ? late(answer) : answer, stored, end);
  }

  /** What a source says that was interrupted is that its time was over, unless it knows better. */
  private Answer<T> late(Answer<T> answer) {
    Throwable failure = answer.failure();
    if (failure == null || failure instanceof Error || settlement.isGone(call.spec(), failure)) {
      return answer;
    }
    SourceTimeoutException timeout = timeout();
    timeout.addSuppressed(failure);
    return Answer.failed(timeout, answer.nanos());
  }

  /** When the stored answer must be looked for to be there in time, where that takes a while. */
  private Deadline untilReading() {
    Duration quarter = hard.dividedBy(FOR_READING);
    Duration ahead = parts.readTimeout().compareTo(quarter) < 0 ? parts.readTimeout() : quarter;
    return reads.after(hard.minus(ahead));
  }

  private void readAhead(TimedCall<T> timed, StoredAnswer<T> stored) {
    if (timed.await(untilReading(), () -> false) == null) {
      begin(stored);
    }
  }

  private void begin(StoredAnswer<T> stored) {
    stored.begin(timeout(), parts.time().instant());
  }

  private SourceTimeoutException timeout() {
    return new SourceTimeoutException(call.spec().name(), hard);
  }

  private CallEnd<T> untilHardTimeout(
      TimedCall<T> timed, TimedCalls.Submitted submitted, Ticket ticket, StoredAnswer<T> stored) {
    Answer<T> answer = timed.await(end, () -> false);
    if (answer == null && timed.giveUp()) {
      boolean isWithdrawn = submitted.withdraw();
      if (!isWithdrawn) {
        Ticket whileItRuns = ticket.handOver();
        timed.whenFinished(whileItRuns::release);
      }
      if (isWithdrawn || waitedForItsThread(timed)) {
        return settlement.withoutAThread(call, point, ticket, stored, end);
      }
      answer = Answer.failed(timeout(), hard.toNanos());
    }
    return settlement.settle(
        call, point, ticket, answer == null ? timed.answer() : answer, stored, end);
  }
}
