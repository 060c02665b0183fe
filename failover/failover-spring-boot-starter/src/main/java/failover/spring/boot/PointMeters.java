package failover.spring.boot;

import failover.FailoverSpec;
import failover.observe.Causes;
import failover.observe.FailoverMeter;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/** The counts and times of one point that are tagged. Safe for use by many threads. */
final class PointMeters {
  private static final int MOST_EXCEPTIONS = 100;
  private static final String OTHERS = "others";

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
  private final Map<String, LongAdder> exceptions = new ConcurrentHashMap<>();

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
    String name = spec.name();
    recovering.record(nanos);
    meters
        .count(
            FailoverMeter.RECOVERIES,
            name,
            Boolean.toString(found),
            Boolean.toString(trouble != null))
        .increment();
    String outcome = trouble != null ? "error" : found ? "recovered" : "not_recovered";
    meters
        .count(FailoverMeter.RECOVERY_OUTCOMES, name, spec.effectiveName(), spec.method(), outcome)
        .increment();
    exception(cause).increment();
  }

  /** By the types of the failure and of what lies behind it, within a bound. */
  private LongAdder exception(Throwable cause) {
    String type = nameOf(cause);
    String inner = nameOf(cause.getCause());
    String innermost = nameOf(Causes.innermost(cause));
    LongAdder known = exceptions.get(type + inner + innermost);
    if (known != null) {
      return known;
    }
    boolean fits = exceptions.size() < MOST_EXCEPTIONS;
    String key = fits ? type + inner + innermost : OTHERS;
    return exceptions.computeIfAbsent(
        key,
        it ->
            fits
                ? meters.count(FailoverMeter.EXCEPTIONS, spec.name(), type, inner, innermost)
                : meters.count(FailoverMeter.EXCEPTIONS, spec.name(), OTHERS, OTHERS, OTHERS));
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
