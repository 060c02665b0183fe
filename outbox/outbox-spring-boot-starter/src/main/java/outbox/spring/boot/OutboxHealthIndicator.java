package outbox.spring.boot;

import java.time.Duration;
import org.springframework.boot.health.contributor.AbstractHealthIndicator;
import org.springframework.boot.health.contributor.Health;
import outbox.jdbc.OutboxBacklog;

/**
 * Down when events that are due have been in nobody's hands for too long: no node delivers, or they
 * cannot keep up. A failing listener is no reason, since its events wait for their next attempt;
 * restarting this node would not help it. Safe for use by many threads.
 */
final class OutboxHealthIndicator extends AbstractHealthIndicator {
  private final OutboxBacklog backlog;
  private final Duration maxBacklogAge;

  OutboxHealthIndicator(OutboxBacklog backlog, Duration maxBacklogAge) {
    super("outbox could not read its backlog");
    this.backlog = backlog;
    this.maxBacklogAge = maxBacklogAge;
  }

  @Override
  protected void doHealthCheck(Health.Builder builder) {
    Duration age = backlog.overdue().orElse(Duration.ZERO);
    builder.up();
    if (age.compareTo(maxBacklogAge) > 0) {
      builder.down();
    }
    builder.withDetail("backlogAge", age.toString());
    builder.withDetail("maxBacklogAge", maxBacklogAge.toString());
  }
}
