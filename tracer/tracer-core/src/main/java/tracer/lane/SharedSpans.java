package tracer.lane;

import static java.lang.System.Logger.Level.WARNING;

import holdfast.log.LibraryLogger;
import holdfast.time.TimeSource;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * The open spans of threads that share writers, so that closing one closes those in it. Safe for
 * use by many threads.
 */
final class SharedSpans {
  /*
   * A thread that ends without ending its spans leaves its entry. Where there are as many entries as
   * there may be, those of threads that have ended are removed. If these were few, it is not looked
   * for them again for a second: a look costs as much as all entries.
   */
  private static final int MOST_THREADS = 1 << 14;
  private static final int MOST_OF_A_THREAD = 1 << 12;
  private static final int FEW = 8;
  private static final long PAUSE_NANOS = 1_000_000_000;
  private static final System.Logger LOG = LibraryLogger.of("tracer");

  /** The open spans of one thread, which alone looks into the list. */
  private record OfThread(Thread thread, List<SharedSpan> spans) {}

  private final ConcurrentMap<Long, OfThread> open = new ConcurrentHashMap<>();
  private final int most;
  private final AtomicBoolean looking = new AtomicBoolean();
  private final AtomicBoolean warned = new AtomicBoolean();
  private volatile boolean paused;
  private volatile long lastLook;

  SharedSpans() {
    this(MOST_THREADS);
  }

  /** The spans of so many threads. */
  SharedSpans(int most) {
    this.most = most;
  }

  /**
   * The open spans of a thread, where the next one is to be added; null if it may have no more.
   *
   * @param time the clock
   */
  @Nullable List<SharedSpan> of(Thread thread, TimeSource time) {
    StackHeadroom.require(); // a map must not be left in the middle
    OfThread found = open.get(thread.getId());
    if (found == null && open.size() >= most && !makeRoom(time.nanoTime())) {
      return null;
    }
    if (found == null) {
      found = new OfThread(thread, new ArrayList<>(1));
      open.put(thread.getId(), found);
    }
    return found.spans.size() < MOST_OF_A_THREAD ? found.spans : null;
  }

  /** Whether there is room for one more thread; if not, that is logged once. */
  private boolean makeRoom(long now) {
    if (paused && now - lastLook < PAUSE_NANOS) {
      return false;
    }
    if (!looking.compareAndSet(false, true)) {
      return true; // another thread makes room
    }
    try {
      removeEnded(now);
    } finally {
      looking.set(false);
    }
    boolean hasRoom = open.size() < most;
    if (!hasRoom && !warned.getAndSet(true)) {
      LOG.log(
          WARNING,
          "tracer does not record begin(event) on further threads: "
              + most
              + " threads that share rings have spans open; end each span with end(event), or use"
              + " try (TraceSpan span = tracer.index().span(event)) in place of begin");
    }
    return hasRoom;
  }

  private void removeEnded(long now) {
    int before = open.size();
    open.values().removeIf(it -> !it.thread.isAlive());
    lastLook = now;
    paused = before - open.size() <= most / FEW;
  }

  /** Ends a span after those that were begun in it. */
  void end(Thread thread, SharedSpan span) {
    StackHeadroom.require();
    OfThread found = open.get(thread.getId());
    int place = found == null ? -1 : found.spans.lastIndexOf(span);
    if (found == null || place < 0) {
      span.end(); // of a thread that may have no more
    } else {
      endFrom(place, found);
    }
  }

  /** Ends the innermost of that kind, after those that were begun in it. */
  void end(Thread thread, int event) {
    OfThread found = open.isEmpty() ? null : open.get(thread.getId());
    if (found == null) {
      return;
    }
    StackHeadroom.require();
    int innermost = found.spans.size() - 1;
    while (innermost >= 0 && !found.spans.get(innermost).isOf(event)) {
      innermost--;
    }
    if (innermost >= 0) {
      endFrom(innermost, found);
    }
  }

  private void endFrom(int outermost, OfThread found) {
    for (int i = found.spans.size() - 1; i >= outermost; i--) {
      found.spans.remove(i).end();
    }
    if (found.spans.isEmpty()) {
      open.remove(found.thread.getId());
    }
  }
}
