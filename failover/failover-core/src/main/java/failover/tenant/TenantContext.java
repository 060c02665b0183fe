package failover.tenant;

import failover.execution.ContextPropagator;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The tenant of the current thread, set by the application, for example in a filter of requests.
 * Safe for use by many threads.
 *
 * <pre>{@code
 * try (TenantContext.Scope scope = TenantContext.open("acme")) {
 *   prices.find("sku-1"); // kept for acme
 * }
 * }</pre>
 */
public final class TenantContext {
  private static final ThreadLocal<@Nullable String> CURRENT = new ThreadLocal<>();

  private TenantContext() {}

  /** The tenant of the current thread, or null if there is none. */
  public static @Nullable String current() {
    return CURRENT.get();
  }

  /**
   * Sets the tenant of the current thread until the scope is closed.
   *
   * @param tenant the id
   * @return puts back what was there before, when it is closed on the same thread
   */
  public static Scope open(String tenant) {
    return put(Objects.requireNonNull(tenant, "tenant"));
  }

  /** Sets that the current thread has no tenant, until the scope is closed. */
  public static Scope none() {
    return put(null);
  }

  private static Scope put(@Nullable String tenant) {
    String before = CURRENT.get();
    set(tenant);
    return () -> set(before);
  }

  private static void set(@Nullable String tenant) {
    if (tenant == null) {
      CURRENT.remove();
    } else {
      CURRENT.set(tenant);
    }
  }

  /** Asks for the tenant of the current thread. */
  public static TenantResolver resolver() {
    return TenantContext::current;
  }

  /** Carries the tenant, also that there is none, to the threads on which calls go on. */
  public static ContextPropagator propagator() {
    return task -> {
      String tenant = current();
      return () -> {
        Scope scope = put(tenant);
        try {
          task.run();
        } finally {
          scope.close();
        }
      };
    };
  }

  /** For how long a thread has a tenant. */
  @FunctionalInterface
  public interface Scope extends AutoCloseable {

    /** Puts back what the thread had before. */
    @Override
    void close();
  }
}
