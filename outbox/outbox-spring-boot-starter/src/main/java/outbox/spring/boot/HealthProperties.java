package outbox.spring.boot;

import java.time.Duration;

/** What can be set under {@code outbox.health}. Not safe for use by many threads. */
final class HealthProperties {
  /** The age unless configured. */
  static final Duration DEFAULT_MAX_BACKLOG_AGE = Duration.ofMinutes(5);

  /** How long a due event may be in nobody's hands before the health is down. */
  private Duration maxBacklogAge = DEFAULT_MAX_BACKLOG_AGE;

  public Duration getMaxBacklogAge() {
    return maxBacklogAge;
  }

  public void setMaxBacklogAge(Duration maxBacklogAge) {
    this.maxBacklogAge = maxBacklogAge;
  }
}
