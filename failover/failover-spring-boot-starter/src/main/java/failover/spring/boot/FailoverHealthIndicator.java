package failover.spring.boot;

import failover.Failovers;
import java.time.Instant;
import java.util.Map;
import java.util.TreeMap;
import org.springframework.boot.health.contributor.AbstractHealthIndicator;
import org.springframework.boot.health.contributor.Health;

/**
 * Up, with the points and what they gave. A source that is down is what failover is for and no
 * reason to take the application out of service, and no points at all is healthy, too. Safe for use
 * by many threads.
 */
final class FailoverHealthIndicator extends AbstractHealthIndicator {
  private final Failovers failovers;

  FailoverHealthIndicator(Failovers failovers) {
    super("failover could not be looked at");
    this.failovers = failovers;
  }

  @Override
  protected void doHealthCheck(Health.Builder builder) {
    builder.up().withDetail("points", failovers.points().size());
    builder.withDetail("drills", failovers.drills());
    Map<String, Instant> ends = new TreeMap<>();
    failovers
        .drills()
        .forEach(name -> failovers.drillEnd(name).ifPresent(end -> ends.put(name, end)));
    if (!ends.isEmpty()) {
      builder.withDetail("drillsUntil", ends);
    }
    failovers
        .counts()
        .forEach(
            (name, counts) -> {
              if (counts.health() < 1 || counts.stale() > 0) {
                builder.withDetail(
                    name, "answered=%.3f stale=%.3f".formatted(counts.health(), counts.stale()));
              }
            });
  }
}
