package failover.jdbc;

import failover.key.StoredName;
import failover.tenant.MultiTenantFailoverStore;
import failover.tenant.TenantContext;
import failover.tenant.TenantStoreFactory;
import failover.tenant.Tenants;
import holdfast.testkit.db.DatabaseKind;
import holdfast.testkit.db.TestDatabase;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Map;

/**
 * A database with the tables of three: tenant {@code acme} by a prefix, tenant {@code zeta} by a
 * schema, and the table that others share. Safe for use by many threads.
 */
final class TenantDatabase implements AutoCloseable {
  static final Tenants TENANTS =
      Tenants.of(TenantContext.resolver()).known(List.of("acme", "zeta"));

  private final TestDatabase database;
  private final String schema;
  private final Map<String, String> prefixes;

  TenantDatabase(TestDatabase database) throws SQLException {
    this.database = database;
    this.schema = database.name() + "_z"; // on MariaDB it is a database of the server
    this.prefixes = Map.of("acme", "ACME_", "zeta", schema + ".", TenantStoreFactory.SINGLE, "");
    execute("CREATE SCHEMA IF NOT EXISTS " + schema);
    prefixes
        .values()
        .forEach(prefix -> FailoverSchema.createIfMissing(database.dataSource(), prefix));
    for (String prefix : prefixes.values()) {
      execute("DELETE FROM " + prefix + "FAILOVER_STORE");
      execute("DELETE FROM " + prefix + "FAILOVER_REMOVAL");
      execute("UPDATE " + prefix + "FAILOVER_SWEEP SET NEXT_SWEEP = '2000-01-01 00:00:00'");
    }
  }

  /** The stores of a new process. */
  MultiTenantFailoverStore store() {
    return new MultiTenantFailoverStore(
        TENANTS,
        tenant ->
            new JdbcFailoverStore(database.dataSource(), prefixes.getOrDefault(tenant, "NONE_")));
  }

  /** How many rows the table has in which a tenant's answers are. */
  long rows(String tenant) throws SQLException {
    String prefix = prefixes.getOrDefault(tenant, "");
    try (Connection connection = database.connect();
        Statement statement = connection.createStatement();
        ResultSet rows =
            statement.executeQuery("SELECT COUNT(*) FROM " + prefix + "FAILOVER_STORE")) {
      rows.next();
      return rows.getLong(1);
    }
  }

  static String name(String tenant) {
    return StoredName.text(tenant, "price");
  }

  private void execute(String sql) throws SQLException {
    try (Connection connection = database.connect();
        Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }

  /** Drops what would be left on the server. */
  @Override
  public void close() throws SQLException {
    if (database.kind() == DatabaseKind.MARIADB) {
      execute("DROP SCHEMA " + schema);
    }
  }
}
