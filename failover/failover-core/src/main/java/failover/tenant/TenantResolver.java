package failover.tenant;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Tells for which tenant a call is made. It is asked once for each call, on the thread that makes
 * the call and on no other. Safe for use by many threads.
 */
@FunctionalInterface
public interface TenantResolver {

  /** The id of the tenant of the current thread, or null if there is none. */
  @Nullable String resolve();

  /** The same tenant for every call. */
  static TenantResolver fixed(String tenant) {
    Objects.requireNonNull(tenant, "tenant");
    return () -> tenant;
  }
}
