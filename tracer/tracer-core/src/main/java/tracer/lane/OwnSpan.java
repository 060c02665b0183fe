package tracer.lane;

import tracer.TraceSpan;
import tracer.ring.RecordFormat;

/** A span of a thread that has writers of its own: used again for each of its depth. */
final class OwnSpan implements TraceSpan {
  final int depth;
  private final SpanStack stack;
  long header;
  long began;

  OwnSpan(SpanStack stack, int depth) {
    this.stack = stack;
    this.depth = depth;
  }

  /** The header of its begin with so many values; notes it. */
  long begin(int values, int event, long thread) {
    long plain = RecordFormat.header(RecordFormat.BEGIN | values, event, thread);
    // What is deeper than a record can say has no depth in records.
    header = depth <= RecordFormat.MOST_DEPTH ? RecordFormat.at(plain, depth) : plain;
    return header;
  }

  boolean isOf(int event) {
    return RecordFormat.event(header) == event;
  }

  void recordEnd(Writer writer, long now) {
    writer.one(RecordFormat.as(header, RecordFormat.END | 1), now, began);
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
    if (stack.depth >= depth) {
      requireOwner();
      stack.flow(this, kind, id);
    }
    return this;
  }

  @Override
  public void close() {
    if (stack.depth >= depth) {
      requireOwner();
      stack.end(this);
    }
  }

  private void requireOwner() {
    if (!stack.isOfCurrentThread()) {
      throw OtherThread.refused(header, stack.owner());
    }
  }
}
