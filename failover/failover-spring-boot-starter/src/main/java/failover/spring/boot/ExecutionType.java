package failover.spring.boot;

/** What makes calls. */
public enum ExecutionType {
  /** The library itself. */
  BASIC,
  /** The library, through circuit breakers of Resilience4j. */
  RESILIENCE,
  /** A bean of the application. */
  CUSTOM
}
