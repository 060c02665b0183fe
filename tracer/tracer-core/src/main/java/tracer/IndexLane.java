package tracer;

import tracer.lane.Recording;
import tracer.ring.RecordFormat;

/**
 * Records moments, spans and counters: a kind and up to four values, without waiting and, on
 * threads that have rings of their own, without allocating. Safe for use by many threads.
 *
 * <p>Values are numbers; what they are may be declared with the {@link TraceEvent}. {@link
 * TraceValue} makes them of doubles, booleans and strings.
 */
public final class IndexLane {
  private final Recording recording;
  private final EventFilter filter;

  IndexLane(Recording recording, EventFilter filter) {
    this.recording = recording;
    this.filter = filter;
  }

  /**
   * Returns whether events of that kind are recorded; worth a look before values are made that cost
   * something.
   */
  public boolean records(TraceEvent event) {
    return !filter.excludes(event);
  }

  /** Records an event without values. */
  public void record(TraceEvent event) {
    if (!filter.excludes(event)) {
      recording.none(event.id());
    }
  }

  /** Records an event with one value. */
  public void record(TraceEvent event, long a) {
    if (!filter.excludes(event)) {
      recording.one(RecordFormat.INSTANT, event.id(), a);
    }
  }

  /** Records an event with two values. */
  public void record(TraceEvent event, long a, long b) {
    if (!filter.excludes(event)) {
      recording.two(event.id(), a, b);
    }
  }

  /** Records an event with three values. */
  public void record(TraceEvent event, long a, long b, long c) {
    if (!filter.excludes(event)) {
      recording.three(event.id(), a, b, c);
    }
  }

  /** Records an event with four values. */
  public void record(TraceEvent event, long a, long b, long c, long d) {
    if (!filter.excludes(event)) {
      recording.four(event.id(), a, b, c, d);
    }
  }

  /**
   * Begins a span of this thread.
   *
   * @return what ends it, for a try statement; does nothing if the kind is excluded at this moment
   */
  public TraceSpan span(TraceEvent event) {
    return filter.excludes(event) ? NoSpan.INSTANCE : recording.span(event.id());
  }

  /** Begins a span of this thread with one value; see {@link #span(TraceEvent)}. */
  public TraceSpan span(TraceEvent event, long a) {
    return filter.excludes(event) ? NoSpan.INSTANCE : recording.span(event.id(), a);
  }

  /** Begins a span of this thread with two values; see {@link #span(TraceEvent)}. */
  public TraceSpan span(TraceEvent event, long a, long b) {
    return filter.excludes(event) ? NoSpan.INSTANCE : recording.span(event.id(), a, b);
  }

  /** Begins a span of this thread with three values; see {@link #span(TraceEvent)}. */
  public TraceSpan span(TraceEvent event, long a, long b, long c) {
    return filter.excludes(event) ? NoSpan.INSTANCE : recording.span(event.id(), a, b, c);
  }

  /** Begins a span of this thread with four values; see {@link #span(TraceEvent)}. */
  public TraceSpan span(TraceEvent event, long a, long b, long c, long d) {
    return filter.excludes(event) ? NoSpan.INSTANCE : recording.span(event.id(), a, b, c, d);
  }

  /**
   * Begins a span of this thread that {@link #end} ends, where a try statement cannot be used.
   * Threads that share rings keep a list of such spans, 16,384 threads at most; a span beyond that
   * is not recorded.
   */
  public void begin(TraceEvent event) {
    begin(event, 0, 0, 0, 0, 0);
  }

  /** Begins a span with one value; see {@link #begin(TraceEvent)}. */
  public void begin(TraceEvent event, long a) {
    begin(event, 1, a, 0, 0, 0);
  }

  /** Begins a span with two values; see {@link #begin(TraceEvent)}. */
  public void begin(TraceEvent event, long a, long b) {
    begin(event, 2, a, b, 0, 0);
  }

  /** Begins a span with three values; see {@link #begin(TraceEvent)}. */
  public void begin(TraceEvent event, long a, long b, long c) {
    begin(event, 3, a, b, c, 0);
  }

  /** Begins a span with four values; see {@link #begin(TraceEvent)}. */
  public void begin(TraceEvent event, long a, long b, long c, long d) {
    begin(event, 4, a, b, c, d);
  }

  private void begin(TraceEvent event, int values, long a, long b, long c, long d) {
    if (!filter.excludes(event)) {
      recording.begin(event.id(), values, a, b, c, d);
    }
  }

  /**
   * Ends the innermost open span of that kind of this thread, and those that were begun in it. Does
   * nothing if there is none, as when it was begun while its kind was excluded.
   */
  public void end(TraceEvent event) {
    if (!filter.excludes(event) || recording.mayBeOpen(event.id())) {
      recording.end(event.id());
    }
  }

