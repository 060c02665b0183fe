package failover.spring.boot;

import failover.tenant.TenantStoreFactory;
import holdfast.jdbc.TableName;
import holdfast.spring.boot.PropertyChecks;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;

/**
 * What the names of tables begin with, also those of tenants that have their own. Immutable.
 *
 * @param shared of the one table, which tenants without their own share
 * @param own by the ids of tenants
 */
record TenantPrefixes(String shared, Map<String, String> own) {
  private static final String KEY = "store.multitenant.tenants.";

  /** As the settings say; without tenants there is one table. */
  static TenantPrefixes of(StoreProperties properties) {
    String shared = properties.getJdbc().getTablePrefix();
    MultitenantProperties tenants = properties.getMultitenant();
    Map<String, String> own = new LinkedHashMap<>();
    if (tenants.isEnabled()) {
      tenants
          .getTenants()
          .forEach(
              (id, tenant) -> {
                String prefix = prefix(shared, tenants.getStrategy(), tenant);
                if (!prefix.equalsIgnoreCase(shared)) {
                  own.put(id, prefix);
                }
              });
    }
    return new TenantPrefixes(shared, own);
  }

  /** The tenant's prefix comes before that of all, and a schema before both. */
  private static String prefix(String shared, TenantStrategy strategy, TenantProperties tenant) {
    int afterSchema = shared.indexOf('.') + 1;
    String schema = tenant.getSchema();
    if (strategy == TenantStrategy.SCHEMA) {
      return schema == null ? shared : schema + '.' + shared.substring(afterSchema);
    }
    return shared.substring(0, afterSchema)
        + tenant.getTablePrefix()
        + shared.substring(afterSchema);
  }

  /** Checks what the settings say of tenants. */
  static void check(PropertyChecks checks, StoreProperties properties) {
    MultitenantProperties tenants = properties.getMultitenant();
    tenants.getTenants().forEach((id, tenant) -> check(checks, tenants, id, tenant));
    Map<String, String> known = new LinkedHashMap<>();
    of(properties)
        .own()
        .forEach(
            (id, prefix) -> {
              String other = known.putIfAbsent(prefix.toLowerCase(Locale.ROOT), id);
              checks.require(
                  other == null,
                  KEY + id,
                  "have tables of its own, but has those of " + other,
                  prefix);
              checks.accepted(KEY + id, () -> TableName.of(prefix + "FAILOVER_STORE"));
            });
  }

  private static void check(
      PropertyChecks checks, MultitenantProperties tenants, String id, TenantProperties tenant) {
    boolean isBySchema = tenants.getStrategy() == TenantStrategy.SCHEMA;
    String prefix = tenant.getTablePrefix();
    String schema = tenant.getSchema();
    checks.require(
        prefix.matches(isBySchema ? "" : "[A-Za-z0-9_]*"),
        KEY + id + ".table-prefix",
        isBySchema
            ? "not be set with strategy schema; set schema"
            : "have letters, digits and underscores alone",
        prefix);
    checks.require(
        schema == null || (isBySchema && schema.matches("[A-Za-z0-9_]+")),
        KEY + id + ".schema",
        isBySchema
            ? "have letters, digits and underscores alone"
            : "not be set with strategy table_prefix; set table-prefix",
        schema);
  }

  /** Of the tables in which a tenant's answers are. */
  String of(String tenant) {
    return own.getOrDefault(tenant, shared);
  }

  /** For messages: the tenant that has the tables, or nothing for those that others share. */
  static String label(String tenant) {
    return tenant.equals(TenantStoreFactory.SINGLE) ? "" : " of tenant '" + tenant + "'";
  }
}
