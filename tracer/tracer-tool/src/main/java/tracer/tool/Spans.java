package tracer.tool;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;
import tracer.perfetto.TraceEntry;

/**
 * Puts begins and ends together, in the order of their times. Confined to one call.
 *
 * <p>A span of a thread lasts without those that were begun in it for its own time. An asynchronous
 * span lies in no other.
 */
final class Spans {
  private final Listener listener;
  private final Map<Long, Deque<Open>> tracks = new HashMap<>();

  /** Is told of each span that has ended. */
  @FunctionalInterface
  interface Listener {

    /**
     * A span has ended.
     *
     * @param begin its begin
     * @param total how long it took
     * @param self how long it took without those in it
     */
    void ended(TraceEntry begin, Duration total, Duration self);
  }

  Spans(Listener listener) {
    this.listener = listener;
  }

  /** A span that has not ended, and how long those in it took. */
  private static final class Open {
    final TraceEntry begin;
    Duration inner = Duration.ZERO;

    Open(TraceEntry begin) {
      this.begin = begin;
    }
  }

  /** Takes an entry, no older than the one before. */
  void add(TraceEntry entry) {
    switch (entry.phase()) {
      case BEGIN, ASYNC_BEGIN ->
          tracks.computeIfAbsent(entry.track(), track -> new ArrayDeque<>()).push(new Open(entry));
      case END, ASYNC_END -> end(entry.track(), entry.time());
      case INSTANT, COUNTER, FLOW, FLOW_END -> {
        // no span
      }
    }
  }

  private void end(long track, Instant time) {
    Deque<Open> open = tracks.get(track);
    if (open == null) {
      return; // begun in a file that is not read
    }
    Open ended = open.pop();
    Duration total = Duration.between(ended.begin.time(), time);
    listener.ended(ended.begin, total, total.minus(ended.inner));
    if (open.isEmpty()) {
      tracks.remove(track);
    } else {
      Open outer = open.peek();
      outer.inner = outer.inner.plus(total);
    }
  }

  /** The begins of spans that have not ended. */
  Iterable<TraceEntry> open() {
    return tracks.values().stream().flatMap(Deque::stream).map(open -> open.begin).toList();
  }
}
