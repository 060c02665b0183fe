package tracer;

import holdfast.time.TimeSource;
import java.nio.charset.StandardCharsets;
import java.util.Objects;
import tracer.lane.Producer;
import tracer.lane.Producers;
import tracer.ring.RecordFormat;

/**
 * Records events with bytes, without waiting. They are dropped only when no ring of {@link
 * Lane#INDEX} is left to be taken. Safe for use by many threads.
 */
public final class DetailLane {
  private final Producers producers;
  private final TimeSource time;
  private final EventFilter filter;

  DetailLane(Producers producers, TimeSource time, EventFilter filter) {
    this.producers = producers;
    this.time = time;
    this.filter = filter;
  }

  /** Records an event with the bytes of a text in UTF-8. */
  public void record(TraceEvent event, String text) {
    record(event, text.getBytes(StandardCharsets.UTF_8));
  }

  /** Records an event with bytes, which are copied. */
  public void record(TraceEvent event, byte[] bytes) {
    record(event, bytes, 0, bytes.length);
  }

  /**
   * Records an event with bytes, which are copied. One that is larger than {@link
   * TracerBuilder#largestDetail} allows is dropped with {@link DropReason#RING_FULL}.
   *
   * @param bytes where the bytes are
   * @param from the index of the first
   * @param length how many
   * @throws IndexOutOfBoundsException if there are not so many
   */
  public void record(TraceEvent event, byte[] bytes, int from, int length) {
    Objects.checkFromIndexSize(from, length, bytes.length);
    if (filter.excludes(event)) {
      return;
    }
    Thread thread = Thread.currentThread();
    long header = RecordFormat.header(RecordFormat.BYTES, event.id(), thread.getId());
    Producer producer = producers.of(thread);
    if (producer != null) {
      producer.detail().bytes(header, time.nanoTime(), bytes, from, length);
    } else {
      producers.shared().bytes(thread, header, time, bytes, from, length);
    }
  }
}