  /**
   * Begins a span that may end on another thread.
   *
   * @param id the same for the begin and the end, as the id of a request
   */
  public void beginAsync(TraceEvent event, long id) {
    beginAsync(event, id, 0, 0, 0, 0, 0);
  }

  /** Begins an asynchronous span with one value; see {@link #beginAsync(TraceEvent, long)}. */
  public void beginAsync(TraceEvent event, long id, long a) {
    beginAsync(event, id, 1, a, 0, 0, 0);
  }

  /** Begins an asynchronous span with two values; see {@link #beginAsync(TraceEvent, long)}. */
  public void beginAsync(TraceEvent event, long id, long a, long b) {
    beginAsync(event, id, 2, a, b, 0, 0);
  }

  /** Begins an asynchronous span with three values; see {@link #beginAsync(TraceEvent, long)}. */
  public void beginAsync(TraceEvent event, long id, long a, long b, long c) {
    beginAsync(event, id, 3, a, b, c, 0);
  }

  /** Begins an asynchronous span with four values; see {@link #beginAsync(TraceEvent, long)}. */
  public void beginAsync(TraceEvent event, long id, long a, long b, long c, long d) {
    beginAsync(event, id, 4, a, b, c, d);
  }

  private void beginAsync(TraceEvent event, long id, int values, long a, long b, long c, long d) {
    if (!filter.excludes(event)) {
      recording.beginAsync(event.id(), id, values, a, b, c, d);
    }
  }

  /**
   * Ends the span of that kind and id, on any thread. Does nothing if it was not begun, as when its
   * kind was excluded then.
   */
  public void endAsync(TraceEvent event, long id) {
    if (!filter.excludes(event) || recording.mayBeOpen(event.id())) {
      recording.endAsync(event.id(), id);
    }
  }

  /** Returns the moment on the tracer's clock, for spans that are recorded when they are over. */
  public long now() {
    return recording.now();
  }

  /**
   * Records a span of this thread that is over, with its values. Nothing is seen of it before, as
   * nothing is of a span that never ends. The spans of a thread must lie in each other, these among
   * them.
   *
   * @param began what {@link #now()} returned at its begin
   * @param ended what {@link #now()} returned at its end
   * @param values up to four
   * @throws IllegalArgumentException if there are more
   */
  public void recordSpan(TraceEvent event, long began, long ended, long... values) {
    requireFew(event, values);
    if (!filter.excludes(event)) {
      recording.ended(event.id(), began, ended, values);
    }
  }

  /**
   * Records a span that is over and may overlap others, or has begun on another thread; see {@link
   * #recordSpan}.
   *
   * @param id one that no other span of that kind has
   */
  public void recordAsync(TraceEvent event, long id, long began, long ended, long... values) {
    requireFew(event, values);
    if (!filter.excludes(event)) {
      recording.endedAsync(event.id(), id, began, ended, values);
    }
  }

  private static void requireFew(TraceEvent event, long... values) {
    if (values.length > RecordFormat.MOST_VALUES) {
      throw new IllegalArgumentException(
          "a span must have no more than %d values but '%s' has %d; put them into an event of its own"
              .formatted(RecordFormat.MOST_VALUES, event, values.length));
    }
  }

  /**
   * Records a moment through which a flow passes: a viewer draws an arrow from where it was before.
   * A span is connected with {@link TraceSpan#flow}.
   *
   * @param id the same for all that belongs together; nothing else must have it
   */
  public void flow(TraceEvent event, long id) {
    if (!filter.excludes(event)) {
      recording.one(RecordFormat.FLOW, event.id(), id);
    }
  }

  /** Records the moment in which a flow ends; see {@link #flow}. */
  public void endFlow(TraceEvent event, long id) {
    if (!filter.excludes(event)) {
      recording.one(RecordFormat.FLOW_END, event.id(), id);
    }
  }

  /** Records the value that a counter has from now on. */
  public void counter(TraceEvent event, long value) {
    if (!filter.excludes(event)) {
      recording.counter(event.id(), value, false);
    }
  }

  /** Records the value that a counter has from now on. */
  public void counter(TraceEvent event, double value) {
    if (!filter.excludes(event)) {
      recording.counter(event.id(), Double.doubleToRawLongBits(value), true);
    }
  }

  /** A span of an excluded kind. */
  private static final class NoSpan implements TraceSpan {
    static final NoSpan INSTANCE = new NoSpan();

    @Override
    public TraceSpan flow(long id) {
      return this;
    }

    @Override
    public TraceSpan endFlow(long id) {
      return this;
    }

    @Override
    public void close() {
      // nothing was begun
    }
  }
}
