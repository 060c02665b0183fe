package failover.spring.boot;

import failover.FailoversBuilder;
import failover.store.FailoverStore;
import failover.tenant.MultiTenantFailoverStore;
import failover.tenant.TenantContext;
import failover.tenant.TenantResolver;
import failover.tenant.TenantStoreFactory;
import failover.tenant.Tenants;
import holdfast.spring.boot.PropertyChecks;
import holdfast.spring.boot.StartException;
import holdfast.time.TimeSource;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Tenants as the settings and the beans of the application say. Safe for use by many threads. */
final class StoreTenants {
  private static final String PREFIX = "store.multitenant.";

  private final MultitenantProperties properties;
  private final TenantPrefixes prefixes;
  private final @Nullable TenantStoreFactory factory;
  private final @Nullable Tenants tenants;

  /**
   * Reads the settings.
   *
   * @param properties the settings of the store
   * @param resolver tells the tenant of a call, or null for that of {@link TenantContext}
   * @param factory makes the stores of tenants, or null for tables
   * @throws StartException if a setting is out of range
   */
  StoreTenants(
      StoreProperties properties,
      @Nullable TenantResolver resolver,
      @Nullable TenantStoreFactory factory) {
    this.properties = properties.getMultitenant();
    this.prefixes = TenantPrefixes.of(properties);
    this.factory = factory;
    this.tenants =
        properties.getMultitenant().isEnabled()
            ? tenants(properties, resolver == null ? TenantContext.resolver() : resolver)
            : null;
  }

  private Tenants tenants(StoreProperties store, TenantResolver resolver) {
    PropertyChecks checks = new PropertyChecks("failover", "failover");
    checks.atLeast(PREFIX + "max-stores", 1, properties.getMaxStores());
    TenantPrefixes.check(checks, store);
    Tenants all = Tenants.of(resolver);
    Set<String> ids = properties.getTenants().keySet();
    checks.accepted(PREFIX + "tenants", () -> all.known(ids));
    String other = properties.getDefaultTenant();
    if (other != null) {
      checks.accepted(PREFIX + "default-tenant", () -> all.withDefault(other));
    }
    checks.throwIfAny();
    boolean isEachKnown = ids.isEmpty() && !properties.isStrict() && factory != null;
    Tenants known = isEachKnown ? all : all.known(ids);
    Tenants made = other == null ? known : known.withDefault(other);
    return properties.isStrict() ? made.strict() : made;
  }

  /** Whether answers are kept for tenants. */
  boolean isOn() {
    return tenants != null;
  }

  /** What the names of tables begin with. */
  TenantPrefixes prefixes() {
    return prefixes;
  }

  /** Whether there may be answers of tenants without a store of their own. */
  boolean needSharedStore() {
    return tenants == null || !properties.isStrict() || hasSharers(tenants);
  }

  private boolean hasSharers(Tenants all) {
    return !prefixes.own().keySet().containsAll(all.known());
  }

  /** What the application makes stores with; null if they are tables. */
  @Nullable TenantStoreFactory factory() {
    return factory;
  }

  /** The innermost store: one for each tenant, or one alone. */
  FailoverStore store(TenantStoreFactory stores) {
    return tenants == null
        ? stores.create(TenantStoreFactory.SINGLE)
        : new MultiTenantFailoverStore(
            tenants, stores, properties.getMaxStores(), TimeSource.system());
  }

  void applyTo(FailoversBuilder builder) {
    if (tenants != null) {
      builder.tenants(tenants);
    }
  }

  /** For people. */
  @Override
  public String toString() {
    return tenants == null
        ? "none"
        : "%d%s".formatted(tenants.known().size(), properties.isStrict() ? ", strict" : "");
  }
}
