package outbox.spi;

import org.jspecify.annotations.Nullable;

/** The trace a publication belongs to, so that its delivery can belong to it as well. */
@FunctionalInterface
public interface TraceContext {
  /** The header that carries it to the listeners: {@value}. */
  String HEADER = "traceparent";

  /** No trace. */
  TraceContext NONE = () -> null;

  /** The calling thread's trace in the W3C form; null outside of any. */
  @Nullable String traceparent();
}
