package outbox.spring.boot;

import java.time.Duration;
import outbox.dispatch.LeaseSettings;

/** What can be set under {@code outbox.lease}. Not safe for use by many threads. */
final class LeaseProperties {
  /** How long a lease lasts unless renewed. */
  private Duration length = LeaseSettings.DEFAULT_LENGTH;

  /** How often leases are renewed. */
  private Duration renewEvery = LeaseSettings.DEFAULT_RENEW_EVERY;

  /** How far the node's and the database's clock may run apart in one lease. */
  private Duration drift = LeaseSettings.DEFAULT_DRIFT;

  /** How long an event may wait in a queue before it is given back. */
  private Duration maxQueueWait = LeaseSettings.DEFAULT_MAX_QUEUE_WAIT;

  public Duration getLength() {
    return length;
  }

  public void setLength(Duration length) {
    this.length = length;
  }

  public Duration getRenewEvery() {
    return renewEvery;
  }

  public void setRenewEvery(Duration renewEvery) {
    this.renewEvery = renewEvery;
  }

  public Duration getDrift() {
    return drift;
  }

  public void setDrift(Duration drift) {
    this.drift = drift;
  }

  public Duration getMaxQueueWait() {
    return maxQueueWait;
  }

  public void setMaxQueueWait(Duration maxQueueWait) {
    this.maxQueueWait = maxQueueWait;
  }
}
