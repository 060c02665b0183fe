package failover.spring.boot;

/** Where answers are kept. */
public enum StoreType {
  /** In the memory of this process. */
  INMEMORY,
  /** In a Caffeine cache of this process. */
  CAFFEINE,
  /** In a table. */
  JDBC,
  /** In a bean of the application. */
  CUSTOM
}
