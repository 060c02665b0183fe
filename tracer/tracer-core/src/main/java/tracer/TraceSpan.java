package tracer;

/**
 * A span of the current thread: what it does between the begin of the span and {@link #close()}.
 *
 * <pre>{@code
 * try (TraceSpan span = tracer.index().span(CHECKOUT, orderId)) {
 *   ...
 * }
 * }</pre>
 *
 * <p>Spans of a thread lie in each other: closing one closes those that were begun in it and are
 * still open. The objects are used again, by later spans of the thread, so a span must not be kept
 * after it was closed. Closing it twice in the block that began it does nothing. For the thread
 * that began it alone; for what ends on another thread there is {@link IndexLane#beginAsync}.
 */
public interface TraceSpan extends AutoCloseable {

  /**
   * Connects this span with the one before that was given the same id, on whatever thread or in
   * whatever process: a viewer draws an arrow. Called directly after the begin, within 10 µs, it
   * connects the begin; later that moment.
   *
   * @param id the same for all that belongs together, as the id of a message; nothing else must
   *     have it
   * @return this span
   * @throws IllegalStateException if another thread has begun the span
   */
  TraceSpan flow(long id);

  /**
   * As {@link #flow}, for the last span of a flow: its id can be used again for another.
   *
   * @param id that of the flow
   * @return this span
   * @throws IllegalStateException if another thread has begun the span
   */
  TraceSpan endFlow(long id);

  /**
   * Ends the span. Does nothing if it has ended.
   *
   * @throws IllegalStateException if another thread has begun the span, which stays open
   */
  @Override
  void close();
}
