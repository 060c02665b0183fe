package tracer.tool;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tracer.perfetto.TraceEntry;

/**
 * Writes entries in the JSON format of Chrome's trace viewer, which many tools read. Times are
 * microseconds from the first entry on. Confined to one call.
 */
final class ChromeJson {
  private final Writer out;
  private final Set<Long> processes = new HashSet<>();
  private final Set<Long> threads = new HashSet<>();
  private final Set<Object> flows = new HashSet<>();
  private @Nullable Instant start;
  private boolean isFirst = true;

  ChromeJson(Writer out) {
    this.out = out;
  }

  /** Writes an entry, no older than the one before. */
  void add(TraceEntry entry) {
    try {
      introduce(entry);
      event(entry);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Writes the end. */
  void end() throws IOException {
    out.write(isFirst ? "{\"traceEvents\":[" : "");
    out.write(
        "\n],\"displayTimeUnit\":\"ns\",\"otherData\":{\"start\":"
            + EntryText.quoted(start == null ? "" : start.toString())
            + "}}\n");
    out.flush();
  }

  private void introduce(TraceEntry entry) throws IOException {
    if (start == null) {
      start = entry.time();
    }
    if (processes.add(entry.pid())) {
      named("process_name", entry, entry.processName());
    }
    if (entry.thread() > 0 && threads.add(entry.track())) {
      named("thread_name", entry, entry.threadName());
    }
  }

  private void named(String what, TraceEntry entry, String name) throws IOException {
    Map<String, Object> members = new LinkedHashMap<>();
    members.put("ph", "M");
    members.put("name", what);
    members.put("pid", entry.pid());
    members.put("tid", entry.thread());
    members.put("args", Map.of("name", name));
    write(members);
  }

  private void event(TraceEntry entry) throws IOException {
    switch (entry.phase()) {
      case BEGIN -> write(members("B", entry));
      case END -> write(members("E", entry));
      case ASYNC_BEGIN -> write(async("b", entry));
      case ASYNC_END -> write(async("e", entry));
      case COUNTER -> write(members("C", entry));
      case INSTANT, FLOW, FLOW_END -> {
        Map<String, Object> members = members("i", entry);
        members.put("s", entry.thread() > 0 ? "t" : "p");
        write(members);
      }
    }
    flow(entry, "flow");
    flow(entry, "endFlow");
  }

  private Map<String, Object> members(String kind, TraceEntry entry) {
    Map<String, Object> members = new LinkedHashMap<>();
    members.put("ph", kind);
    members.put("name", entry.name());
    members.put("cat", categories(entry));
    members.put("ts", new Micros(Duration.between(start(), entry.time()).toNanos()));
    members.put("pid", entry.pid());
    members.put("tid", entry.thread());
    members.put("args", entry.values());
    return members;
  }

  /** The lane, and the category of the kind of event. */
  private static String categories(TraceEntry entry) {
    if (entry.isLoss() || entry.name().isEmpty()) {
      return entry.lane();
    }
    int dot = entry.name().indexOf('.');
    return entry.lane() + ',' + (dot < 0 ? entry.name() : entry.name().substring(0, dot));
  }

  private Map<String, Object> async(String kind, TraceEntry entry) {
    Map<String, Object> members = members(kind, entry);
    members.put("id", "0x" + Long.toHexString(entry.track()));
    return members;
  }

  /** An arrow comes from where the flow was before, so it has a beginning and steps. */
  private void flow(TraceEntry entry, String value) throws IOException {
    Object id = entry.values().get(value);
    if (id == null) {
      return;
    }
    boolean begins = flows.add(id);
    boolean ends = value.equals("endFlow");
    if (ends) {
      flows.remove(id);
    }
    Map<String, Object> members = members(begins ? "s" : ends ? "f" : "t", entry);
    members.put("name", "flow");
    members.put("id", id.toString());
    if (ends) {
      members.put("bp", "e");
    }
    members.put("args", Map.of());
    write(members);
  }

  private Instant start() {
    return start == null ? Instant.EPOCH : start;
  }

  private void write(Map<String, Object> members) throws IOException {
    out.write(isFirst ? "{\"traceEvents\":[\n" : ",\n");
    isFirst = false;
    out.write(EntryText.object(members));
  }

  /** A number of microseconds with all its digits. */
  private record Micros(long nanos) {
    @Override
    public String toString() {
      return nanos / 1_000 + "." + String.valueOf(1_000 + nanos % 1_000).substring(1);
    }
  }
}
