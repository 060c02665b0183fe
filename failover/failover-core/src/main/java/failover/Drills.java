package failover;

import failover.FailoverException.SourceDrillException;
import holdfast.lifecycle.Deadline;
import holdfast.log.LibraryLogger;
import holdfast.problems.Problems;
import holdfast.time.TimeSource;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** The points whose sources are taken to be down. Safe for use by many threads. */
final class Drills {
  private static final System.Logger LOGGER = LibraryLogger.of("failover");
  private static final Duration LONGEST = Duration.ofDays(365);

  private final Map<String, Drill> drills = new ConcurrentHashMap<>();
  private final TimeSource time;

  Drills(TimeSource time) {
    this.time = time;
  }

  /** A drill that is over when it is ended, or at an end of its own. */
  private record Drill(@Nullable End end) {
    boolean isOver() {
      return end != null && end.deadline.isOver();
    }
  }

  /** The end of a drill: as it is shown, and as it is measured, whatever is done to the clock. */
  private record End(Instant at, Deadline deadline) {}

  void set(String name, boolean on) {
    if (on) {
      begin(name, new Drill(null), "");
    } else {
      Drill ended = drills.remove(name);
      if (ended != null) {
        logOver(name);
      }
    }
  }

  void begin(String name, Duration duration) {
    new Problems("drill")
        .requirePositive("duration", duration)
        .require(duration.compareTo(LONGEST) <= 0, "duration", "be 365 days or less", duration)
        .throwIfAny();
    Instant at = time.instant().plus(duration);
    begin(name, new Drill(new End(at, Deadline.after(duration, time))), " until=" + at);
  }

  private void begin(String name, Drill drill, String until) {
    if (!drill.equals(drills.put(name, drill))) {
      LOGGER.log(Level.WARNING, "failover drill begins name={0}{1}", name, until);
    }
  }

  private static void logOver(String name) {
    LOGGER.log(Level.WARNING, "failover drill is over name={0}", name);
  }

  /** The drill of a point; null if there is none any more. */
  private @Nullable Drill of(String name) {
    Drill drill = drills.get(name);
    if (drill == null || !drill.isOver()) {
      return drill;
    }
    if (drills.remove(name, drill)) { // one of all threads that see its end
      logOver(name);
    }
    return null;
  }

  Set<String> names() {
    Set<String> names = new TreeSet<>(drills.keySet());
    names.removeIf(name -> of(name) == null);
    return names;
  }

  Optional<Instant> end(String name) {
    return Optional.ofNullable(of(name)).map(Drill::end).map(End::at);
  }

  /** The source, or one that fails while there is a drill. */
  <T> Source<T, ?> of(FailoverSpec<?> spec, Source<T, ?> source) {
    if (drills.isEmpty() || of(spec.name()) == null) {
      return source;
    }
    return () -> {
      throw new SourceDrillException(spec.name());
    };
  }
}
