package failover.spring.boot;

import failover.store.InMemoryFailoverStore;

/** The settings {@code failover.store.caffeine.*}. Not safe for use by many threads. */
public class CaffeineProperties {
  /** About how many answers are kept; 0 for no bound. */
  private long maxSize = 10_000;

  /** How many bytes of memory keys and contents take, about; 0 for no bound. */
  private long maxBytes = InMemoryFailoverStore.DEFAULT_MAX_BYTES;

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

  /** How many bytes of memory keys and contents take, about; 0 for no bound. */
  public long getMaxBytes() {
    return maxBytes;
  }

  /** How many bytes of memory keys and contents take, about; 0 for no bound. */
  public void setMaxBytes(long maxBytes) {
    this.maxBytes = maxBytes;
  }
}
