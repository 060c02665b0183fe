package failover.store;

import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * How much of what waits belongs to each tenant, so that one whose writes pile up leaves room for
 * others: a tenant may have at most three times as much waiting as is still free. Without tenants
 * there are no shares. Not safe for use by many threads.
 */
final class TenantShares {
  private static final int TIMES_WHAT_IS_FREE = 3;

  private static final class Share {
    private int entries;
    private long bytes;
  }

  private final Map<String, Share> byTenant = new HashMap<>();

  /** Adds to the share of a tenant, or takes from it. */
  void add(@Nullable String tenant, int entries, long bytes) {
    if (tenant != null) {
      Share share = byTenant.computeIfAbsent(tenant, it -> new Share());
      share.entries += entries;
      share.bytes += bytes;
      if (share.entries == 0) {
        byTenant.remove(tenant);
      }
    }
  }

  /**
   * Whether a tenant may have more. What it has it may always replace by less, and one that has
   * nothing waiting is not limited.
   *
   * @param freeEntries how many entries are free now
   * @param freeBytes how many bytes are
   */
  boolean allows(
      @Nullable String tenant, int entries, long bytes, int freeEntries, long freeBytes) {
    Share share = tenant == null ? null : byTenant.get(tenant);
    return share == null
        || ((entries <= 0 || share.entries + entries <= TIMES_WHAT_IS_FREE * (long) freeEntries)
            && (bytes <= 0 || (share.bytes + bytes) / TIMES_WHAT_IS_FREE <= freeBytes));
  }
}
