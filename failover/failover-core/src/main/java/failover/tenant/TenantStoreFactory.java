package failover.tenant;

import failover.store.FailoverStore;

/**
 * Makes the store of a tenant. It makes plain stores, such as that of a table: queue, copies in
 * memory and encryption stand before all of them together. Safe for use by many threads.
 */
@FunctionalInterface
public interface TenantStoreFactory {
  /**
   * In the place of a tenant: the one store where there are no tenants, and the store that tenants
   * without one of their own share.
   */
  String SINGLE = "_single_";

  /**
   * Makes a store. It may be called on any thread and depends on nothing but the tenant; what it
   * returns reaches the same answers each time, since the store of a tenant may be closed and made
   * again.
   *
   * @param tenant the id of the tenant, or {@link #SINGLE}
   */
  FailoverStore create(String tenant);

  /**
   * Whether a tenant has no store of its own, but shares that of {@link #SINGLE}; there its answers
   * are still told apart from those of others.
   */
  default boolean isShared(String tenant) {
    return false;
  }
}
