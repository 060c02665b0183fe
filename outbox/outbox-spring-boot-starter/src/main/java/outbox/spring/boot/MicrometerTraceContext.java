package outbox.spring.boot;

import io.micrometer.tracing.Span;
import io.micrometer.tracing.Tracer;
import org.jspecify.annotations.Nullable;
import outbox.spi.TraceContext;

/** The trace Micrometer has for the calling thread. Safe for use by many threads. */
final class MicrometerTraceContext implements TraceContext {
  private static final int TRACE_ID_LENGTH = 32;
  private static final int SPAN_ID_LENGTH = 16;

  private final Tracer tracer;

  MicrometerTraceContext(Tracer tracer) {
    this.tracer = tracer;
  }

  @Override
  public @Nullable String traceparent() {
    Span span = tracer.currentSpan();
    if (span == null || span.isNoop()) {
      return null;
    }
    String traceId = span.context().traceId();
    String spanId = span.context().spanId();
    if (traceId.isEmpty() || traceId.length() > TRACE_ID_LENGTH) {
      return null;
    }
    if (spanId.length() != SPAN_ID_LENGTH) {
      return null;
    }
    // Some tracers have trace ids of half the length; the standard fills them with zeros.
    String padded = "0".repeat(TRACE_ID_LENGTH - traceId.length()) + traceId;
    boolean sampled = Boolean.TRUE.equals(span.context().sampled());
    return "00-" + padded + "-" + spanId + (sampled ? "-01" : "-00");
  }
}
