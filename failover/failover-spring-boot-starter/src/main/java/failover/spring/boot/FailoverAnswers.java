package failover.spring.boot;

import failover.FailoverSpec;
import failover.Failovers.PointCounts;
import failover.StoredAnswers.Entry;
import holdfast.spring.boot.LedgerAnswer;
import java.util.List;
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
      @Nullable PointCounts counts) {

    static PointAnswer of(FailoverSpec<?> spec, boolean drill, @Nullable PointCounts counts) {
      return new PointAnswer(
          spec.name(),
          spec.effectiveName(),
          spec.method(),
          spec.type().getTypeName(),
          spec.expiry().amount(),
          spec.expiry().unit().name(),
          spec.pause().toString(),
          spec.softTimeout().map(Object::toString).orElse(null),
          spec.hardTimeout().map(Object::toString).orElse(null),
          drill,
          counts);
    }
  }

  /** Everything. */
  record Report(LedgerAnswer ledger, List<PointAnswer> points) {}

  /** A point and what is stored for it, without content. */
  record Stored(PointAnswer point, List<Entry> entries) {}

  /** What an action did. */
  record Done(String point, String action, int entries) {}
}
