package failover.execution;

import failover.FailoverCall;
import failover.FailoverSpec;
import holdfast.retry.Backoff;
import holdfast.time.TimeSource;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * When the source of a point is left alone, wholly or for some of its keys. Safe for use by many
 * threads.
 *
 * <p>The point pauses when too many of its recent calls failed, for several keys; a key that fails
 * again and again pauses alone.
 */
final class PointPause {
  private final Pause whole;
  private final RecentCalls recent;
  private final KeyPauses keys;

  private PointPause(FailoverSpec<?> spec, TimeSource time) {
    Backoff backoff = Backoff.exponential(spec.pause(), spec.longestPause());
    Duration window = spec.pauseWindow();
    this.whole = new Pause(backoff, time);
    this.recent = new RecentCalls(spec.pauseShare(), spec.pauseMinimum(), window, time);
    this.keys = new KeyPauses(spec.pauseShare(), window.plus(spec.longestPause()), backoff, time);
  }

  /** The pause of a point; null if it has none. */
  static @Nullable PointPause of(FailoverSpec<?> spec, TimeSource time) {
    return spec.pause().isZero() ? null : new PointPause(spec, time);
  }

  /** A ticket for a call, which may be refused. */
  Ticket enter(FailoverCall<?> call) {
    Ticket ticket = whole.enter();
    Ticket own = ticket.isRefused() ? null : keys.enter(call.key());
    if (own == null) {
      return ticket;
    }
    if (ticket.kind() == Ticket.Kind.NORMAL) {
      return own;
    }
    Ticket other = own.isRefused() ? ticket : own; // one try is enough
    other.pause().withdrawn(other);
    return own.isRefused() ? own : ticket;
  }

  /** The source has answered, though perhaps not as the caller wished. */
  void answered(Ticket ticket, FailoverCall<?> call) {
    switch (ticket.kind()) {
      case DIRECT -> {
        ticket.release();
        ticket.pause().shorten();
        return;
      }
      case PROBE -> {
        if (ticket.pause().succeeded(ticket) && ticket.pause() == whole) {
          recent.clear();
        }
      }
      default -> {}
    }
    if (recent.answered(call.key(), call.startedAt())) {
      keys.forgetOld();
    }
    keys.answered(call.key());
  }

  /** The source has failed. */
  void failed(Ticket ticket, FailoverCall<?> call, Throwable failure) {
    switch (ticket.kind()) {
      case DIRECT -> ticket.release();
      case PROBE -> ticket.pause().failed(ticket, failure);
      case NORMAL -> {
        if (whole.isCurrent(ticket)) {
          count(call, failure);
        }
      }
      default -> {}
    }
  }

  private void count(FailoverCall<?> call, Throwable failure) {
    if (recent.failed(call.key())) {
      whole.begin(failure);
    } else if (recent.keysDiffer()) {
      keys.failed(call.key(), failure);
    }
  }

  /** Takes back a call that says nothing about the source. */
  void withdrawn(Ticket ticket) {
    switch (ticket.kind()) {
      case DIRECT -> ticket.release();
      case PROBE -> ticket.pause().withdrawn(ticket);
      default -> {}
    }
  }
}
