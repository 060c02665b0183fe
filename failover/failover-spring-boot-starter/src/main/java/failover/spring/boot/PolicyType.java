package failover.spring.boot;

/** What callers get when nothing is found. */
public enum PolicyType {
  /** The failure of the source. */
  RETHROW,
  /** Null. */
  NEVER_THROW,
  /** What a bean of the application says. */
  CUSTOM
}
