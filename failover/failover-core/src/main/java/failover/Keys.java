package failover;

import failover.key.CanonicalKeys;
import failover.key.StoreKey;
import failover.key.UnkeyableArgumentException;
import failover.observe.PointStatistics.Count;
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
  private final Set<String> logged = ConcurrentHashMap.newKeySet();

  Keys(Points points) {
    this.points = points;
  }

  /** Null if an argument allows no key: then the call passes unprotected, as is said once. */
  @Nullable StoreKey of(FailoverSpec<?> spec, List<? extends @Nullable Object> args) {
    try {
      return spec.keyGenerator().isPresent()
          ? CanonicalKeys.ofText(spec.effectiveName(), spec.keyGenerator().get().key(spec, args))
          : CanonicalKeys.of(spec.effectiveName(), args);
    } catch (UnkeyableArgumentException | RuntimeException | Error e) {
      points.statistics(spec.name()).count(Count.UNKEYABLE);
      if (logged.add(spec.name())) {
        LOGGER.log(
            Level.WARNING,
            "failover calls pass unprotected name="
                + spec.name()
                + " cause="
                + e.getClass().getName()
                + ": "
                + e.getMessage());
      }
      return null;
    }
  }
}
