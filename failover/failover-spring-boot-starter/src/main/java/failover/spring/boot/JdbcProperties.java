package failover.spring.boot;

import failover.store.NearFarFailoverStore;
import java.time.Duration;
import org.springframework.boot.context.properties.NestedConfigurationProperty;
import org.springframework.boot.sql.init.DatabaseInitializationMode;

/** The settings {@code failover.store.jdbc.*}. Not safe for use by many threads. */
public class JdbcProperties {
  /** What the names of the tables begin with, such as SHOP_ or schema.SHOP_. */
  private String tablePrefix = "";

  /** Whether the tables are created: always, embedded for databases in memory only, or never. */
  private DatabaseInitializationMode initializeSchema = DatabaseInitializationMode.EMBEDDED;

  /**
   * Whether answers are also kept in memory, on Caffeine if it is there, and read from there first.
   */
  private boolean near = true;

  /**
   * Time between two checks for what other nodes have changed, so that answers in memory are
   * dropped.
   */
  private Duration checkInterval = NearFarFailoverStore.DEFAULT_CHECK_INTERVAL;

  /** Whether the rows of each point are counted for a gauge whenever meters are read. */
  private boolean liveEntriesGaugeEnabled = false;

  @NestedConfigurationProperty
  private final JdbcEncryptionProperties encryption = new JdbcEncryptionProperties();

  /** The defaults. */
  public JdbcProperties() {}

  /** What the names of the tables begin with, such as SHOP_ or schema.SHOP_. */
  public String getTablePrefix() {
    return tablePrefix;
  }

  /** What the names of the tables begin with, such as SHOP_ or schema.SHOP_. */
  public void setTablePrefix(String tablePrefix) {
    this.tablePrefix = tablePrefix;
  }

  /** Whether the tables are created: always, embedded for databases in memory only, or never. */
  public DatabaseInitializationMode getInitializeSchema() {
    return initializeSchema;
  }

  /** Whether the tables are created: always, embedded for databases in memory only, or never. */
  public void setInitializeSchema(DatabaseInitializationMode initializeSchema) {
    this.initializeSchema = initializeSchema;
  }

  /**
   * Whether answers are also kept in memory, on Caffeine if it is there, and read from there first.
   */
  public boolean isNear() {
    return near;
  }

  /**
   * Whether answers are also kept in memory, on Caffeine if it is there, and read from there first.
   */
  public void setNear(boolean near) {
    this.near = near;
  }

  /** Encryption of stored answers, by other names. */
  public JdbcEncryptionProperties getEncryption() {
    return encryption;
  }

  /** Whether the rows of each point are counted for a gauge whenever meters are read. */
  public boolean isLiveEntriesGaugeEnabled() {
    return liveEntriesGaugeEnabled;
  }

  /** Whether the rows of each point are counted for a gauge whenever meters are read. */
  public void setLiveEntriesGaugeEnabled(boolean liveEntriesGaugeEnabled) {
    this.liveEntriesGaugeEnabled = liveEntriesGaugeEnabled;
  }

  /**
   * Time between two checks for what other nodes have changed, so that answers in memory are
   * dropped.
   */
  public Duration getCheckInterval() {
    return checkInterval;
  }

  /**
   * Time between two checks for what other nodes have changed, so that answers in memory are
   * dropped.
   */
  public void setCheckInterval(Duration checkInterval) {
    this.checkInterval = checkInterval;
  }
}
