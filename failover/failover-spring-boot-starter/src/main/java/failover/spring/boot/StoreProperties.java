package failover.spring.boot;

import java.time.Duration;
import org.springframework.boot.context.properties.NestedConfigurationProperty;

/** The settings {@code failover.store.*}. Not safe for use by many threads. */
public class StoreProperties {
  /** Where answers are kept: INMEMORY, CAFFEINE, JDBC, or CUSTOM for a FailoverStore bean. */
  private StoreType type = StoreType.INMEMORY;

  /** Whether answers are written to a table asynchronously. */
  private boolean async = true;

  /** How long a call waits for a store that is not in memory, to read and to write. */
  private Duration readTimeout = Duration.ofSeconds(1);

  @NestedConfigurationProperty
  private final AsyncExecutorProperties asyncExecutor = new AsyncExecutorProperties();

  @NestedConfigurationProperty private final InmemoryProperties inmemory = new InmemoryProperties();

  @NestedConfigurationProperty private final CaffeineProperties caffeine = new CaffeineProperties();

  @NestedConfigurationProperty private final JdbcProperties jdbc = new JdbcProperties();

  @NestedConfigurationProperty
  private final EncryptionProperties encryption = new EncryptionProperties();

  @NestedConfigurationProperty
  private final MultitenantProperties multitenant = new MultitenantProperties();

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

  /** Whether answers are written to a table asynchronously. */
  public boolean isAsync() {
    return async;
  }

  /** Whether answers are written to a table asynchronously. */
  public void setAsync(boolean async) {
    this.async = async;
  }

  /** How long a call waits for a store that is not in memory, to read and to write. */
  public Duration getReadTimeout() {
    return readTimeout;
  }

  /** How long a call waits for a store that is not in memory, to read and to write. */
  public void setReadTimeout(Duration readTimeout) {
    this.readTimeout = readTimeout;
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

  /** Encryption of stored answers. */
  public EncryptionProperties getEncryption() {
    return encryption;
  }

  /** Tenants. */
  public MultitenantProperties getMultitenant() {
    return multitenant;
  }
}
