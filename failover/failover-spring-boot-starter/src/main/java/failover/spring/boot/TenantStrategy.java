package failover.spring.boot;

/** How tenants have tables of their own. */
public enum TenantStrategy {
  /** The names of their tables begin differently. */
  TABLE_PREFIX,
  /** Their tables are in schemas of their own; on MariaDB and MySQL these are databases. */
  SCHEMA
}
