package failover.spring.boot;

import failover.FailoverSpec;
import failover.Failovers;
import failover.Failovers.PointCounts;
import failover.StoredAnswers.Entry;
import holdfast.spring.boot.LedgerAnswer;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What the endpoint answers; Actuator writes it as JSON and leaves out what is null. */
final class FailoverAnswers {
  private FailoverAnswers() {}

  /** A point, how it is configured and what happened there. */
  record PointAnswer(
      String name,
      String domain,
      String method,
      String type,
      long expiryDuration,
      String expiryUnit,
      String pause,
      @Nullable String softTimeout,
      @Nullable String hardTimeout,
      boolean drill,
      @Nullable Instant drillUntil,
      @Nullable PointCounts counts) {

    static PointAnswer of(
        FailoverSpec<?> spec, Failovers failovers, Map<String, PointCounts> counts) {
      String name = spec.name();
      return new PointAnswer(
          name,
          spec.effectiveName(),
          spec.method(),
          spec.type().getTypeName(),
          spec.expiry().amount(),
          spec.expiry().unit().name(),
          spec.pause().toString(),
          spec.softTimeout().map(Object::toString).orElse(null),
          spec.hardTimeout().map(Object::toString).orElse(null),
          failovers.drills().contains(name),
          failovers.drillEnd(name).orElse(null),
          counts.get(name));
    }
  }

  /** Everything. */
  record Report(LedgerAnswer ledger, List<PointAnswer> points) {}

  /** A point and what is stored for it, without content. */
  record Stored(PointAnswer point, List<Entry> entries) {}

  /** What an action did. */
  record Done(String point, String action, int entries) {}
}
