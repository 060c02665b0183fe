package outbox.spring.boot;

import holdfast.jdbc.DeliveryControl;
import holdfast.lifecycle.BoundedCall;
import holdfast.lifecycle.Threads;
import holdfast.log.LogText;
import holdfast.time.TimeSource;
import java.time.Duration;
import java.util.Collection;
import java.util.TreeSet;
import org.springframework.boot.health.contributor.AbstractHealthIndicator;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.Status;
import outbox.dispatch.OutboxDispatcher;
import outbox.jdbc.OutboxBacklog;

/**
 * Down when events have been overdue for too long, in flight on no node: no node delivers, or they
 * cannot keep up. Also down when the database does not answer within a second. Out of service while
 * every worker of this node has a listener that hangs. A failing listener is no reason, since its
 * events wait for their next attempt; restarting this node would not help it. Neither is a type
 * that is paused. Safe for use by many threads.
 */
final class OutboxHealthIndicator extends AbstractHealthIndicator {
  /** With the other library's in the same application it is less than 2 seconds. */
  private static final Duration PATIENCE = Duration.ofMillis(700);

  private final BoundedCall<Duration> backlogAge;
  private final OutboxDispatcher dispatcher;
  private final DeliveryControl control;
  private final Duration maxBacklogAge;

  OutboxHealthIndicator(
      OutboxBacklog backlog,
      OutboxDispatcher dispatcher,
      DeliveryControl control,
      Duration maxBacklogAge) {
    this.backlogAge =
        new BoundedCall<>(
            Threads.daemon("outbox-health"),
            () -> backlog.unclaimed().orElse(Duration.ZERO),
            PATIENCE,
            TimeSource.system());
    this.dispatcher = dispatcher;
    this.control = control;
    this.maxBacklogAge = maxBacklogAge;
  }

  @Override
  protected void doHealthCheck(Health.Builder builder) {
    builder.withDetail("maxBacklogAge", maxBacklogAge.toString());
    Collection<String> unhandled = dispatcher.unhandledTypes();
    if (!unhandled.isEmpty()) {
      builder.withDetail("unhandledTypes", unhandled);
    }
    try {
      Duration inTable = backlogAge.get();
      Duration queued = dispatcher.oldestWaiting();
      Duration age = inTable.compareTo(queued) > 0 ? inTable : queued;
      builder.status(age.compareTo(maxBacklogAge) > 0 ? Status.DOWN : Status.UP);
      builder.withDetail("backlogAge", age.toString());
      if (!control.knownPaused().isEmpty()) {
        builder.withDetail("paused", new TreeSet<>(control.knownPaused()));
      }
      if (dispatcher.allWorkersHang()) {
        builder.outOfService().withDetail("longestRunning", dispatcher.longestRunning().toString());
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      builder.unknown().withDetail("error", "interrupted");
    } catch (Exception e) { // not thrown: Spring would log its stack trace at every request
      builder.down().withDetail("error", "outbox could not read its backlog: " + LogText.line(e));
    }
  }
}
