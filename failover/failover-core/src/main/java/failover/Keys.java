package failover;

import failover.key.StoreKey;
import failover.key.StoredName;
import failover.key.canonical.CanonicalKeys;
import failover.key.canonical.UnkeyableArgumentException;
import failover.observe.internal.PointStatistics.Count;
import failover.store.FailoverStoreException;
import failover.tenant.Tenants;
import holdfast.log.LibraryLogger;
import java.lang.System.Logger.Level;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** The keys of calls. Safe for use by many threads. */
final class Keys {
  private static final System.Logger LOGGER = LibraryLogger.of("failover");

  private final Points points;
  private final @Nullable Tenants tenants; // null if there are none
  private final Set<String> logged = ConcurrentHashMap.newKeySet();

  Keys(Points points, @Nullable Tenants tenants) {
    this.points = points;
    this.tenants = tenants;
  }

  /**
   * Under which name the current thread keeps answers.
   *
   * @throws FailoverStoreException if there are tenants and it has none
   */
  String storedName(String effectiveName) {
    return tenants == null ? effectiveName : StoredName.text(tenants.current(), effectiveName);
  }

  /**
   * Under which name a tenant keeps answers.
   *
   * @throws FailoverStoreException if it is unknown, and unknown ones are refused
   * @throws IllegalStateException if there are no tenants
   */
  String storedName(String tenant, String effectiveName) {
    if (tenants == null) {
      throw new IllegalStateException(
          "there are no tenants; set them with FailoversBuilder.tenants");
    }
    return StoredName.text(tenants.checked(tenant), effectiveName);
  }

  /** The name for a call; null if it has no tenant: then it passes unprotected, as is said once. */
  @Nullable String storedName(FailoverSpec<?> spec) {
    if (tenants == null) {
      return spec.effectiveName();
    }
    try {
      return storedName(spec.effectiveName());
    } catch (RuntimeException | Error e) {
      throwIfBroken(e);
      unprotected(spec, e, FailoverStoreException.reason(e));
      return null;
    }
  }

  /**
   * Null if an argument allows no key: then the call passes unprotected, as is said once. Where
   * answers are split, the key of a call only tells it from others: slices have keys of their own.
   * Null also without a stored name.
   */
  @Nullable StoreKey of(
      FailoverSpec<?> spec, List<? extends @Nullable Object> args, @Nullable String storedName) {
    if (storedName == null) {
      return null;
    }
    try {
      return spec.keyGenerator().isPresent() && !isSplit(spec)
          ? CanonicalKeys.ofText(storedName, spec.keyGenerator().get().key(spec, args))
          : CanonicalKeys.of(storedName, args);
    } catch (UnkeyableArgumentException | RuntimeException | Error e) {
      throwIfBroken(e);
      if (!isSplit(spec)) {
        unprotected(spec, e, "");
      }
      return null;
    }
  }

  private static void throwIfBroken(Throwable e) {
    if (e instanceof VirtualMachineError broken && !(e instanceof StackOverflowError)) {
      throw broken; // out of memory: it says nothing about the arguments
    }
  }

  private void unprotected(FailoverSpec<?> spec, Throwable why, String reason) {
    points.statistics(spec).count(Count.UNKEYABLE);
    if (logged.add(spec.name())) {
      LOGGER.log(
          Level.WARNING,
          "failover calls pass unprotected name="
              + spec.name()
              + " cause="
              + (why instanceof UnkeyableArgumentException ? why : why.getClass().getName())
              + reason);
      LOGGER.log(Level.DEBUG, "failover key could not be made name=" + spec.name(), why);
    }
  }

  private static boolean isSplit(FailoverSpec<?> spec) {
    return spec.payloadSplitter().isPresent();
  }
}
