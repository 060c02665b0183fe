package tracer.lane;

import holdfast.time.TimeSource;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tracer.TraceEvent;
import tracer.TraceSpan;
import tracer.ring.RecordFormat;

/**
 * Records events with values: with the writers of the current thread, or with those it shares. Safe
 * for use by many threads.
 */
public final class Recording {
  private final Producers producers;
  private final Stripes shared;
  private final TimeSource time;
  private final SharedSpans begun;
  private final OpenAsync async = new OpenAsync();

  // By the number of an event: whether spans of it were begun that end by their kind.
  private final boolean[] wasBegun = new boolean[TraceEvent.MOST_NAMES + 1];

  /** A way to those writers. */
  public Recording(Producers producers, TimeSource time) {
    this(producers, time, new SharedSpans());
  }

  /** A way to those writers that keeps spans of threads that share them there. */
  Recording(Producers producers, TimeSource time, SharedSpans begun) {
    this.begun = begun;
    this.producers = producers;
    this.shared = producers.shared();
    this.time = time;
  }

  /** Records an event without values. */
  public void none(int event) {
    Thread thread = Thread.currentThread();
    long header = RecordFormat.header(RecordFormat.INSTANT, event, thread.getId());
    Producer producer = producers.of(thread);
    if (producer != null) {
      producer.index().none(header, time.nanoTime());
    } else {
      shared.numbers(thread, header, time, 0, 0, 0, 0, 0, 0);
    }
  }

  /**
   * Records an event with one number.
   *
   * @param kind its phase and one number
   */
  public void one(int kind, int event, long a) {
    Thread thread = Thread.currentThread();
    write(thread, RecordFormat.header(kind | 1, event, thread.getId()), a);
  }

  private void write(Thread thread, long header, long a) {
    Producer producer = producers.of(thread);
    if (producer != null) {
      producer.index().one(header, time.nanoTime(), a);
    } else {
      shared.numbers(thread, header, time, 1, a, 0, 0, 0, 0);
    }
  }

  /** Records an event with two values. */
  public void two(int event, long a, long b) {
    Thread thread = Thread.currentThread();
    long header = RecordFormat.header(RecordFormat.TWO, event, thread.getId());
    Producer producer = producers.of(thread);
    if (producer != null) {
      producer.index().two(header, time.nanoTime(), a, b);
    } else {
      shared.numbers(thread, header, time, 2, a, b, 0, 0, 0);
    }
  }

  /** Records an event with three values. */
  public void three(int event, long a, long b, long c) {
    Thread thread = Thread.currentThread();
    long header = RecordFormat.header(RecordFormat.THREE, event, thread.getId());
    Producer producer = producers.of(thread);
    if (producer != null) {
      producer.index().three(header, time.nanoTime(), a, b, c);
    } else {
      shared.numbers(thread, header, time, 3, a, b, c, 0, 0);
    }
  }

  /** Records an event with four values. */
  public void four(int event, long a, long b, long c, long d) {
    Thread thread = Thread.currentThread();
    long header = RecordFormat.header(RecordFormat.INSTANT | 4, event, thread.getId());
    Producer producer = producers.of(thread);
    if (producer != null) {
      producer.index().four(header, time.nanoTime(), a, b, c, d);
    } else {
      shared.numbers(thread, header, time, 4, a, b, c, d, 0);
    }
  }

  /** Records the value of a counter. */
  public void counter(int event, long value, boolean isDouble) {
    Thread thread = Thread.currentThread();
    long header = RecordFormat.header(RecordFormat.COUNTER | 1, event, thread.getId());
    write(thread, isDouble ? RecordFormat.at(header, 1) : header, value);
  }

  /** Begins a span without values. */
  public TraceSpan span(int event) {
    Thread thread = Thread.currentThread();
    Producer producer = producers.of(thread);
    if (producer == null) {
      return sharedSpan(thread, event, 0, 0, 0, 0, 0);
    }
    OwnSpan span = producer.spans().next();
    long header = span.begin(0, event, thread.getId());
    long now = time.nanoTime();
    producer.index().none(header, now);
    return producer.opened(span, now);
  }

  /** Begins a span with one value. */
  public TraceSpan span(int event, long a) {
    Thread thread = Thread.currentThread();
    Producer producer = producers.of(thread);
    if (producer == null) {
      return sharedSpan(thread, event, 1, a, 0, 0, 0);
    }
    OwnSpan span = producer.spans().next();
    long header = span.begin(1, event, thread.getId());
    long now = time.nanoTime();
    producer.index().one(header, now, a);
    return producer.opened(span, now);
  }

  /** Begins a span with two values. */
  public TraceSpan span(int event, long a, long b) {
    Thread thread = Thread.currentThread();
    Producer producer = producers.of(thread);
    if (producer == null) {
      return sharedSpan(thread, event, 2, a, b, 0, 0);
    }
    OwnSpan span = producer.spans().next();
    long header = span.begin(2, event, thread.getId());
    long now = time.nanoTime();
    producer.index().two(header, now, a, b);
    return producer.opened(span, now);
  }

