package failover.tenant;

import failover.store.FailoverStoreException;
import holdfast.log.LibraryLogger;
import java.lang.System.Logger.Level;
import java.util.Collection;
import java.util.Collections;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Which tenants there are, and for which one a call is made. Safe for use by many threads.
 *
 * <p>A call without a tenant is one of the {@linkplain #withDefault default} tenant; where there is
 * none it passes unprotected. Without {@link #known} every tenant counts as known.
 */
public final class Tenants {
  /** The longest id of a tenant: {@value}. */
  public static final int LONGEST_ID = 100;

  /** How many unknown tenants are logged one by one. */
  private static final int MOST_LOGGED = 1_000;

  private static final Pattern ID = Pattern.compile("[^\\p{Cntrl}]{1," + LONGEST_ID + "}");
  private static final System.Logger LOGGER = LibraryLogger.of("failover");

  private final TenantResolver resolver;
  private final @Nullable String defaultTenant;
  private final @Nullable Set<String> known; // null if all are
  private final boolean strict;
  private final Set<String> logged = ConcurrentHashMap.newKeySet(); // unknown ones, bounded

  private Tenants(
      TenantResolver resolver,
      @Nullable String defaultTenant,
      @Nullable Set<String> known,
      boolean strict) {
    this.resolver = resolver;
    this.defaultTenant = defaultTenant;
    this.known = known;
    this.strict = strict;
  }

  /** Tenants of which a resolver tells the one of each call. */
  public static Tenants of(TenantResolver resolver) {
    return new Tenants(Objects.requireNonNull(resolver, "resolver"), null, null, false);
  }

  /**
   * The same, and calls without a tenant are for that one. It is always known.
   *
   * @throws IllegalArgumentException if it is no valid id
   */
  public Tenants withDefault(String tenant) {
    return new Tenants(resolver, requireId(tenant), known, strict);
  }

  /**
   * The same, but others than these are unknown: they share one store, in which they are told
   * apart, and each is warned of once.
   *
   * @throws IllegalArgumentException if one of them is no valid id
   */
  public Tenants known(Collection<String> tenants) {
    Set<String> ids = new TreeSet<>();
    tenants.forEach(tenant -> ids.add(requireId(tenant)));
    return new Tenants(resolver, defaultTenant, Collections.unmodifiableSet(ids), strict);
  }

  /** The same, but calls of unknown tenants pass unprotected. */
  public Tenants strict() {
    return new Tenants(resolver, defaultTenant, known, true);
  }

  private static String requireId(String tenant) {
    String problem = problem(tenant);
    if (problem != null) {
      throw new IllegalArgumentException(problem);
    }
    return tenant;
  }

  private static @Nullable String problem(String tenant) {
    if (ID.matcher(tenant).matches()
        && !tenant.isBlank()
        && !tenant.equals(TenantStoreFactory.SINGLE)) {
      return null;
    }
    return "the id of a tenant must have 1 to %d characters, no control characters, not only blanks, and not be '%s' but had %d characters"
        .formatted(LONGEST_ID, TenantStoreFactory.SINGLE, tenant.length());
  }

  /**
   * Returns the tenant of the current thread.
   *
   * @throws FailoverStoreException if there is none and no default, if it is no valid id, or if it
   *     is unknown and unknown ones are refused
   */
  public String current() {
    String resolved = resolver.resolve();
    String tenant = resolved == null ? defaultTenant : resolved;
    if (tenant == null) {
      throw new FailoverStoreException(
          "a call has no tenant and there is no default one; set the tenant with"
              + " TenantContext.open, have the TenantResolver return it, or set a default tenant",
          null);
    }
    return checked(tenant);
  }

  /**
   * Checks a tenant as that of a call is checked.
   *
   * @throws FailoverStoreException if it is no valid id, or unknown and unknown ones are refused
   */
  public String checked(String tenant) {
    if (isKnown(tenant)) {
      return tenant;
    }
    String problem = problem(tenant);
    if (problem != null) {
      throw new FailoverStoreException(problem, null);
    }
    if (known != null && strict) {
      throw new FailoverStoreException(
          "the tenant '%s' is unknown, and unknown tenants are refused; configure it, or do not be strict"
              .formatted(tenant),
          null);
    }
    if (known != null) {
      warnOnce(tenant);
    }
    return tenant;
  }

  private void warnOnce(String tenant) {
    if (logged.size() < MOST_LOGGED && logged.add(tenant)) {
      LOGGER.log(
          Level.WARNING,
          "failover tenant is unknown, its answers are kept with those of other unknown ones,"
              + " configure it or be strict tenant="
              + tenant
              + (logged.size() < MOST_LOGGED ? "" : "; further ones are not logged"));
    }
  }

  /** Whether a tenant is the default one or among those that are known. */
  public boolean isKnown(String tenant) {
    return tenant.equals(defaultTenant) || (known != null && known.contains(tenant));
  }

  /** Whether a tenant is one of those that others than the known ones share a store with. */
  boolean isStranger(String tenant) {
    return known != null && !isKnown(tenant);
  }

  /** Whether there may be tenants that are not known but kept. */
  boolean hasStrangers() {
    return known != null && !strict;
  }

  /** The tenant of calls that have none; empty if there is none. */
  public Optional<String> defaultTenant() {
    return Optional.ofNullable(defaultTenant);
  }

  /** The tenants that are known from the start, the default one included. */
  public Set<String> known() {
    Set<String> all = known == null ? new TreeSet<>() : new TreeSet<>(known);
    defaultTenant().ifPresent(all::add);
    return Collections.unmodifiableSet(all);
  }
}
