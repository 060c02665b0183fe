package failover.execution;

import failover.FailoverCall;
import failover.FailoverSpec;
import failover.observe.internal.StateLog;
import failover.recovery.FailoverHandler;
import failover.threads.SharedThreads;
import holdfast.time.TimeSource;
import org.jspecify.annotations.Nullable;

/** What is remembered of a point between its calls. Safe for use by many threads. */
final class Point {
  final SharedThreads.Share calls = new SharedThreads.Share();
  final SharedThreads.Share reads = new SharedThreads.Share();
  final FailoverHandler handler;
  private final @Nullable PointPause pause;
  private final StateLog state;
  private final StateLog behind;
  private final StateLog hook;
  private final StateLog reading;
  private final String name;

  Point(FailoverSpec<?> spec, BasicFailoverExecution.Parts parts) {
    TimeSource time = parts.time();
    this.handler = parts.handler().forPoint(spec);
    this.pause = parts.pauses() ? PointPause.of(spec, time) : null;
    this.state = new StateLog(time);
    this.behind = new StateLog(time);
    this.hook = new StateLog(time);
    this.reading = new StateLog(time);
    this.name = spec.name();
  }

  /** A ticket for a call, which may be refused. */
  Ticket enter(FailoverCall<?> call) {
    return pause == null ? Ticket.ALWAYS : pause.enter(call);
  }

  /** The source has answered a call, though perhaps not as its caller wished. */
  void answered(Ticket ticket, FailoverCall<?> call) {
    if (pause != null) {
      pause.answered(ticket, call);
    }
  }

  /** The source has failed. */
  void failed(Ticket ticket, FailoverCall<?> call, Throwable failure) {
    if (pause != null) {
      pause.failed(ticket, call, failure);
    }
  }

  /** Takes back a call that says nothing about the source. */
  void withdrawn(Ticket ticket) {
    if (pause != null) {
      pause.withdrawn(ticket);
    }
  }

  void live() {
    state.well(() -> "failover source answers again name=" + name);
    behind.well(() -> "failover calls left behind end well again name=" + name);
  }

  void troubled(Throwable cause) {
    state.trouble(
        () -> "failover source fails, calls get stored answers where there are some name=" + name,
        cause);
  }

  /** A call failed after its caller had left. */
  void lateFailure(Throwable cause) {
    behind.trouble(() -> "failover call left behind has failed name=" + name, cause);
  }

  /** The hook that sees recovered answers has failed. */
  void hookFailed(Throwable cause) {
    hook.troubleOf(name, () -> "failover RecoveredPayloadHandler fails name=" + name, cause);
  }

  void hookWell() {
    hook.well(() -> "failover RecoveredPayloadHandler works again name=" + name);
  }

  /** A call did not get its stored answer within its time. */
  void readsTooLate(Throwable cause) {
    reading.trouble(() -> "failover store does not answer in time name=" + name, cause);
  }

  void readsInTime() {
    reading.well(() -> "failover store answers in time again name=" + name);
  }
}
