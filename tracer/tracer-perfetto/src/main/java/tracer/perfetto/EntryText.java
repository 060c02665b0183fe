package tracer.perfetto;

import java.util.LinkedHashMap;
import java.util.Map;

/** Entries as lines of text, for people and for programs. Stateless. */
final class EntryText {
  private EntryText() {}

  /** For people. */
  static String line(TraceEntry entry) {
    StringBuilder line = new StringBuilder();
    line.append(entry.time()).append(' ').append(entry.lane()).append(' ');
    line.append(entry.isLoss() ? "LOST" : word(entry.name()));
    if (!entry.isLoss()) {
      line.append(" thread=").append(entry.thread());
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

  /** One JSON object. */
  static String json(TraceEntry entry) {
    Map<String, Object> members = new LinkedHashMap<>();
    members.put("time", entry.time().toString());
    members.put("lane", entry.lane());
    members.put("event", entry.name());
    if (!entry.isLoss()) {
      members.put("thread", entry.thread());
      members.put("threadName", entry.threadName());
    }
    entry.values().forEach(members::putIfAbsent);
    StringBuilder json = new StringBuilder("{");
    members.forEach(
        (name, value) -> {
          json.append(json.length() == 1 ? "" : ",").append(quoted(name)).append(':');
          json.append(value instanceof String text ? quoted(text) : value);
        });
    return json.append('}').toString();
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

  private static String quoted(String text) {
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
