package failover.spring.boot;

import failover.store.InMemoryFailoverStore;

/** The settings {@code failover.store.inmemory.*}. Not safe for use by many threads. */
public class InmemoryProperties {
  /** How many answers are kept, the most recently used ones; 0 for no bound. */
  private int maxEntries = InMemoryFailoverStore.DEFAULT_MAX_ENTRIES;

  /** How many bytes of memory keys and contents take, about; 0 for no bound. */
  private long maxBytes = InMemoryFailoverStore.DEFAULT_MAX_BYTES;

  /** The defaults. */
  public InmemoryProperties() {}

  /** How many answers are kept, the most recently used ones; 0 for no bound. */
  public int getMaxEntries() {
    return maxEntries;
  }

  /** How many answers are kept, the most recently used ones; 0 for no bound. */
  public void setMaxEntries(int maxEntries) {
    this.maxEntries = maxEntries;
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
