package benchmarks.eventlog;

import eventlog.AsyncEventLogger;
import eventlog.AsyncEventLoggerBuilder;
import eventlog.EventLogEntry;
import eventlog.EventStatus;
import eventlog.EventType;
import eventlog.spi.EventLogClient;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Events and loggers to measure with. Stateless. */
final class Samples {
  private Samples() {}

  /** An event of usual size: a line of some 330 bytes. */
  static EventLogEntry event(int number) {
    return EventLogEntry.builder()
        .correlationId("order-" + number)
        .traceId("4bf92f3577b34da6a3ce929d0e0e4736")
        .applicationId("shop")
        .targetSystem("warehouse")
        .originatingSystem("web")
        .processName("PlaceOrder")
        .eventType(EventType.STEP)
        .eventStatus(EventStatus.SUCCESS)
        .identifiers(Map.of("order", number))
        .summary("Stock reserved")
        .result("3 items")
        .build();
  }

  static List<EventLogEntry> events(int count) {
    List<EventLogEntry> events = new ArrayList<>(count);
    for (int i = 0; i < count; i++) {
      events.add(event(i));
    }
    return events;
  }

  /** A logger with room for so many events, in memory and on disk. */
  static AsyncEventLoggerBuilder logger(EventLogClient client, Path directory, int room) {
    return AsyncEventLogger.builder()
        .client(client)
        .spilloverPath(directory)
        .queueCapacity(room)
        .maxSpilloverEvents(Long.MAX_VALUE)
        .maxSpilloverSizeBytes(Long.MAX_VALUE)
        .maxReplayEventsPerSecond(Integer.MAX_VALUE)
        .circuitBreakerThreshold(1)
        .registerShutdownHook(false);
  }
}
