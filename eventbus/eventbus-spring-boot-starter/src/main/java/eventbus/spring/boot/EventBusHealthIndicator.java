package eventbus.spring.boot;

import eventbus.Backlog;
import eventbus.EventBus;
import holdfast.lifecycle.BoundedCall;
import holdfast.lifecycle.Threads;
import holdfast.log.LogText;
import holdfast.time.TimeSource;
import java.time.Duration;
import java.util.List;
import java.util.TreeSet;
import java.util.concurrent.TimeoutException;
import org.springframework.boot.health.contributor.AbstractHealthIndicator;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.Status;

/**
 * Down when events that are due have waited too long for a worker: no node works, or they cannot
 * keep up. Also down when the database does not answer within a second. Out of service while every
 * worker of this node has a handler that hangs. Only types handled here count. A failing handler is
 * no reason, since its events wait for their next try; restarting this node would not help it.
 * Neither is a type that is paused. Safe for use by many threads.
 */
final class EventBusHealthIndicator extends AbstractHealthIndicator {
  /** With the other library's in the same application it is less than 2 seconds. */
  private static final Duration PATIENCE = Duration.ofMillis(700);

  /** Counting rows may take longer than a health check may: the details are left out then. */
  private static final Duration PATIENCE_FOR_DETAILS = Duration.ofMillis(500);

  private final EventBus bus;
  private final BoundedCall<Duration> lag;
  private final BoundedCall<Backlog> backlog;
  private final Duration maxLag;

  EventBusHealthIndicator(EventBus bus, BacklogReading reading, Duration maxLag) {
    TimeSource time = TimeSource.system();
    this.bus = bus;
    this.lag = new BoundedCall<>(Threads.daemon("eventbus-health"), bus::lag, PATIENCE, time);
    this.backlog =
        new BoundedCall<>(
            Threads.daemon("eventbus-health-backlog"),
            reading::current,
            PATIENCE_FOR_DETAILS,
            time);
    this.maxLag = maxLag;
  }

  @Override
  protected void doHealthCheck(Health.Builder builder) {
    builder.withDetail("maxLag", maxLag.toString());
    try {
      Duration current = lag.get();
      builder.status(current.compareTo(maxLag) > 0 ? Status.DOWN : Status.UP);
      builder.withDetail("lag", current.toString());
      if (!bus.control().knownPaused().isEmpty()) {
        builder.withDetail("paused", new TreeSet<>(bus.control().knownPaused()));
      }
      if (bus.allWorkersHang()) {
        builder.outOfService().withDetail("longestRunning", bus.longestRunning().toString());
      }
      addBacklog(builder);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      builder.unknown().withDetail("error", "interrupted");
    } catch (Exception e) { // not thrown: Spring would log its stack trace at every request
      builder.down().withDetail("error", "event bus could not read its tables: " + LogText.line(e));
    }
  }

  private void addBacklog(Health.Builder builder) throws Exception {
    try {
      Backlog current = backlog.get();
      builder.withDetail("backlog", current.depth());
      builder.withDetail("due", current.due());
      builder.withDetail("unhandled", current.unhandled());
      List<String> types = current.unhandledTypes();
      if (!types.isEmpty()) {
        builder.withDetail("unhandledTypes", types);
      }
      builder.withDetail("oldest", current.oldest().toString());
    } catch (TimeoutException e) {
      builder.withDetail("backlog", "not counted within " + PATIENCE_FOR_DETAILS);
    }
  }
}
