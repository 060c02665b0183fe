package failover;

import failover.FailoverException.SourceDrillException;
import holdfast.log.LibraryLogger;
import java.lang.System.Logger.Level;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;

/** The points whose sources are taken to be down. Safe for use by many threads. */
final class Drills {
  private static final System.Logger LOGGER = LibraryLogger.of("failover");

  private final Set<String> names = ConcurrentHashMap.newKeySet();

  void set(String name, boolean on) {
    if (on ? names.add(name) : names.remove(name)) {
      LOGGER.log(Level.WARNING, "failover drill {0} name={1}", on ? "begins" : "is over", name);
    }
  }

  Set<String> names() {
    return new TreeSet<>(names);
  }

  /** The source, or one that fails while there is a drill. */
  <T> Source<T, ?> of(FailoverSpec<?> spec, Source<T, ?> source) {
    if (names.isEmpty() || !names.contains(spec.name())) {
      return source;
    }
    return () -> {
      throw new SourceDrillException(spec.name());
    };
  }
}
