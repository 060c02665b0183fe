package tracer.lane;

import java.time.Duration;
import java.util.Arrays;
import java.util.Map;
import tracer.TraceEvent;

/** Notices spans that took longer than their kind may. Safe for use by many threads. */
public final class SlowSpans {
  /** No kind has a limit. */
  public static final SlowSpans NONE = new SlowSpans(Map.of(), (event, nanos) -> {});

  private final long[] limits; // by the number of the event; the end of a span looks at this alone
  private final Listener listener;

  /** Is told on the thread that ended the span. */
  @FunctionalInterface
  public interface Listener {

    /**
     * A span took too long.
     *
     * @param event its kind
     * @param nanos how long it took
     */
    void slow(TraceEvent event, long nanos);
  }

  /**
   * Limits of kinds.
   *
   * @param limits how long spans may take
   * @param listener is told of those that took longer
   */
  public SlowSpans(Map<TraceEvent, Duration> limits, Listener listener) {
    int most = limits.keySet().stream().mapToInt(TraceEvent::id).max().orElse(-1);
    this.limits = new long[most + 1];
    Arrays.fill(this.limits, Long.MAX_VALUE);
    limits.forEach((event, limit) -> this.limits[event.id()] = limit.toNanos());
    this.listener = listener;
  }

  /** Compares a span that has ended with its limit. */
  void ended(int event, long nanos) {
    if (event < limits.length && nanos > limits[event]) {
      listener.slow(TraceEvent.withId(event), nanos);
    }
  }
}
