package failover.spring.boot;

import failover.tenant.MultiTenantFailoverStore;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The settings {@code failover.store.multitenant.*}. Not safe for use by many threads. */
public class MultitenantProperties {
  /** Whether answers are kept for tenants, each of which gets its own only. */
  private boolean enabled = false;

  /** Tenant of calls that have none; without it such calls pass unprotected. */
  private @Nullable String defaultTenant;

  /** Whether calls of tenants that are not configured pass unprotected. */
  private boolean strict = false;

  /** How tenants have tables of their own: TABLE_PREFIX or SCHEMA. */
  private TenantStrategy strategy = TenantStrategy.TABLE_PREFIX;

  /** How many stores of tenants are open; the least recently used one is closed. */
  private int maxStores = MultiTenantFailoverStore.DEFAULT_MAX_STORES;

  /** Tenants by their ids. */
  private final Map<String, TenantProperties> tenants = new LinkedHashMap<>();

  /** The defaults. */
  public MultitenantProperties() {}

  /** Whether answers are kept for tenants, each of which gets its own only. */
  public boolean isEnabled() {
    return enabled;
  }

  /** Whether answers are kept for tenants, each of which gets its own only. */
  public void setEnabled(boolean enabled) {
    this.enabled = enabled;
  }

  /** Tenant of calls that have none; without it such calls pass unprotected. */
  public @Nullable String getDefaultTenant() {
    return defaultTenant;
  }

  /** Tenant of calls that have none; without it such calls pass unprotected. */
  public void setDefaultTenant(@Nullable String defaultTenant) {
    this.defaultTenant = defaultTenant;
  }

  /** Whether calls of tenants that are not configured pass unprotected. */
  public boolean isStrict() {
    return strict;
  }

  /** Whether calls of tenants that are not configured pass unprotected. */
  public void setStrict(boolean strict) {
    this.strict = strict;
  }

  /** How tenants have tables of their own: TABLE_PREFIX or SCHEMA. */
  public TenantStrategy getStrategy() {
    return strategy;
  }

  /** How tenants have tables of their own: TABLE_PREFIX or SCHEMA. */
  public void setStrategy(TenantStrategy strategy) {
    this.strategy = strategy;
  }

  /** How many stores of tenants are open; the least recently used one is closed. */
  public int getMaxStores() {
    return maxStores;
  }

  /** How many stores of tenants are open; the least recently used one is closed. */
  public void setMaxStores(int maxStores) {
    this.maxStores = maxStores;
  }

  /** Tenants by their ids. */
  public Map<String, TenantProperties> getTenants() {
    return tenants;
  }
}
