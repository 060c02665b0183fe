package failover.execution;

import failover.FailoverSpec;
import failover.observe.PointStatistics;
import failover.observe.StateLog;
import holdfast.time.TimeSource;

/** What is remembered of a point between its calls. Safe for use by many threads. */
final class Point {
  final Pause pause;
  final PointStatistics statistics;
  private final StateLog state;
  private final StateLog behind;
  private final StateLog hook;
  private final String name;

  Point(FailoverSpec<?> spec, BasicFailoverExecution.Parts parts) {
    TimeSource time = parts.time();
    this.pause = new Pause(spec, parts.pauses(), time);
    this.statistics = parts.statistics().apply(spec.name());
    this.state = new StateLog(time);
    this.behind = new StateLog(time);
    this.hook = new StateLog(time);
    this.name = spec.name();
  }

  void live() {
    state.well(() -> "failover source answers again name=" + name);
    behind.well(() -> "failover calls left behind end well again name=" + name);
  }

  void troubled(Throwable cause) {
    state.trouble(() -> "failover source fails, stored answers are given name=" + name, cause);
  }

  /** A call failed after its caller had left. */
  void lateFailure(Throwable cause) {
    behind.trouble(() -> "failover call left behind has failed name=" + name, cause);
  }

  /** Who was to see the recovered answer has failed. */
  void hookFailed(Throwable cause) {
    hook.trouble(() -> "failover RecoveredPayloadHandler fails name=" + name, cause);
  }

  void hookWell() {
    hook.well(() -> "failover RecoveredPayloadHandler works again name=" + name);
  }
}
