package failover;

import failover.FailoverOutcome.FailureReason;
import failover.execution.FailoverExecution.CallEnd;
import failover.execution.FailoverExecution.CallEnd.NotAwaited;
import failover.observe.FailoverLifecycleListener;
import failover.observe.internal.PointStatistics;
import failover.observe.internal.PointStatistics.Count;
import holdfast.ledger.Ledger;
import holdfast.ledger.LedgerSnapshot;
import java.util.List;

/** Keeps the ledger of calls, and tells how they ended. Safe for use by many threads. */
final class CallLedger {
  private final Ledger ledger;
  private final FailoverLifecycleListener listener;

  CallLedger(Points points, FailoverLifecycleListener listener) {
    this.ledger =
        Ledger.builder("failover")
            .reasons(List.of(FailureReason.values()))
            .held("calls", () -> underWay(points))
            .build();
    this.listener = listener;
  }

  private long underWay(Points points) {
    return points.underWay(ledger);
  }

  LedgerSnapshot ledger() {
    return ledger.snapshot();
  }

  void begin() {
    ledger.accepted(1);
  }

  void end(Points.RegisteredPoint point, FailoverCall<?> call, CallEnd<?> ended) {
    FailureReason reason = ended.reason();
    if (reason == null) {
      ledger.delivered(1);
    } else {
      ledger.lost(reason, 1);
    }
    count(point.statistics(), ended);
    FailoverResult<?> result = ended.result();
    listener.ended(call.spec(), ended.kind(), result != null && result.value() != null);
    FailoverOutcome.note(
        call.spec().name(),
        ended.kind(),
        result == null ? call.startedAt() : result.asOf(),
        result == null ? ended.thrown() : result.failure());
  }

  private static void count(PointStatistics statistics, CallEnd<?> ended) {
    NotAwaited notAwaited = ended.notAwaited();
    if (notAwaited != null) {
      statistics.count(notAwaited == NotAwaited.PAUSED ? Count.PAUSED : Count.SLOW);
    }
    statistics.ended(ended.kind());
  }
}
