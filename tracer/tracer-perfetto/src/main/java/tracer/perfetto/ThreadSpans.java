package tracer.perfetto;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.function.IntSupplier;
import org.jspecify.annotations.Nullable;
import tracer.sink.TraceBatch;

/**
 * The open spans of one thread, as the file has them. Repairs what drops tore apart: whatever
 * arrives, each begin that is written gets one end, and spans lie in each other. Not safe for use
 * by many threads.
 */
final class ThreadSpans {
  /*
   * Events with a depth come in the order in which they were recorded, but some may be missing. What
   * is open is a stack. A begin or an end at a depth says that what lies there or deeper has ended;
   * an end says when its span began, so a missing begin can be written, although what is in the span
   * was written before: a viewer sorts by time.
   *
   * A span whose end is missing ended before the next at its depth or above began, and that one's
   * begin may be missing, too, and be known later. So its end waits until a span is known in which it
   * lies; it is written at the latest time that can be in it. Spans never cross.
   *
   * What lies before the end of the last file must not be touched any more. A begin that is missing
   * there is written at the latest time of all.
   */
  private static final int MOST_HELD = 128;
  private static final int MOST_UNDECIDED = 256;

  private static final Comparator<OpenSpan> INNER_FIRST =
      Comparator.comparingInt((OpenSpan span) -> span.depth)
          .thenComparingLong(span -> span.began)
          .reversed();

  final long thread;
  String name;
  boolean isVirtual;
  final List<OpenSpan> stack = new ArrayList<>();
  final HeldSpans held;

  /** Without an end, which was lost; each has its latest time so far. */
  private final List<OpenSpan> undecided = new ArrayList<>();

  private final IntSupplier flushes;
  private long floor = Long.MIN_VALUE;
  private long last = Long.MIN_VALUE;

  /** The last file has ends at times that a begin, found missing later, may contradict. */
  private boolean hasGuessedEnds;

  /**
   * The spans of a thread that has none.
   *
   * @param flushes how many flushes there were
   */
  ThreadSpans(long thread, String name, boolean isVirtual, IntSupplier flushes) {
    this.thread = thread;
    this.name = name;
    this.isVirtual = isVirtual;
    this.flushes = flushes;
    this.held = new HeldSpans(this, flushes, MOST_HELD);
  }

  ThreadSpans copy() {
    ThreadSpans copy = new ThreadSpans(thread, name, isVirtual, flushes);
    stack.forEach(span -> copy.stack.add(span.copy()));
    undecided.forEach(span -> copy.undecided.add(span.copy()));
    held.copyTo(copy.held);
    copy.floor = floor;
    copy.last = last;
    copy.hasGuessedEnds = hasGuessedEnds;
    return copy;
  }

  /** How many spans are open. */
  int size() {
    return stack.size() + undecided.size() + held.size();
  }

  /** Whether nothing needs to be remembered of this thread. */
  boolean isForgettable() {
    return stack.isEmpty() && undecided.isEmpty() && held.isForgettable() && !hasGuessedEnds;
  }

  /** A span begins. */
  void begin(TraceBatch batch, SpanOutput out) {
    if (isUnordered(batch)) {
      held.begin(batch);
      return;
    }
    lose(batch.depth());
    bound(batch.depth(), batch.time());
    if (batch.depth() == 1) {
      endUndecided(Long.MIN_VALUE, out);
    }
    OpenSpan span = new OpenSpan().of(batch);
    stack.add(span);
    begin(span, span.began, Note.NONE, out);
  }

  /** Whether it may come in another order than it was recorded. */
  private static boolean isUnordered(TraceBatch batch) {
    return batch.isShared() || batch.depth() == 0;
  }

  /** The span that a flow passes through, if its begin is not written yet. */
  @Nullable OpenSpan heldFor(TraceBatch flow) {
    OpenSpan found = held.find(flow.eventId(), flow.began());
    return found == null || found.isWritten ? null : found;
  }

  /** A span ends. */
  void end(TraceBatch batch, SpanOutput out) {
    if (isUnordered(batch)) {
      held.end(batch, out);
      return;
    }
    OpenSpan span = at(batch.depth());
    if (span == null || !span.is(batch.eventId(), batch.began())) {
      span = beginMissing(batch, out);
    }
    lose(batch.depth() + 1);
    endUndecided(batch.depth() == 1 ? Long.MIN_VALUE : span.began, out);
    stack.remove(stack.size() - 1);
    contains(end(span, batch.time(), Note.NONE, out));
    makeRoom(out);
  }

  /** The begin of the span that ends was lost; it is written, and what lay at its depth ended. */
  private OpenSpan beginMissing(TraceBatch batch, SpanOutput out) {
    OpenSpan span = new OpenSpan().of(batch);
    if (batch.began() < floor) {
      lose(batch.depth());
      endUndecided(Long.MIN_VALUE, out);
      span.began = last;
      begin(span, last, Note.BEGIN_IN_ANOTHER_FILE, out);
    } else {
      loseBefore(batch.depth(), batch.began());
      bound(batch.depth(), batch.began());
      begin(span, span.began, Note.BEGIN_DROPPED, out);
    }
    // Below what is in it and still open.
    int place = stack.size();
    while (place > 0 && stack.get(place - 1).depth > span.depth) {
      place--;
    }
    stack.add(place, span);
    return span;
  }

