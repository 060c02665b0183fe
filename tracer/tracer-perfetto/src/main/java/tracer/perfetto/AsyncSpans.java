package tracer.perfetto;

import java.util.List;
import java.util.Map;
import tracer.sink.TraceBatch;

/**
 * The open asynchronous spans, as the file has them. Begin and end are recorded by different
 * threads, so an end may come before its begin, or one of them not at all. Not safe for use by many
 * threads.
 */
final class AsyncSpans {
  /*
   * An end waits for its begin until it is certain that the begin was dropped. A flush has all come
   * that was recorded before it, but also some of what was recorded meanwhile: an end perhaps, whose
   * begin was recorded behind what was taken of another ring. So the flush after it decides. A file
   * that ends with no more to come, as a dump, decides at once.
   */
  private static final int MOST_OPEN = 1 << 14;

  /** So many ends are written as moments in one chunk. */
  private static final int MOST_AT_ONCE = 1 << 13;

  /** What an end that waits takes on the heap, with the change that put it there. */
  private static final int BYTES_OF_AN_END = 256;

  private static final int MOST_WAITING = 1 << 18;
  private static final int LEAST_WAITING = 1 << 10;
  private static final int SHARE_OF_HEAP = 16;

  private record Key(int event, long id) {}

  /** A span that is open, and the earliest time that may be written of it. */
  private record Open(OpenSpan span, long floor) {}

  /** An end that came before its begin, after so many flushes. */
  private record Waiting(long time, int flushes) {}

  private final KeyedLists<Key, Open> open = new KeyedLists<>();
  private final KeyedLists<Key, Waiting> waiting = new KeyedLists<>();
  private final int mostWaiting;
  private int flushes;
  private long last;

  AsyncSpans() {
    this(mostWaiting(Runtime.getRuntime().maxMemory()));
  }

  /** Spans of which so many ends can wait. */
  AsyncSpans(int mostWaiting) {
    this.mostWaiting = mostWaiting;
  }

  /** How many ends can wait in a heap of that size: a part of it, 64 MiB at most. */
  static int mostWaiting(long heap) {
    long most = heap / SHARE_OF_HEAP / BYTES_OF_AN_END;
    return (int) Math.max(LEAST_WAITING, Math.min(MOST_WAITING, most));
  }

  /** What was changed since {@link #undo} or this is to stay. */
  void keep() {
    open.keep();
    waiting.keep();
  }

  /** Takes back what was changed. */
  void undo() {
    open.undo();
    waiting.undo();
  }

  boolean isEmpty() {
    return open.isEmpty() && waiting.isEmpty();
  }

  int size() {
    return open.size();
  }

  void begin(TraceBatch batch, SpanOutput out) {
    Key key = new Key(batch.eventId(), batch.id());
    OpenSpan span = new OpenSpan().of(batch);
    last = Math.max(last, batch.time());
    out.beginAsync(span, key.id, batch.time(), Note.NONE);
    int end = waitingFor(key, batch.time());
    if (end >= 0) {
      out.endAsync(span, key.id, waiting.remove(key, end).time, Note.NONE);
      return;
    }
    if (open.size() >= MOST_OPEN) {
      forgetEldest(out);
    }
    open.add(key, new Open(span, Long.MIN_VALUE));
  }

  private int waitingFor(Key key, long begin) {
    List<Waiting> ends = waiting.of(key);
    for (int i = 0; i < ends.size(); i++) {
      if (ends.get(i).time >= begin) {
        return i;
      }
    }
    return -1;
  }

  void end(TraceBatch batch, SpanOutput out) {
    Key key = new Key(batch.eventId(), batch.id());
    last = Math.max(last, batch.time());
    List<Open> found = open.of(key);
    if (found.isEmpty()) {
      waiting.add(key, new Waiting(batch.time(), flushes));
      if (waiting.size() > mostWaiting) {
        writeEldestAsMoment(Note.BEGIN_NOT_FOLLOWED, out);
      }
      return;
    }
    Open innermost = open.remove(key, found.size() - 1);
    long time = Math.max(batch.time(), Math.max(innermost.floor, innermost.span.began));
    out.endAsync(innermost.span, key.id, time, Note.NONE);
  }

  private void writeEldestAsMoment(Note note, SpanOutput out) {
    Key key = waiting.entries().iterator().next().getKey();
    long time = waiting.remove(key, 0).time;
    OpenSpan span = new OpenSpan();
    span.event = key.event;
    span.began = time;
    out.beginAsync(span, key.id, time, note);
    out.endAsync(span, key.id, time, Note.NONE);
  }

  /** Whether {@link #flush} would write something. */
  boolean needsFlush() {
    return !waiting.isEmpty()
        && waiting.entries().iterator().next().getValue().get(0).flushes != flushes;
  }

  /** Writes ends whose begins were dropped; as many as a chunk should have, so perhaps not all. */
  void flush(SpanOutput out) {
    for (int i = 0; i < MOST_AT_ONCE && needsFlush(); i++) {
      writeEldestAsMoment(Note.BEGIN_DROPPED, out);
    }
  }

  /** The begins of all ends that wait come until the next flush, or not at all. */
  void flushed() {
    flushes++;
  }

  private void forgetEldest(SpanOutput out) {
    Map.Entry<Key, List<Open>> eldest = open.entries().iterator().next();
    end(eldest.getKey(), eldest.getValue(), Note.END_NOT_FOLLOWED, out);
    for (int i = eldest.getValue().size() - 1; i >= 0; i--) {
      open.remove(eldest.getKey(), i);
    }
  }

  private void end(Key key, List<Open> spans, Note note, SpanOutput out) {
    for (int i = spans.size() - 1; i >= 0; i--) {
      out.endAsync(spans.get(i).span, key.id, last, note);
    }
  }

  /** Ends what is open, since the file ends; it begins again in the next. */
  void endFile(SpanOutput out) {
    for (Map.Entry<Key, List<Open>> entry : open.entries()) {
      List<Open> spans = entry.getValue();
      end(entry.getKey(), spans, Note.END_IN_ANOTHER_FILE, out);
      for (int i = 0; i < spans.size(); i++) {
        open.replace(entry.getKey(), i, new Open(spans.get(i).span, last));
      }
    }
  }

  /** Begins what is open, in a new file. */
  void beginFile(SpanOutput out) {
    for (Map.Entry<Key, List<Open>> entry : open.entries()) {
      for (Open it : entry.getValue()) {
        long time = Math.max(it.floor, it.span.began);
        out.beginAsync(it.span, entry.getKey().id, time, Note.BEGIN_IN_ANOTHER_FILE);
      }
    }
  }
}
