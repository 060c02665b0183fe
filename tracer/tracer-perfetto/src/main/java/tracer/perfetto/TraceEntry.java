package tracer.perfetto;

import java.time.Instant;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * An event of a file, or the mark of lost ones.
 *
 * @param time when it was recorded
 * @param lane the name of its lane
 * @param name what kind of event it is
 * @param thread the number of its thread; 0 for marks
 * @param threadName the name of its thread; empty for marks
 * @param values its values, as {@link Long} or {@link String}: a, b and c; or text; or hex
 * @param isLoss whether it is the mark of lost events; its values are count, reason, lane, nanos
 */
public record TraceEntry(
    Instant time,
    String lane,
    String name,
    long thread,
    String threadName,
    Map<String, Object> values,
    boolean isLoss) {

  /** Copies the map, keeping its order. */
  public TraceEntry {
    values = Collections.unmodifiableMap(new LinkedHashMap<>(values));
  }
}
