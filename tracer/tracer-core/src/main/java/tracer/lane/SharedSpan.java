package tracer.lane;

import holdfast.time.TimeSource;
import java.util.Objects;
import tracer.TraceSpan;
import tracer.ring.RecordFormat;

/**
 * A span of a thread that shares writers: an object of its own. Its end may reach the sink before
 * its begin, so it says again with which values it began. Confined to its thread.
 */
final class SharedSpan implements TraceSpan {
  private final Stripes stripes;
  private final TimeSource time;
  private final SlowSpans slow;
  private final Thread thread;
  private final SharedSpans spans;
  private final long header;
  private final int depth;
  private final int values;
  private final long a;
  private final long b;
  private final long c;
  private final long d;
  private final long began;
  private boolean open = true;

  /**
   * Begins it.
   *
   * @param spans those of all threads
   * @param depth how deep it is on its thread; 0 if it is not among those
   */
  SharedSpan(
      Stripes stripes,
      TimeSource time,
      SlowSpans slow,
      SharedSpans spans,
      Thread thread,
      int depth,
      int event,
      int values,
      long a,
      long b,
      long c,
      long d) {
    this.stripes = stripes;
    this.time = time;
    this.slow = slow;
    this.spans = spans;
    this.thread = thread;
    this.depth = depth;
    this.header = RecordFormat.header(RecordFormat.SHARED_BEGIN | values, event, thread.getId());
    this.values = values;
    this.a = a;
    this.b = b;
    this.c = c;
    this.d = d;
    this.began = stripes.numbers(thread, atDepth(header), time, values, a, b, c, d, 0);
  }

  /** What is deeper than a record can say has no depth in records. */
  private long atDepth(long plain) {
    return depth <= RecordFormat.MOST_DEPTH ? RecordFormat.at(plain, depth) : plain;
  }

  boolean isOf(int event) {
    return RecordFormat.event(header) == event;
  }

  @Override
  public TraceSpan flow(long id) {
    return pass(RecordFormat.FLOW, id);
  }

  @Override
  public TraceSpan endFlow(long id) {
    return pass(RecordFormat.FLOW_END, id);
  }

  private TraceSpan pass(int kind, long id) {
    if (open) {
      requireOwner();
      long flow = RecordFormat.as(header, kind | 2);
      stripes.numbers(thread, flow, time, 2, id, began, 0, 0, 0);
    }
    return this;
  }

  @Override
  public void close() {
    if (open) {
      requireOwner();
      spans.end(thread, this);
    }
  }

  /** Records its end. */
  void end() {
    open = false;
    long end = RecordFormat.as(header, RecordFormat.SHARED_END | (values + 1));
    long now = stripes.numbers(thread, atDepth(end), time, values + 1, began, a, b, c, d);
    slow.ended(RecordFormat.event(header), now - began);
  }

  private void requireOwner() {
    if (!Objects.equals(thread, Thread.currentThread())) {
      throw OtherThread.refused(header, thread.getName());
    }
  }
}
