package tracer.tool;

import java.util.HashMap;
import java.util.Map;
import java.util.function.Consumer;
import tracer.perfetto.TraceEntry;
import tracer.sink.TracePhase;

/**
 * Makes one span of those that were ended in a file and begun again in the next, because the file
 * was full. Confined to one call.
 */
final class JoinedSpans implements Consumer<TraceEntry> {
  private final Consumer<TraceEntry> entries;

  /** How many spans of a track have ended with their file, and were not begun again so far. */
  private final Map<Long, Integer> torn = new HashMap<>();

  /**
   * Spans as they were recorded.
   *
   * @param entries gets all entries but the ends and begins that files have made necessary
   */
  JoinedSpans(Consumer<TraceEntry> entries) {
    this.entries = entries;
  }

  /** Takes an entry, no older than the one before. */
  @Override
  public void accept(TraceEntry entry) {
    TracePhase phase = entry.phase();
    boolean isEnd = phase == TracePhase.END || phase == TracePhase.ASYNC_END;
    boolean isBegin = phase == TracePhase.BEGIN || phase == TracePhase.ASYNC_BEGIN;
    if (isEnd && "in a later file".equals(entry.values().get("end"))) {
      torn.merge(entry.track(), 1, Integer::sum);
    } else if (!isBegin
        || !"in an earlier file".equals(entry.values().get("begin"))
        || !goesOn(entry.track())) {
      entries.accept(entry);
    }
  }

  /** Whether a span of that track was torn, which goes on now. */
  private boolean goesOn(long track) {
    Integer count = torn.get(track);
    if (count == null) {
      return false; // the file before is not read
    }
    if (count == 1) {
      torn.remove(track);
    } else {
      torn.put(track, count - 1);
    }
    return true;
  }
}
