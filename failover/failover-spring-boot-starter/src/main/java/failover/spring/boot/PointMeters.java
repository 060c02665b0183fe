package failover.spring.boot;

import failover.FailoverSpec;
import failover.observe.internal.Causes;
import failover.observe.internal.FailoverMeter;
import java.util.List;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/** The counts and times of one point that are tagged. Safe for use by many threads. */
final class PointMeters {
  private static final int TOLD_APART = 4;

  private final FailoverSpec<?> spec;
  private final MeterSet meters;
  private final LongAdder success;
  private final LongAdder failover;
  private final LongAdder unblocked;
  private final LongAdder blocked;
  private final LongAdder kept;
  private final LongAdder notKept;
  private final MeterSet.Times upstreamWell;
  private final MeterSet.Times upstreamFailed;
  private final MeterSet.Times storing;
  private final MeterSet.Times recovering;
  private final FewKinds exceptions;

  PointMeters(FailoverSpec<?> spec, MeterSet meters) {
    this.spec = spec;
    this.meters = meters;
    String name = spec.name();
    String domain = spec.effectiveName();
    this.success = meters.count(FailoverMeter.CALLS, name, domain, "success");
    this.failover = meters.count(FailoverMeter.CALLS, name, domain, "failover");
    this.unblocked = meters.count(FailoverMeter.USER_IMPACT, name, domain, "unblocked");
    this.blocked = meters.count(FailoverMeter.USER_IMPACT, name, domain, "blocked");
    this.kept = meters.count(FailoverMeter.STORES, name, "true");
    this.notKept = meters.count(FailoverMeter.STORES, name, "false");
    this.upstreamWell = meters.times(FailoverMeter.UPSTREAM_DURATION, name, "success");
    this.upstreamFailed = meters.times(FailoverMeter.UPSTREAM_DURATION, name, "failure");
    this.storing = meters.times(FailoverMeter.OPERATION_DURATION, name, "store");
    this.exceptions = new FewKinds(meters, FailoverMeter.EXCEPTIONS, name, TOLD_APART);
    this.recovering = meters.times(FailoverMeter.OPERATION_DURATION, name, "recover");
  }

  void upstream(boolean answered, long nanos) {
    (answered ? upstreamWell : upstreamFailed).record(nanos);
  }

  void stored(boolean stored, long nanos) {
    (stored ? kept : notKept).increment();
    storing.record(nanos);
  }

  void recovered(Throwable cause, boolean found, @Nullable Throwable trouble, long nanos) {
    recovering.record(nanos);
    String outcome = trouble != null ? "error" : found ? "recovered" : "not_recovered";
    meters
        .count(
            FailoverMeter.RECOVERY_OUTCOMES,
            spec.name(),
            spec.effectiveName(),
            spec.method(),
            outcome)
        .increment();
    exceptions.of(kind(cause)).increment();
  }

  void recoveredPartially() {
    meters.count(FailoverMeter.PARTIAL_RECOVERIES, spec.name(), spec.method()).increment();
  }

  /** The types of the failure and of what lies behind it. */
  private static List<String> kind(Throwable cause) {
    return List.of(nameOf(cause), nameOf(cause.getCause()), nameOf(Causes.innermost(cause)));
  }

  private static String nameOf(@Nullable Throwable failure) {
    return failure == null ? "none" : failure.getClass().getSimpleName();
  }

  void ended(boolean live, boolean gotValue) {
    if (live) {
      success.increment();
      return;
    }
    failover.increment();
    (gotValue ? unblocked : blocked).increment();
  }
}
