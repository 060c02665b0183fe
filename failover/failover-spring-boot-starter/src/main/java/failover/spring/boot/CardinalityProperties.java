package failover.spring.boot;

import failover.FailoversBuilder;

/** The settings {@code failover.observable.cardinality.*}. Not safe for use by many threads. */
public class CardinalityProperties {
  /** Whether the number of points with meters is bounded. */
  private boolean enabled = true;

  /** How many points have meters; further ones have none. */
  private int maxApis = FailoversBuilder.DEFAULT_MAX_POINTS;

  /** The defaults. */
  public CardinalityProperties() {}

  /** Whether the number of points with meters is bounded. */
  public boolean isEnabled() {
    return enabled;
  }

  /** Whether the number of points with meters is bounded. */
  public void setEnabled(boolean enabled) {
    this.enabled = enabled;
  }

  /** How many points have meters; further ones have none. */
  public int getMaxApis() {
    return maxApis;
  }

  /** How many points have meters; further ones have none. */
  public void setMaxApis(int maxApis) {
    this.maxApis = maxApis;
  }
}
