package failover.spring.boot;

import org.jspecify.annotations.Nullable;

/**
 * The settings {@code failover.store.multitenant.tenants.<id>.*}. Not safe for use by many threads.
 */
public class TenantProperties {
  /**
   * What the names of the tenant's tables begin with, before failover.store.jdbc.table-prefix;
   * empty for the tables that others share. With strategy TABLE_PREFIX.
   */
  private String tablePrefix = "";

  /** Schema of the tenant's tables; none for the tables that others share. With strategy SCHEMA. */
  private @Nullable String schema;

  /** The defaults. */
  public TenantProperties() {}

  /** What the names of the tenant's tables begin with. */
  public String getTablePrefix() {
    return tablePrefix;
  }

  /** What the names of the tenant's tables begin with. */
  public void setTablePrefix(String tablePrefix) {
    this.tablePrefix = tablePrefix;
  }

  /** Schema of the tenant's tables. */
  public @Nullable String getSchema() {
    return schema;
  }

  /** Schema of the tenant's tables. */
  public void setSchema(@Nullable String schema) {
    this.schema = schema;
  }
}
