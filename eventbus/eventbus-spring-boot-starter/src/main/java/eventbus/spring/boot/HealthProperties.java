package eventbus.spring.boot;

import java.time.Duration;

/** What can be set under {@code eventbus.health}. Not safe for use by many threads. */
final class HealthProperties {
  /** The lag unless configured. */
  static final Duration DEFAULT_MAX_LAG = Duration.ofMinutes(5);

  /** How long an event that is due may wait for a worker before the health is down. */
  private Duration maxLag = DEFAULT_MAX_LAG;

  public Duration getMaxLag() {
    return maxLag;
  }

  public void setMaxLag(Duration maxLag) {
    this.maxLag = maxLag;
  }
}
