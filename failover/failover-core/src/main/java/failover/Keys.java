package failover;

import failover.key.StoreKey;
import failover.key.canonical.CanonicalKeys;
import failover.key.canonical.UnkeyableArgumentException;
import failover.observe.internal.PointStatistics.Count;
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

  /**
   * Null if an argument allows no key: then the call passes unprotected, as is said once. Where
   * answers are split, the key of a call only tells it from others: slices have keys of their own.
   */
  @Nullable StoreKey of(FailoverSpec<?> spec, List<? extends @Nullable Object> args) {
    try {
      return spec.keyGenerator().isPresent() && !isSplit(spec)
          ? CanonicalKeys.ofText(spec.effectiveName(), spec.keyGenerator().get().key(spec, args))
          : CanonicalKeys.of(spec.effectiveName(), args);
    } catch (UnkeyableArgumentException | RuntimeException | Error e) {
      if (e instanceof VirtualMachineError broken && !(e instanceof StackOverflowError)) {
        throw broken; // out of memory: it says nothing about the arguments
      }
      if (isSplit(spec)) {
        return null;
      }
      points.statistics(spec).count(Count.UNKEYABLE);
      if (logged.add(spec.name())) {
        LOGGER.log(
            Level.WARNING,
            "failover calls pass unprotected name="
                + spec.name()
                + " cause="
                + (e instanceof UnkeyableArgumentException ? e : e.getClass().getName()));
        LOGGER.log(Level.DEBUG, "failover key could not be made name=" + spec.name(), e);
      }
      return null;
    }
  }

  private static boolean isSplit(FailoverSpec<?> spec) {
    return spec.payloadSplitter().isPresent();
  }
}
