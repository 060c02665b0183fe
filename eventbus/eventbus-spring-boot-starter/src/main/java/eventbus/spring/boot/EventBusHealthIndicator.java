package eventbus.spring.boot;

import eventbus.Backlog;
import eventbus.EventBus;
import java.time.Duration;
import org.springframework.boot.health.contributor.AbstractHealthIndicator;
import org.springframework.boot.health.contributor.Health;

/**
 * Down when events that are due have waited too long for a worker: no node works, or they cannot
 * keep up. Only types handled here count. A failing handler is no reason, since its events wait for
 * their next try; restarting this node would not help it. Safe for use by many threads.
 */
final class EventBusHealthIndicator extends AbstractHealthIndicator {
  private final EventBus bus;
  private final BacklogReading reading;
  private final Duration maxLag;

  EventBusHealthIndicator(EventBus bus, BacklogReading reading, Duration maxLag) {
    super("event bus could not read its tables");
    this.bus = bus;
    this.reading = reading;
    this.maxLag = maxLag;
  }

  @Override
  protected void doHealthCheck(Health.Builder builder) {
    Duration lag = bus.lag();
    Backlog backlog = reading.current();
    builder.up();
    if (lag.compareTo(maxLag) > 0) {
      builder.down();
    }
    builder.withDetail("lag", lag.toString());
    builder.withDetail("maxLag", maxLag.toString());
    builder.withDetail("backlog", backlog.depth());
    builder.withDetail("due", backlog.due());
    builder.withDetail("unhandled", backlog.unhandled());
    builder.withDetail("oldest", backlog.oldest().toString());
  }
}
