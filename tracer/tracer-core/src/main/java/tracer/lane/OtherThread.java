package tracer.lane;

import tracer.TraceEvent;
import tracer.ring.RecordFormat;

/** Refuses a span that another thread has begun. Stateless. */
final class OtherThread {
  private OtherThread() {}

  /** The refusal, which says what to do. */
  static IllegalStateException refused(long header, String owner) {
    return new IllegalStateException(
        "span '%s' must be used by the thread that began it, '%s', but was by '%s'; for what ends on another thread use beginAsync(event, id) and endAsync(event, id)"
            .formatted(
                TraceEvent.withId(RecordFormat.event(header)).name(),
                owner,
                Thread.currentThread().getName()));
  }
}
