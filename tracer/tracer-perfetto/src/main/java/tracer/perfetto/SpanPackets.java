package tracer.perfetto;

import tracer.Lane;
import tracer.sink.TraceBatch;

/** Encodes begins and ends of spans as packets. Not safe for use by many threads. */
final class SpanPackets implements SpanOutput {
  private static final int LANE = Introductions.category(Lane.INDEX);

  private final WireWriter out;
  private final TraceOrigin origin;
  private final Introductions introductions;
  private final ValuePackets values;

  // The begin that was written last, and where it ends: a flow that follows at once belongs to it.
  private long lastThread;
  private long lastBegan;
  private int lastEvent = -1;
  private int lastEnd;

  SpanPackets(
      WireWriter out, TraceOrigin origin, Introductions introductions, ValuePackets values) {
    this.out = out;
    this.origin = origin;
    this.introductions = introductions;
    this.values = values;
  }

  @Override
  public void begin(ThreadSpans thread, OpenSpan span, long time, Note note) {
    introduce(thread);
    begin(span, origin.threadTrack(thread.thread), time);
    values.note(note);
    for (int i = 0; i < span.flows.length; i++) {
      values.flow(span.flows[i], span.ended[i]);
    }
    values.end();
    lastThread = thread.thread;
    lastBegan = span.began;
    lastEvent = span.event;
    lastEnd = out.size();
  }

  private void introduce(ThreadSpans thread) {
    if (!introductions.isLast(thread.thread)) {
      introductions.thread(thread.thread, thread.name, thread.isVirtual);
    }
  }

  private void begin(OpenSpan span, long track, long time) {
    ArgumentCodes arguments = introductions.event(span.event);
    long a = span.a;
    long b = span.b;
    long c = span.c;
    long d = span.d;
    if (arguments.hasStrings) {
      a = span.values > 0 ? introductions.encoded(arguments, 0, a) : a;
      b = span.values > 1 ? introductions.encoded(arguments, 1, b) : b;
      c = span.values > 2 ? introductions.encoded(arguments, 2, c) : c;
      d = span.values > 3 ? introductions.encoded(arguments, 3, d) : d;
    }
    int category = introductions.category(arguments);
    long at = introductions.timestamp(time);
    values.begin(Fields.SLICE_BEGIN, span.event, at, track, LANE, category);
    values.values(arguments, span.values, a, b, c, d);
  }

  @Override
  public void end(ThreadSpans thread, OpenSpan span, long time, Note note) {
    introduce(thread);
    long track = origin.threadTrack(thread.thread);
    end(span, track, time);
    values.note(note);
    values.end();
  }

  /** A viewer takes an end for that of a span only if it has the same categories. */
  private void end(OpenSpan span, long track, long time) {
    int category = introductions.category(introductions.event(span.event));
    long at = introductions.timestamp(time);
    values.begin(Fields.SLICE_END, span.event, at, track, LANE, category);
  }

  @Override
  public void beginAsync(OpenSpan span, long id, long time, Note note) {
    begin(span, introductions.async(span.event, id), time);
    values.id(id);
    values.note(note);
    values.end();
  }

  @Override
  public void endAsync(OpenSpan span, long id, long time, Note note) {
    long track = introductions.async(span.event, id);
    end(span, track, time);
    values.id(id);
    values.note(note);
    values.end();
  }

  /** What was written last is in another chunk. */
  void chunkBegins() {
    lastEvent = -1;
  }

  /** Adds a flow to the begin of its span, if that is what was written last. */
  boolean addFlowToLastBegin(TraceBatch batch, boolean ends) {
    boolean isLast =
        lastEnd == out.size()
            && lastEvent == batch.eventId()
            && lastBegan == batch.began()
            && lastThread == batch.threadId();
    if (isLast && values.flow(batch.id(), ends)) {
      values.end();
      lastEnd = out.size();
      return true;
    }
    return false;
  }
}
