package failover.store;

import failover.key.StoredName;
import failover.store.PendingWrites.Write;
import java.util.HashSet;
import java.util.Set;

/**
 * The tenants whose stores do nothing in one round of writing: others have stores of their own that
 * may be well. Where several are down at once, all seem to be. Not safe for use by many threads.
 */
final class DownTenants {
  /** How many tenants are down where all seem to be. */
  static final int SEVERAL = 3;

  private final Set<String> tenants = new HashSet<>();

  /** Takes note that the store of a write does nothing; whether all stores seem to do nothing. */
  boolean isAll(Write write) {
    String tenant = StoredName.tenant(write.key().name());
    return tenant == null || (tenants.add(tenant) && tenants.size() >= SEVERAL);
  }

  /** Whether there are any. */
  boolean isAny() {
    return !tenants.isEmpty();
  }

  /** Whether the write is of a tenant whose store does nothing. */
  boolean concerns(Write write) {
    if (tenants.isEmpty()) {
      return false;
    }
    String tenant = StoredName.tenant(write.key().name());
    return tenant != null && tenants.contains(tenant);
  }
}
