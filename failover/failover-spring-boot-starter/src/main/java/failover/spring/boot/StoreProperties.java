package failover.spring.boot;

import org.springframework.boot.context.properties.NestedConfigurationProperty;

/** The settings {@code failover.store.*}. Not safe for use by many threads. */
public class StoreProperties {
  /** Where answers are kept: INMEMORY, CAFFEINE, JDBC, or CUSTOM for a FailoverStore bean. */
  private StoreType type = StoreType.INMEMORY;

  /** Whether answers are written to a table behind the back of callers. */
  private boolean async = true;

  @NestedConfigurationProperty
  private final AsyncExecutorProperties asyncExecutor = new AsyncExecutorProperties();

  @NestedConfigurationProperty private final InmemoryProperties inmemory = new InmemoryProperties();

  @NestedConfigurationProperty private final CaffeineProperties caffeine = new CaffeineProperties();

  @NestedConfigurationProperty private final JdbcProperties jdbc = new JdbcProperties();

  /** The defaults. */
  public StoreProperties() {}

  /** Where answers are kept: INMEMORY, CAFFEINE, JDBC, or CUSTOM for a FailoverStore bean. */
  public StoreType getType() {
    return type;
  }

  /** Where answers are kept: INMEMORY, CAFFEINE, JDBC, or CUSTOM for a FailoverStore bean. */
  public void setType(StoreType type) {
    this.type = type;
  }

  /** Whether answers are written to a table behind the back of callers. */
  public boolean isAsync() {
    return async;
  }

  /** Whether answers are written to a table behind the back of callers. */
  public void setAsync(boolean async) {
    this.async = async;
  }

  /** The queue of writes. */
  public AsyncExecutorProperties getAsyncExecutor() {
    return asyncExecutor;
  }

  /** The store in memory. */
  public InmemoryProperties getInmemory() {
    return inmemory;
  }

  /** The store on Caffeine. */
  public CaffeineProperties getCaffeine() {
    return caffeine;
  }

  /** The table. */
  public JdbcProperties getJdbc() {
    return jdbc;
  }
}
