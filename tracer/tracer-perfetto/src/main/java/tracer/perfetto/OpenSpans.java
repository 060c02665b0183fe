package tracer.perfetto;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tracer.sink.TraceBatch;

/**
 * All spans that are open in the file. Their number is bounded. What a batch changes can be taken
 * back until it is in the file. Not safe for use by many threads.
 */
final class OpenSpans {
  /** So many spans, and so many threads, are followed: {@value}. */
  static final int MOST = 1 << 14;

  private static final int BYTES_OF_A_SPAN = 64;
  private static final int BYTES_OF_A_THREAD = 120;
  private static final int BYTES_OF_A_CHUNK = 1500;

  /** The thread that was used last comes last. */
  private final Map<Long, ThreadSpans> threads = new LinkedHashMap<>(64, 0.75f, true);

  private final Map<Long, ThreadSpans> touched = new LinkedHashMap<>();
  private final Deque<Runnable> undo = new ArrayDeque<>();
  private final AsyncSpans async = new AsyncSpans();
  private @Nullable ThreadSpans current;
  private int size;
  private int flushes;
  private long newest = Long.MIN_VALUE;

  /** What was changed since this or {@link #undo} is to stay. */
  void keep() {
    for (ThreadSpans changed : touched.values()) {
      if (changed.isForgettable()) {
        threads.remove(changed.thread);
      }
    }
    forgetChanges();
    async.keep();
    size = threads.values().stream().mapToInt(ThreadSpans::size).sum();
  }

  /** Takes back what was changed. */
  void undo() {
    while (!undo.isEmpty()) {
      undo.pop().run();
    }
    forgetChanges();
    async.undo();
  }

  private void forgetChanges() {
    touched.clear();
    undo.clear();
    current = null;
  }

  AsyncSpans async() {
    return async;
  }

  /** The spans of the thread of an event, which may be changed. */
  ThreadSpans of(TraceBatch batch, SpanOutput out) {
    newest = Math.max(newest, batch.time());
    long thread = batch.threadId();
    ThreadSpans known = current;
    if (known != null && known.thread == thread) {
      return known;
    }
    ThreadSpans found = threads.get(thread);
    if (found == null) {
      makeRoom(out);
      found = new ThreadSpans(thread, batch.threadName(), batch.isVirtual(), () -> flushes);
      threads.put(thread, found);
      touched.put(thread, found);
      undo.push(() -> threads.remove(thread));
    } else {
      touch(found);
    }
    current = found;
    return found;
  }

  private void touch(ThreadSpans spans) {
    if (touched.putIfAbsent(spans.thread, spans) == null) {
      ThreadSpans before = spans.copy();
      undo.push(() -> threads.put(before.thread, before));
    }
  }

  private void makeRoom(SpanOutput out) {
    while (threads.size() >= MOST || (size >= MOST && !threads.isEmpty())) {
      ThreadSpans eldest = threads.values().iterator().next();
      touch(eldest);
      size -= eldest.size();
      threads.remove(eldest.thread);
      eldest.forget(out);
    }
  }

  /** Whether nothing is open. */
  boolean isEmpty() {
    return threads.isEmpty() && async.isEmpty();
  }

  /** How many bytes it takes at most to end all that is open. */
  long bytesToEnd() {
    if (isEmpty()) {
      return 0;
    }
    long names = 0;
    long open = async.size() * 3L;
    for (ThreadSpans spans : threads.values()) {
      names += BYTES_OF_A_THREAD + spans.name.length() * 3L;
      open += spans.size() * 2L;
    }
    return BYTES_OF_A_CHUNK + names + open * BYTES_OF_A_SPAN;
  }

  /** Whether a flush would change something of the spans of threads. */
  boolean needsFlush() {
    return threads.values().stream().anyMatch(it -> it.held.needsFlush(newest));
  }

  /** All that was recorded before has come. */
  void flush(SpanOutput out) {
    for (ThreadSpans spans : List.copyOf(threads.values())) {
      if (spans.held.needsFlush(newest)) {
        touch(spans);
        spans.held.flush(newest, out);
      }
    }
  }

  /** What belongs to all that has come so far comes until the next flush, or not at all. */
  void flushed() {
    flushes++;
    async.flushed();
  }

  /** No more comes. */
  void finish(SpanOutput out) {
    for (ThreadSpans spans : List.copyOf(threads.values())) {
      touch(spans);
      spans.held.finish(out);
    }
  }

  /** Ends what is open, since the file ends. */
  void endFile(SpanOutput out) {
    for (ThreadSpans spans : threads.values()) {
      touch(spans);
      spans.endFile(out);
    }
    async.endFile(out);
  }

  /** Begins again what is open, in a new file. */
  void beginFile(SpanOutput out) {
    threads.values().forEach(spans -> spans.beginFile(out));
    async.beginFile(out);
  }
}