  /** Begins a span with three values. */
  public TraceSpan span(int event, long a, long b, long c) {
    Thread thread = Thread.currentThread();
    Producer producer = producers.of(thread);
    if (producer == null) {
      return sharedSpan(thread, event, 3, a, b, c, 0);
    }
    OwnSpan span = producer.spans().next();
    long header = span.begin(3, event, thread.getId());
    long now = time.nanoTime();
    producer.index().three(header, now, a, b, c);
    return producer.opened(span, now);
  }

  /** Begins a span with four values. */
  public TraceSpan span(int event, long a, long b, long c, long d) {
    Thread thread = Thread.currentThread();
    Producer producer = producers.of(thread);
    if (producer == null) {
      return sharedSpan(thread, event, 4, a, b, c, d);
    }
    OwnSpan span = producer.spans().next();
    long header = span.begin(4, event, thread.getId());
    long now = time.nanoTime();
    producer.index().four(header, now, a, b, c, d);
    return producer.opened(span, now);
  }

  private SharedSpan sharedSpan(
      Thread thread, int event, int values, long a, long b, long c, long d) {
    return sharedSpan(begun.of(thread, time), thread, event, values, a, b, c, d);
  }

  private SharedSpan sharedSpan(
      @Nullable List<SharedSpan> open,
      Thread thread,
      int event,
      int values,
      long a,
      long b,
      long c,
      long d) {
    int depth = open == null ? 0 : open.size() + 1;
    SharedSpan span =
        new SharedSpan(
            shared, time, producers.slow(), begun, thread, depth, event, values, a, b, c, d);
    if (open != null) {
      open.add(span);
    }
    return span;
  }

  /** Begins a span that {@link #end} ends, with as many of the values as are said. */
  public void begin(int event, int values, long a, long b, long c, long d) {
    wasBegun[event] = true;
    Thread thread = Thread.currentThread();
    Producer producer = producers.of(thread);
    if (producer != null) {
      OwnSpan span = producer.spans().next();
      long header = span.begin(values, event, thread.getId());
      long now = time.nanoTime();
      producer.index().numbers(header, now, values, a, b, c, d, 0);
      producer.opened(span, now);
      return;
    }
    List<SharedSpan> open = begun.of(thread, time);
    if (open != null) {
      sharedSpan(open, thread, event, values, a, b, c, d);
    } else {
      shared.drop(thread, time);
    }
  }

  /**
   * Whether a span of that kind may be open that {@link #end} or {@link #endAsync} ends. False only
   * if none was ever begun.
   */
  public boolean mayBeOpen(int event) {
    return wasBegun[event];
  }

  /** Ends the innermost span of that kind of the current thread, and those in it. */
  public void end(int event) {
    Thread thread = Thread.currentThread();
    Producer producer = producers.of(thread);
    if (producer == null || !producer.spans().end(event)) {
      begun.end(thread, event);
    }
  }

  /** The moment on the clock by which events are recorded. */
  public long now() {
    return time.nanoTime();
  }

  /** Records a span that is over: its end, which says all of its begin. */
  public void ended(int event, long began, long ended, long... values) {
    int count = values.length + 1;
    write(RecordFormat.END | count, event, ended, count, began, values);
    producers.slow().ended(event, ended - began);
  }

  /** Records an asynchronous span that is over. */
  public void endedAsync(int event, long id, long began, long ended, long... values) {
    int count = values.length + 1;
    write(RecordFormat.ASYNC_BEGIN | count, event, began, count, id, values);
    write(RecordFormat.ASYNC_END | 1, event, ended, 1, id);
    producers.slow().ended(event, ended - began);
  }

  /** Records an event at a time that has been. */
  private void write(int kind, int event, long at, int count, long first, long... values) {
    Thread thread = Thread.currentThread();
    long header = RecordFormat.header(kind, event, thread.getId());
    Producer producer = producers.of(thread);
    long a = value(values, 0);
    long b = value(values, 1);
    long c = value(values, 2);
    long d = value(values, 3);
    if (producer != null) {
      producer.index().numbers(header, at, count, first, a, b, c, d);
    } else {
      shared.numbersAt(thread, header, at, count, first, a, b, c, d);
    }
  }

  private static long value(long[] values, int index) {
    return index < values.length ? values[index] : 0;
  }

  /** Begins an asynchronous span with as many of the values as are said. */
  public void beginAsync(int event, long id, int values, long a, long b, long c, long d) {
    wasBegun[event] = true;
    async.begin(event, id);
    Thread thread = Thread.currentThread();
    int count = values + 1;
    long header = RecordFormat.header(RecordFormat.ASYNC_BEGIN | count, event, thread.getId());
    Producer producer = producers.of(thread);
    if (producer != null) {
      producer.index().numbers(header, time.nanoTime(), count, id, a, b, c, d);
    } else {
      shared.numbers(thread, header, time, count, id, a, b, c, d);
    }
  }

  /** Ends an asynchronous span, if it was begun. */
  public void endAsync(int event, long id) {
    if (async.end(event, id)) {
      one(RecordFormat.ASYNC_END, event, id);
    }
  }
}
