package failover.spring.boot;

/** The settings {@code failover.store.caffeine.*}. Not safe for use by many threads. */
public class CaffeineProperties {
  /** About how many answers are kept; 0 for no bound. */
  private long maxSize = 10_000;

  /** The defaults. */
  public CaffeineProperties() {}

  /** About how many answers are kept; 0 for no bound. */
  public long getMaxSize() {
    return maxSize;
  }

  /** About how many answers are kept; 0 for no bound. */
  public void setMaxSize(long maxSize) {
    this.maxSize = maxSize;
  }
}
