package eventlog;

import java.util.ArrayList;
import java.util.List;

/** Events to test with. */
public final class Events {
  private Events() {}

  /** An event with the required fields and a key that is easy to find. */
  public static EventLogEntry event(String key) {
    return builder(key).build();
  }

  /** Events with the keys prefix-0, prefix-1 and so on. */
  public static List<EventLogEntry> events(String prefix, int count) {
    List<EventLogEntry> events = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      events.add(event(prefix + "-" + i));
    }
    return events;
  }

  /** An event in the making, with the required fields. */
  public static EventLogEntryBuilder builder(String key) {
    return EventLogEntry.builder()
        .correlationId("order-42")
        .traceId("4bf92f3577b34da6a3ce929d0e0e4736")
        .applicationId("shop")
        .targetSystem("warehouse")
        .originatingSystem("web")
        .processName("PlaceOrder")
        .eventType(EventType.STEP)
        .eventStatus(EventStatus.SUCCESS)
        .summary("Stock reserved")
        .result("3 items")
        .idempotencyKey(key);
  }

  /** The keys of events, in order. */
  public static List<String> keys(List<EventLogEntry> events) {
    return events.stream().map(EventLogEntry::idempotencyKey).toList();
  }
}
