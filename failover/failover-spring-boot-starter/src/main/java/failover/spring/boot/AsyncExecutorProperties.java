package failover.spring.boot;

import failover.store.WhenFull;

/** The settings {@code failover.store.async-executor.*}. Not safe for use by many threads. */
public class AsyncExecutorProperties {
  /** How many writes may wait, the latest of each key; 0 for 1024. */
  private int concurrencyLimit = 0;

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
}
