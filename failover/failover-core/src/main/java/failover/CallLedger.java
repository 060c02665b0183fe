package failover;

import failover.execution.Ended;
import failover.observe.FailoverLifecycleListeners;
import holdfast.ledger.Ledger;
import holdfast.ledger.LedgerSnapshot;
import java.util.List;

/** Keeps the ledger of calls, and tells how they ended. Safe for use by many threads. */
final class CallLedger {
  private final Ledger ledger;
  private final FailoverLifecycleListeners listeners;

  CallLedger(Points points, FailoverLifecycleListeners listeners) {
    this.ledger =
        Ledger.builder("failover")
            .reasons(List.of(FailureReason.values()))
            .held("calls", () -> underWay(points))
            .build();
    this.listeners = listeners;
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

  void end(Points.Met point, FailoverCall<?> call, Ended<?> ended) {
    FailureReason reason = ended.reason();
    if (reason == null) {
      ledger.delivered(1);
    } else {
      ledger.lost(reason, 1);
    }
    point.statistics().ended(ended.kind());
    FailoverResult<?> result = ended.result();
    if (listeners.areAny()) {
      boolean gotValue = result != null && result.value() != null;
      listeners.tell(it -> it.ended(call.spec(), ended.kind(), gotValue));
    }
    FailoverOutcome.note(
        new FailoverOutcome(
            call.spec().name(),
            ended.kind(),
            result == null ? call.startedAt() : result.asOf(),
            result == null ? ended.thrown() : result.failure()));
  }
}
