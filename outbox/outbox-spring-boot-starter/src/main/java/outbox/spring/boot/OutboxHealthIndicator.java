package outbox.spring.boot;

import holdfast.lifecycle.BoundedCall;
import holdfast.lifecycle.Threads;
import holdfast.log.LogText;
import holdfast.time.TimeSource;
import java.time.Duration;
import java.util.Collection;
import java.util.function.Supplier;
import org.springframework.boot.health.contributor.AbstractHealthIndicator;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.Status;
import outbox.jdbc.OutboxBacklog;

/**
 * Down when events that are due have been in nobody's hands for too long: no node delivers, or they
 * cannot keep up. Also down when the database does not answer within a second. A failing listener
 * is no reason, since its events wait for their next attempt; restarting this node would not help
 * it. Safe for use by many threads.
 */
final class OutboxHealthIndicator extends AbstractHealthIndicator {
  private static final Duration PATIENCE = Duration.ofSeconds(1);

  private final BoundedCall<Duration> backlogAge;
  private final Supplier<? extends Collection<String>> unhandledTypes;
  private final Duration maxBacklogAge;

  OutboxHealthIndicator(
      OutboxBacklog backlog,
      Supplier<? extends Collection<String>> unhandledTypes,
      Duration maxBacklogAge) {
    this.backlogAge =
        new BoundedCall<>(
            Threads.daemon("outbox-health"),
            () -> backlog.overdue().orElse(Duration.ZERO),
            PATIENCE,
            TimeSource.system());
    this.unhandledTypes = unhandledTypes;
    this.maxBacklogAge = maxBacklogAge;
  }

  @Override
  protected void doHealthCheck(Health.Builder builder) {
    builder.withDetail("maxBacklogAge", maxBacklogAge.toString());
    Collection<String> unhandled = unhandledTypes.get();
    if (!unhandled.isEmpty()) {
      builder.withDetail("unhandledTypes", unhandled);
    }
    try {
      Duration age = backlogAge.get();
      builder.status(age.compareTo(maxBacklogAge) > 0 ? Status.DOWN : Status.UP);
      builder.withDetail("backlogAge", age.toString());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      builder.unknown().withDetail("error", "interrupted");
    } catch (Exception e) { // not thrown: Spring would log its stack trace at every request
      builder.down().withDetail("error", "outbox could not read its backlog: " + LogText.line(e));
    }
  }
}
