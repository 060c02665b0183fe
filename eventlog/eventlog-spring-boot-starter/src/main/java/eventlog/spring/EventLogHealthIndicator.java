package eventlog.spring;

import eventlog.AsyncEventLogger;
import eventlog.SpilloverStatus;
import java.util.ArrayList;
import java.util.List;
import org.springframework.boot.health.contributor.AbstractHealthIndicator;
import org.springframework.boot.health.contributor.Health;

/**
 * Down when events are lost, or soon will be: the disk fails, or the last place where events can
 * wait is nearly full. An API that is away is no reason by itself: waiting for it is what the
 * logger is for, and restarting this process would not bring it back. Safe for use by many threads.
 */
final class EventLogHealthIndicator extends AbstractHealthIndicator {
  private static final double ALL = 100.0;

  private final AsyncEventLogger logger;
  private final int nearlyFullPercent;

  EventLogHealthIndicator(AsyncEventLogger logger, int nearlyFullPercent) {
    super("eventlog could not look at its state");
    this.logger = logger;
    this.nearlyFullPercent = nearlyFullPercent;
  }

  @Override
  protected void doHealthCheck(Health.Builder builder) {
    List<String> problems = new ArrayList<>();
    builder.up();
    builder.withDetail("circuit", logger.circuitState().name());
    builder.withDetail("queueDepth", logger.queueDepth());
    builder.withDetail("queueCapacity", logger.queueCapacity());
    logger
        .spillover()
        .ifPresentOrElse(status -> disk(status, builder, problems), () -> queue(problems));
    if (!problems.isEmpty()) {
      builder.down().withDetail("problems", problems);
    }
  }

  /** Without spillover nothing comes after the queue. */
  private void queue(List<String> problems) {
    if (isNearlyFull(logger.queueDepth(), logger.queueCapacity())) {
      problems.add("the queue is nearly full and spillover is off");
    }
  }

  private void disk(SpilloverStatus status, Health.Builder builder, List<String> problems) {
    builder.withDetail("spilloverEvents", status.events());
    builder.withDetail("spilloverBytes", status.bytes());
    builder.withDetail("quarantined", status.quarantined());
    builder.withDetail("spilloverFailing", status.failing());
    if (status.failing()) {
      problems.add("the spillover directory cannot be written");
    }
    if (isNearlyFull(status.events(), status.maxEvents())
        || isNearlyFull(status.bytes(), status.maxBytes())) {
      problems.add("the spillover files are nearly as large as allowed");
    }
  }

  private boolean isNearlyFull(long used, long room) {
    return used * ALL >= (double) room * nearlyFullPercent;
  }
}
