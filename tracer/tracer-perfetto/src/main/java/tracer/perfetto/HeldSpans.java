package tracer.perfetto;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.function.IntSupplier;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import tracer.sink.TraceBatch;

/**
 * The open spans of a thread that shares rings: its events may come in another order than they were
 * recorded. Not safe for use by many threads.
 */
final class HeldSpans {
  /*
   * A begin is held until its end comes, and both are written together. The end says all of the
   * begin, so one that comes first is written whole, and the begin is passed over when it comes. What
   * began in a span and is still open when the span ends has ended before, and so has what is still
   * open when a later span begins at its depth or above; if its end does not come, it was dropped. A
   * flush has all come that was recorded before it, but also some of what was
   * recorded meanwhile: the end of the outer span perhaps, and not that of the inner one. So the
   * flush after it decides, and until then the begin that belongs to an end may come.
   *
   * A begin may also come after those later events. So ends are remembered until the flush after the
   * next, up to a limit. What began before one that is forgotten earlier ended is not held:
   * its end will write it whole.
   *
   * A span that is open for long is written at a flush, so that one that hangs is seen; it is cut
   * where a file ends. What began before and is written later is shown at the latest time of the
   * thread, so that it crosses no span that was cut.
   */
  private static final long LONG_NANOS = 1_000_000_000;
  private static final int MOST_REMEMBERED = 256;

  private static final Comparator<OpenSpan> OUTER_FIRST =
      Comparator.comparingLong((OpenSpan span) -> span.began);

  /**
   * A span that was written with its end.
   *
   * @param flushes after how many flushes
   * @param isWhole whether its begin and its end have come; what comes later is to be passed over
   */
  private record Ended(int event, int depth, long began, long ended, int flushes, boolean isWhole) {
    Ended whole() {
      return new Ended(event, depth, began, ended, flushes, true);
    }
  }

  private final ThreadSpans thread;
  private final IntSupplier flushes;
  private final int most;
  private final List<OpenSpan> open = new ArrayList<>();

  /** In the order of their ends; forgotten at the flush after the next. */
  private final List<Ended> ended = new ArrayList<>();

  private long latestEnded = Long.MIN_VALUE;

  /** All that ended later is remembered. */
  private long remembered = Long.MIN_VALUE;

  /**
   * The spans of a thread.
   *
   * @param flushes how many flushes there were
   * @param most how many spans are followed
   */
  HeldSpans(ThreadSpans thread, IntSupplier flushes, int most) {
    this.thread = thread;
    this.flushes = flushes;
    this.most = most;
  }

  void copyTo(HeldSpans other) {
    open.forEach(span -> other.open.add(span.copy()));
    other.ended.addAll(ended);
    other.latestEnded = latestEnded;
    other.remembered = remembered;
  }

  int size() {
    return open.size();
  }

  boolean isForgettable() {
    return open.isEmpty() && ended.isEmpty();
  }

  void begin(TraceBatch batch) {
    long began = batch.began();
    OpenSpan span = new OpenSpan().of(batch);
    if (began <= latestEnded) { // hardly ever
      if (isWritten(batch.eventId(), began) || began <= remembered) {
        return;
      }
      for (Ended other : ended) {
        if (other.began < began && other.ended > began) {
          endedUntil(other.ended - 1, span);
        }
        boundBy(other.depth, other.began, span);
      }
    }
    for (OpenSpan other : open) {
      boundBy(other.depth, other.began, span);
      boundBy(span.depth, began, other);
    }
    hold(span);
  }

  /** A span that began at that depth, then: what had begun there or deeper has ended before. */
  private void boundBy(int depth, long began, OpenSpan span) {
    if (depth > 0 && span.depth >= depth && span.began < began) {
      endedUntil(began - 1, span);
    }
  }

  private void endedUntil(long time, OpenSpan span) {
    span.endedUntil(time, flushes.getAsInt());
  }

  /** Of too many spans those that find no place are written when they end. */
  private void hold(OpenSpan span) {
    if (open.size() < most) {
      open.add(span);
    }
  }

