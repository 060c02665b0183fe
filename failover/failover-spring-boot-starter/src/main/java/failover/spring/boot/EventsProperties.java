package failover.spring.boot;

import failover.FailoversBuilder;

/** The settings {@code failover.observable.async.*}. Not safe for use by many threads. */
public class EventsProperties {
  /** Whether publishers are told events on a thread of their own. */
  private boolean enabled = true;

  /** How many events may wait; further ones are dropped and counted. */
  private int queueCapacity = FailoversBuilder.DEFAULT_PUBLISHER_QUEUE;

  /** The defaults. */
  public EventsProperties() {}

  /** Whether publishers are told events on a thread of their own. */
  public boolean isEnabled() {
    return enabled;
  }

  /** Whether publishers are told events on a thread of their own. */
  public void setEnabled(boolean enabled) {
    this.enabled = enabled;
  }

  /** How many events may wait; further ones are dropped and counted. */
  public int getQueueCapacity() {
    return queueCapacity;
  }

  /** How many events may wait; further ones are dropped and counted. */
  public void setQueueCapacity(int queueCapacity) {
    this.queueCapacity = queueCapacity;
  }
}
