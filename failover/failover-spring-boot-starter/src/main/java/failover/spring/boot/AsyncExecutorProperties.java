package failover.spring.boot;

import failover.store.AsyncFailoverStore;
import failover.store.AsyncFailoverStore.WhenFull;

/** The settings {@code failover.store.async-executor.*}. Not safe for use by many threads. */
public class AsyncExecutorProperties {
  /** How many writes may wait, the latest of each key; 0 for 1024. */
  private int concurrencyLimit = 0;

  /** How many bytes of memory the writes that wait may take, about; 0 for no bound. */
  private long maxBytes = AsyncFailoverStore.DEFAULT_MAX_BYTES;

  /** What becomes of further ones: DISCARD, CALLER_RUNS or ABORT. */
  private WhenFull rejectionPolicy = WhenFull.DISCARD;

  /** The defaults. */
  public AsyncExecutorProperties() {}

  /** How many writes may wait, the latest of each key; 0 for 1024. */
  public int getConcurrencyLimit() {
    return concurrencyLimit;
  }

  /** How many writes may wait, the latest of each key; 0 for 1024. */
  public void setConcurrencyLimit(int concurrencyLimit) {
    this.concurrencyLimit = concurrencyLimit;
  }

  /** What becomes of further ones: DISCARD, CALLER_RUNS or ABORT. */
  public WhenFull getRejectionPolicy() {
    return rejectionPolicy;
  }

  /** What becomes of further ones: DISCARD, CALLER_RUNS or ABORT. */
  public void setRejectionPolicy(WhenFull rejectionPolicy) {
    this.rejectionPolicy = rejectionPolicy;
  }

  /** How many bytes of memory the writes that wait may take, about; 0 for no bound. */
  public long getMaxBytes() {
    return maxBytes;
  }

  /** How many bytes of memory the writes that wait may take, about; 0 for no bound. */
  public void setMaxBytes(long maxBytes) {
    this.maxBytes = maxBytes;
  }
}