  /** Spans of that depth and deeper have ended, nobody knows when. */
  private void lose(int depth) {
    for (OpenSpan top = top(); top != null && top.depth >= depth; top = top()) {
      stack.remove(stack.size() - 1);
      undecided.add(top);
      contains(top.latest);
    }
  }

  /** So have those of that depth and deeper that began before that time. */
  private void loseBefore(int depth, long time) {
    for (int i = stack.size() - 1; i >= 0 && stack.get(i).depth >= depth; i--) {
      OpenSpan span = stack.get(i);
      if (i > 0) { // what is in it is in the outer one, too
        stack.get(i - 1).latest = Math.max(stack.get(i - 1).latest, span.latest);
      }
      if (span.began < time || span.depth == depth) {
        undecided.add(stack.remove(i));
      }
    }
  }

  /** What was lost at that depth or deeper, and began before, had ended when another began. */
  private void bound(int depth, long began) {
    for (OpenSpan span : undecided) {
      if (span.depth >= depth && span.began < began) {
        span.latest = Math.min(span.latest, began - 1);
      }
    }
  }

  /** The innermost open span contains that time. */
  private void contains(long time) {
    OpenSpan top = top();
    if (top != null) {
      top.latest = Math.max(top.latest, time);
    }
  }

  /** Writes the ends of lost spans that began then or later: nothing can change them any more. */
  private void endUndecided(long from, SpanOutput out) {
    if (!undecided.isEmpty()) {
      undecided.sort(INNER_FIRST);
      for (OpenSpan span : List.copyOf(undecided)) {
        if (span.began >= from) {
          undecided.remove(span);
          end(span, span.latest, Note.END_DROPPED, out);
        }
      }
    }
  }

  /** Of too many the eldest are written without a duration, which never can be wrong. */
  private void makeRoom(SpanOutput out) {
    while (undecided.size() > MOST_UNDECIDED) {
      OpenSpan eldest = undecided.remove(0);
      end(eldest, eldest.began, Note.END_DROPPED, out);
    }
  }

  private @Nullable OpenSpan at(int depth) {
    for (int i = stack.size() - 1; i >= 0 && stack.get(i).depth >= depth; i--) {
      if (stack.get(i).depth == depth) {
        return stack.get(i);
      }
    }
    return null;
  }

  private @Nullable OpenSpan top() {
    return stack.isEmpty() ? null : stack.get(stack.size() - 1);
  }

  void begin(OpenSpan span, long time, Note note, SpanOutput out) {
    out.begin(this, span, written(time), note);
  }

  long end(OpenSpan span, long time, Note note, SpanOutput out) {
    long ended = written(Math.max(time, span.began));
    out.end(this, span, ended, note);
    return ended;
  }

  void endAtLast(OpenSpan span, Note note, SpanOutput out) {
    end(span, last, note, out);
  }

  /** The latest time that was written. */
  long last() {
    return last;
  }

  boolean isBeforeThisFile(OpenSpan span) {
    return span.began < floor;
  }

  /** Writes a span that began before this file, where it crosses none that is open. */
  void writeLate(OpenSpan span, long ended, SpanOutput out) {
    long time = last;
    out.begin(this, span, written(time), Note.BEGIN_IN_ANOTHER_FILE);
    out.end(this, span, written(stack.isEmpty() ? Math.max(time, ended) : time), Note.NONE);
  }

  private long written(long time) {
    long allowed = Math.max(time, floor);
    last = Math.max(last, allowed);
    return allowed;
  }

  /** Ends what is open, since the file ends; it begins again in the next. */
  void endFile(SpanOutput out) {
    hasGuessedEnds = !undecided.isEmpty();
    endUndecided(Long.MIN_VALUE, out);
    List<OpenSpan> cut = writtenOuterFirst();
    for (int i = cut.size() - 1; i >= 0; i--) {
      end(cut.get(i), last, Note.END_IN_ANOTHER_FILE, out);
      cut.get(i).latest = last;
    }
    if (!cut.isEmpty() || hasGuessedEnds) {
      floor = last;
    }
  }

  /** Begins what is open, in a new file. */
  void beginFile(SpanOutput out) {
    for (OpenSpan span : writtenOuterFirst()) {
      begin(span, span.began, Note.BEGIN_IN_ANOTHER_FILE, out);
    }
  }

  private List<OpenSpan> writtenOuterFirst() {
    List<OpenSpan> written = new ArrayList<>(stack);
    written.addAll(held.written());
    written.sort(Comparator.comparingLong(span -> span.began)); // the stack keeps its order
    return written;
  }

  /** Ends what is open for good, since there is too much of it. */
  void forget(SpanOutput out) {
    held.forget(out);
    endUndecided(Long.MIN_VALUE, out);
    for (int i = stack.size() - 1; i >= 0; i--) {
      end(stack.get(i), last, Note.END_NOT_FOLLOWED, out);
    }
    stack.clear();
  }
}
