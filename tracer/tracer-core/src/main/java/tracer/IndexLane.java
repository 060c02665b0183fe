package tracer;

import holdfast.time.TimeSource;
import tracer.lane.Producer;
import tracer.lane.Producers;
import tracer.ring.RecordFormat;

/**
 * Records routine events: a kind and two or three numbers, without allocating and without waiting.
 * Safe for use by many threads.
 */
public final class IndexLane {
  private final Producers producers;
  private final TimeSource time;

  IndexLane(Producers producers, TimeSource time) {
    this.producers = producers;
    this.time = time;
  }

  /** Records an event with two values. */
  public void record(TraceEvent event, long a, long b) {
    Thread thread = Thread.currentThread();
    long header = RecordFormat.header(RecordFormat.TWO, event.id(), thread.getId());
    Producer producer = producers.of(thread);
    if (producer != null) {
      producer.index().two(header, time.nanoTime(), a, b);
    } else {
      producers.shared().two(thread, header, time, a, b);
    }
  }

  /** Records an event with three values. */
  public void record(TraceEvent event, long a, long b, long c) {
    Thread thread = Thread.currentThread();
    long header = RecordFormat.header(RecordFormat.THREE, event.id(), thread.getId());
    Producer producer = producers.of(thread);
    if (producer != null) {
      producer.index().three(header, time.nanoTime(), a, b, c);
    } else {
      producers.shared().three(thread, header, time, a, b, c);
    }
  }
}
