package tracer.spring;

import static java.lang.System.Logger.Level.WARNING;

import holdfast.log.LibraryLogger;
import holdfast.problems.Problems;
import io.micrometer.observation.Observation;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;
import tracer.TraceEvent;

/**
 * The kinds of events that observations are, by name. Names of events are never forgotten, so there
 * is a limit to how many observations may have. Safe for use by many threads.
 */
final class ObservationKinds {
  static final String OTHER = "observation.other";

  private static final System.Logger LOG = LibraryLogger.of("tracer");

  private final int most;
  private final ObservationKind other = ObservationKind.withoutValues(TraceEvent.named(OTHER));
  private final ConcurrentMap<String, ObservationKind> known = new ConcurrentHashMap<>();
  private final AtomicInteger names = new AtomicInteger();
  private final AtomicBoolean warned = new AtomicBoolean();
  private final LongAdder others = new LongAdder();

  ObservationKinds(int most) {
    new Problems("ObservationSpans")
        .require(most >= 1, "mostNames", "be 1 or more", most)
        .throwIfAny();
    this.most = most;
  }

  /** The kind of an observation. */
  ObservationKind of(Observation.Context context) {
    return of(context.getName(), context);
  }

  /** The kind of a moment in an observation. */
  TraceEvent of(Observation.Event event) {
    return of(event.getName(), null).event();
  }

  private ObservationKind of(@Nullable String name, Observation.@Nullable Context context) {
    ObservationKind kind = name == null ? null : known.get(name);
    if (kind == null && name != null && !name.isBlank()) {
      kind = added(name, context);
    }
    if (kind == null) {
      others.increment();
      return other;
    }
    return kind;
  }

  private @Nullable ObservationKind added(String name, Observation.@Nullable Context context) {
    if (name.length() > TraceEvent.LONGEST_NAME) {
      refuse(name, "it has more than " + TraceEvent.LONGEST_NAME + " characters");
      return null;
    }
    if (names.incrementAndGet() > most) {
      names.decrementAndGet();
      refuse(name, "there are " + most + " others; raise tracer.observations.max-names");
      return null;
    }
    ObservationKind made = made(name, context);
    ObservationKind before = made == null ? null : known.putIfAbsent(name, made);
    if (made == null || before != null) {
      names.decrementAndGet();
    }
    return before == null ? made : before;
  }

  private @Nullable ObservationKind made(String name, Observation.@Nullable Context context) {
    TraceEvent event;
    try {
      event = TraceEvent.named(name);
    } catch (IllegalStateException e) {
      refuse(name, String.valueOf(e.getMessage()));
      return null;
    }
    try {
      return context == null
          ? ObservationKind.withoutValues(event)
          : ObservationKind.of(event, context);
    } catch (IllegalStateException | IllegalArgumentException e) {
      LOG.log(WARNING, "tracer records observations of a name without values: " + e.getMessage());
      return ObservationKind.withoutValues(event);
    }
  }

  private void refuse(String name, String why) {
    if (warned.compareAndSet(false, true)) {
      LOG.log(
          WARNING,
          "tracer records observation '%s' and further ones as '%s': %s, or give observations few names"
              .formatted(name, OTHER, why));
    }
  }

  /** How many observations were not recorded under their own name. */
  long others() {
    return others.sum();
  }
}