  void end(TraceBatch batch, SpanOutput out) {
    OpenSpan span = find(batch.eventId(), batch.began());
    boolean isWhole = span != null;
    if (span != null) {
      open.remove(span);
    } else if (isWritten(batch.eventId(), batch.began())) {
      return;
    } else {
      span = new OpenSpan().of(batch);
    }
    remember(span, batch.time(), isWhole);
    if (!span.isWritten && thread.isBeforeThisFile(span)) {
      thread.writeLate(span, batch.time(), out);
    } else {
      beginIfHeld(span, out);
      thread.end(span, Math.max(batch.time(), span.latest), Note.NONE, out);
    }
    for (OpenSpan inner : open) {
      if (inner.began > batch.began() && inner.began < batch.time()) {
        endedUntil(batch.time() - 1, inner);
      }
      boundBy(span.depth, span.began, inner);
    }
  }

  private void beginIfHeld(OpenSpan span, SpanOutput out) {
    if (!span.isWritten) {
      span.isWritten = true;
      boolean isLate = thread.isBeforeThisFile(span);
      span.latest = isLate ? thread.last() : span.began;
      thread.begin(span, span.latest, isLate ? Note.BEGIN_IN_ANOTHER_FILE : Note.NONE, out);
    }
  }

  /** Whether that span is written, of which an event was to come; it has come now. */
  private boolean isWritten(int event, long began) {
    for (int i = ended.size() - 1; i >= 0; i--) {
      Ended span = ended.get(i);
      if (!span.isWhole && span.event == event && span.began == began) {
        ended.set(i, span.whole());
        return true;
      }
    }
    return false;
  }

  private void remember(OpenSpan span, long time, boolean isWhole) {
    if (ended.size() == MOST_REMEMBERED) {
      remembered = Math.max(remembered, ended.remove(0).ended);
    }
    int now = flushes.getAsInt();
    ended.add(new Ended(span.event, span.depth, span.began, time, now, isWhole));
    latestEnded = Math.max(latestEnded, time);
  }

  /** The span that is open; null if there is none. */
  @Nullable OpenSpan find(int event, long began) {
    for (int i = open.size() - 1; i >= 0; i--) {
      if (open.get(i).is(event, began)) {
        return open.get(i);
      }
    }
    return null;
  }

  /**
   * All that was recorded before has come, and all that was recorded before the end of the flush
   * before it.
   *
   * @param now the time of the newest event
   */
  void flush(long now, SpanOutput out) {
    ended.removeIf(span -> isEarlier(span.flushes));
    endBounded(span -> isEarlier(span.boundedAt), out);
    for (OpenSpan span : open) {
      if (isLong(span, now)) {
        beginIfHeld(span, out);
      }
    }
  }

  /** Whether something was noted before the last flush. */
  private boolean isEarlier(int notedAt) {
    return notedAt != flushes.getAsInt();
  }

  private static boolean isLong(OpenSpan span, long now) {
    return now - span.began > LONG_NANOS;
  }

  /** Whether a flush would change something. */
  boolean needsFlush(long now) {
    return ended.stream().anyMatch(it -> isEarlier(it.flushes))
        || open.stream()
            .anyMatch(
                it ->
                    (it.isBounded && isEarlier(it.boundedAt))
                        || (!it.isWritten && isLong(it, now)));
  }

  /** Writes the begins that are held, since no more comes. */
  void finish(SpanOutput out) {
    endBounded(span -> true, out);
    open.sort(OUTER_FIRST);
    open.forEach(span -> beginIfHeld(span, out));
  }

  private void endBounded(Predicate<OpenSpan> which, SpanOutput out) {
    List<OpenSpan> bounded =
        open.stream()
            .filter(span -> span.isBounded)
            .filter(which)
            .sorted(OUTER_FIRST.reversed())
            .toList();
    for (OpenSpan span : bounded) {
      open.remove(span);
      beginIfHeld(span, out);
      long time = Math.max(span.latestEnd, span.latest);
      thread.end(span, time, Note.END_DROPPED, out);
      remember(span, time, false);
    }
  }

  /** The open spans whose begin is in the file. */
  List<OpenSpan> written() {
    return open.stream().filter(span -> span.isWritten).toList();
  }

  void forget(SpanOutput out) {
    open.sort(OUTER_FIRST);
    for (int i = open.size() - 1; i >= 0; i--) {
      if (open.get(i).isWritten) { // the others are written when they end
        thread.endAtLast(open.get(i), Note.END_NOT_FOLLOWED, out);
      }
    }
    open.clear();
    ended.clear();
  }
}
