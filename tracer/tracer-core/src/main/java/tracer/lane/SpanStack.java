package tracer.lane;

import holdfast.time.TimeSource;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;
import tracer.ring.RecordFormat;

/**
 * The open spans of a thread that has writers of its own. Confined to that thread; others that have
 * one of its spans are refused.
 */
final class SpanStack {
  /*
   * The span of a depth is always the same object, so nothing is allocated, and it is open if so many
   * are. Deeper spans than a
   * record can say have objects that are given up when they end.
   */
  private static final int KEPT = RecordFormat.MOST_DEPTH;

  private final Producer producer;
  private final Writer writer;
  private final TimeSource time;
  private final SlowSpans slow;
  private @Nullable OwnSpan[] spans = new OwnSpan[8];

  /** How many are open. */
  int depth;

  SpanStack(Producer producer, Writer writer, TimeSource time, SlowSpans slow) {
    this.producer = producer;
    this.writer = writer;
    this.time = time;
    this.slow = slow;
  }

  /** The object of the next span, not open yet. */
  OwnSpan next() {
    int at = depth;
    if (at == spans.length) {
      spans = Arrays.copyOf(spans, 2 * at);
    }
    OwnSpan span = spans[at];
    if (span == null) {
      span = new OwnSpan(this, at + 1);
      spans[at] = span;
    }
    return span;
  }

  /** Whether the current thread is the one that has these spans. */
  @SuppressWarnings("ReferenceEquality") // the thread itself, not one that equals it
  boolean isOfCurrentThread() {
    return producer.thread == Thread.currentThread();
  }

  String owner() {
    Thread thread = producer.thread;
    return thread == null ? "" : thread.getName();
  }

  /** Ends an open span, after those that were begun in it. */
  void end(OwnSpan span) {
    long now = time.nanoTime();
    while (depth > span.depth) {
      OwnSpan top = spans[depth - 1];
      if (top != null) {
        end(top, now);
      }
    }
    end(span, now);
  }

  private void end(OwnSpan span, long now) {
    depth =
        span.depth - 1; // first: where the stack of the thread ends, the record alone is missing
    if (span.depth > KEPT) {
      spans[span.depth - 1] = null;
    }
    span.recordEnd(writer, now);
    slow.ended(RecordFormat.event(span.header), now - span.began);
  }

  /** Ends the innermost span of that kind; false if none is open. */
  boolean end(int event) {
    for (int i = depth - 1; i >= 0; i--) {
      OwnSpan span = spans[i];
      if (span != null && span.isOf(event)) {
        end(span);
        return true;
      }
    }
    return false;
  }

  /** Records that a flow passes through an open span. */
  void flow(OwnSpan span, int kind, long id) {
    writer.two(RecordFormat.as(span.header, kind | 2), time.nanoTime(), id, span.began);
  }

  /** Forgets what a thread has left open that used it before. */
  void clear() {
    depth = 0;
  }
}
