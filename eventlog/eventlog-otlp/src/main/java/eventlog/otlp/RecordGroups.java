package eventlog.otlp;

import eventlog.EventLogEntry;
import eventlog.spi.EntryReader;
import eventlog.spi.EntryWriter;
import eventlog.spi.JsonBuffer;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The events of a request as OTLP groups them: by application, which is the resource, and by scope.
 * Stateless.
 */
final class RecordGroups {
  private static final int BYTES_PER_EVENT = 1024;

  private RecordGroups() {}

  /**
   * The records by application and scope, in the order they come.
   *
   * @throws eventlog.spi.UnwritableEntryException if an event holds what cannot be written
   */
  static Map<String, Map<String, List<LogRecord>>> of(List<EventLogEntry> events) {
    Map<String, Map<String, List<LogRecord>>> groups = new LinkedHashMap<>();
    for (EventLogEntry event : events) {
      EventLogEntry plain = plain(event);
      groups
          .computeIfAbsent(plain.applicationId(), application -> new LinkedHashMap<>())
          .computeIfAbsent(RecordMapping.scope(plain), scope -> new ArrayList<>())
          .add(RecordMapping.record(plain));
    }
    return groups;
  }

  /** The event with objects of the application as the maps and lists that their JSON has. */
  private static EventLogEntry plain(EventLogEntry event) {
    if (isPlain(event.metadata(), 0) && isPlain(event.identifiers(), 0)) {
      return event;
    }
    JsonBuffer json = new JsonBuffer(BYTES_PER_EVENT);
    new EntryWriter(Integer.MAX_VALUE).write(event, json);
    return new EntryReader().read(json.array(), 0, json.length());
  }

  private static boolean isPlain(@Nullable Object value, int level) {
    if (value == null
        || value instanceof String
        || value instanceof Number
        || value instanceof Boolean) {
      return true;
    }
    if (level > AttributeValues.MOST_LEVELS) {
      return false; // then writing it as JSON fails, which says why
    }
    if (value instanceof Map<?, ?> map) {
      return map.values().stream().allMatch(each -> isPlain(each, level + 1));
    }
    return value instanceof List<?> list
        && list.stream().allMatch(each -> isPlain(each, level + 1));
  }
}
