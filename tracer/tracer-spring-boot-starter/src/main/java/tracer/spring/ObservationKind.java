package tracer.spring;

import io.micrometer.common.KeyValue;
import io.micrometer.observation.Observation;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import tracer.ArgumentType;
import tracer.TraceEvent;
import tracer.TraceValue;

/**
 * The kind of event that the observations of a name are, and the keys whose values it has.
 * Immutable.
 *
 * @param event the kind of event
 * @param keys the keys, in the order of the values
 * @param hasError whether the class of an exception is the value after them
 */
record ObservationKind(TraceEvent event, List<String> keys, boolean hasError) {
  private static final String ERROR = "error";

  /** An event has four values, and one is for the exception. */
  private static final int MOST_KEYS = 3;

  /** What repeats the exception or the status. */
  private static final Set<String> REPEATING = Set.of(ERROR, "exception", "outcome");

  static ObservationKind withoutValues(TraceEvent event) {
    return new ObservationKind(event, List.of(), false);
  }

  /**
   * The kind of an observation, declared with the keys that this one has.
   *
   * @throws IllegalStateException if the event was declared with other values
   * @throws IllegalArgumentException if a key is too long for the name of a value
   */
  static ObservationKind of(TraceEvent named, Observation.Context context) {
    List<String> keys = new ArrayList<>();
    TraceEvent event = named;
    for (KeyValue value : context.getLowCardinalityKeyValues()) {
      if (keys.size() < MOST_KEYS && !REPEATING.contains(value.getKey())) {
        event = event.arg(value.getKey(), ArgumentType.INTERNED_STRING);
        keys.add(value.getKey());
      }
    }
    return new ObservationKind(
        event.arg(ERROR, ArgumentType.INTERNED_STRING), List.copyOf(keys), true);
  }

  /** The values of an observation that has stopped. */
  long[] values(Observation.Context context) {
    Throwable error = hasError ? context.getError() : null;
    long[] values = new long[keys.size() + (error == null ? 0 : 1)];
    for (int i = 0; i < keys.size(); i++) {
      KeyValue value = context.getLowCardinalityKeyValue(keys.get(i));
      values[i] = TraceValue.of(value == null ? KeyValue.NONE_VALUE : value.getValue());
    }
    if (error != null) {
      values[keys.size()] = TraceValue.of(error.getClass().getName());
    }
    return values;
  }
}
