package tracer.tool;

import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import tracer.perfetto.TraceEntry;
import tracer.sink.TracePhase;

/** Entries as lines of text, for people and for programs. Stateless. */
final class EntryText {
  private EntryText() {}

  /** For people. */
  static String line(TraceEntry entry) {
    StringBuilder line = new StringBuilder();
    line.append(entry.time()).append(' ').append(entry.lane()).append(' ');
    line.append(entry.isLoss() ? "LOST" : word(entry.name()));
    if (entry.phase() != TracePhase.INSTANT) {
      line.append(' ').append(entry.phase().name().toLowerCase(Locale.ROOT));
    }
    line.append(" process=").append(entry.pid());
    name(line, "processName", entry.processName());
    if (hasThread(entry)) {
      line.append(" thread=").append(entry.thread());
      name(line, "threadName", entry.threadName());
    }
    entry
        .values()
        .forEach(
            (name, value) ->
                line.append(' ')
                    .append(name)
                    .append('=')
                    .append(value instanceof String text ? quoted(text) : value));
    return line.toString();
  }

  private static void name(StringBuilder line, String key, String name) {
    if (!name.isEmpty()) {
      line.append(' ').append(key).append('=').append(word(name));
    }
  }

  /** One JSON object. */
  static String json(TraceEntry entry) {
    Map<String, Object> members = new LinkedHashMap<>();
    members.put("time", entry.time().toString());
    members.put("lane", entry.lane());
    members.put("event", entry.name());
    if (entry.phase() != TracePhase.INSTANT) {
      members.put("phase", entry.phase().name());
    }
    members.put("process", entry.pid());
    members.put("processName", entry.processName());
    if (hasThread(entry)) {
      members.put("thread", entry.thread());
      members.put("threadName", entry.threadName());
    }
    entry.values().forEach(members::putIfAbsent);
    return object(members);
  }

  /** One JSON object; its values are texts, numbers, booleans or maps of these. */
  static String object(Map<?, ?> members) {
    StringBuilder json = new StringBuilder("{");
    members.forEach(
        (name, value) -> {
          json.append(json.length() == 1 ? "" : ",").append(quoted(name.toString())).append(':');
          if (value instanceof Map<?, ?> inner) {
            json.append(object(inner));
          } else {
            json.append(isPlain(value) ? value : quoted(value.toString()));
          }
        });
    return json.append('}').toString();
  }

  /** Marks of shared rings, asynchronous spans and counters are of no thread. */
  static boolean hasThread(TraceEntry entry) {
    TracePhase phase = entry.phase();
    boolean mayHaveNone =
        entry.isLoss()
            || phase == TracePhase.ASYNC_BEGIN
            || phase == TracePhase.ASYNC_END
            || phase == TracePhase.COUNTER;
    return !mayHaveNone || entry.thread() > 0;
  }

  /** Whether a value is one in JSON as it is: no text, and no number that JSON does not have. */
  private static boolean isPlain(Object value) {
    return !(value instanceof String)
        && !(value instanceof Double number && !Double.isFinite(number));
  }

  /** A name as it is, or in quotation marks if it would not be one word. */
  static String word(String name) {
    boolean plain =
        !name.isEmpty()
            && name.chars()
                .noneMatch(
                    c ->
                        Character.isISOControl(c)
                            || Character.isSpaceChar(c)
                            || c == '"'
                            || c == '\\');
    return plain ? name : quoted(name);
  }

  /** A text as JSON has it. */
  static String quoted(String text) {
    StringBuilder quoted = new StringBuilder("\"");
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      switch (c) {
        case '"' -> quoted.append("\\\"");
        case '\\' -> quoted.append("\\\\");
        case '\n' -> quoted.append("\\n");
        case '\r' -> quoted.append("\\r");
        case '\t' -> quoted.append("\\t");
        default -> {
          if (Character.isISOControl(c)) {
            quoted.append("\\u%04x".formatted((int) c));
          } else {
            quoted.append(c);
          }
        }
      }
    }
    return quoted.append('"').toString();
  }
}
