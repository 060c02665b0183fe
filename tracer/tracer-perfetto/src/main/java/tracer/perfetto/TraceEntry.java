package tracer.perfetto;

import java.time.Instant;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import tracer.sink.TracePhase;

/**
 * An event of a file, or the mark of lost ones.
 *
 * @param time when it was recorded
 * @param lane the name of its lane
 * @param name what kind of event it is
 * @param phase what it says about time
 * @param thread the number of its thread; 0 for marks of rings that several threads share, for
 *     asynchronous spans and for counters
 * @param threadName the name of its thread; empty where the number is 0
 * @param track the number of its track, in all files: the same for the events of one thread, of one
 *     asynchronous span or of one counter, and for no others
 * @param pid the number that stands for its process in files, which no process of another host or
 *     time has; its real number and its host are in the label of the process
 * @param processName the name of its process
 * @param values its values by their names, as {@link Long}, {@link Double}, {@link Boolean} or
 *     {@link String}; text or hex if it has bytes; value of a counter; id of an asynchronous span;
 *     flow or endFlow, the id of a flow; begin or end, what is to be said of a span that was not
 *     recorded like that
 * @param isLoss whether it is the mark of lost events; its values are count, reason, lane, nanos
 */
public record TraceEntry(
    Instant time,
    String lane,
    String name,
    TracePhase phase,
    long thread,
    String threadName,
    long track,
    long pid,
    String processName,
    Map<String, Object> values,
    boolean isLoss) {

  /** Copies the map, keeping its order. */
  public TraceEntry {
    values = Collections.unmodifiableMap(new LinkedHashMap<>(values));
  }
}
