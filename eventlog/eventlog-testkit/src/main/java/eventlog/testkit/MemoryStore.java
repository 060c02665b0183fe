package eventlog.testkit;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;

/** Events in memory, as many as a test sends. Safe for use by many threads. */
final class MemoryStore implements EventStore {
  private final Map<String, StoredEvent> events = new LinkedHashMap<>();

  @Override
  public synchronized int store(List<StoredEvent> sent) {
    int before = events.size();
    for (StoredEvent event : sent) {
      events.merge(event.idempotencyKey(), event, (old, copy) -> again(old));
    }
    return events.size() - before;
  }

  private static StoredEvent again(StoredEvent old) {
    return new StoredEvent(
        old.idempotencyKey(), old.correlationId(), old.traceId(), old.json(), old.copies() + 1);
  }

  @Override
  public synchronized List<StoredEvent> all() {
    return List.copyOf(events.values());
  }

  @Override
  public List<StoredEvent> withCorrelationId(String correlationId) {
    return found(event -> event.correlationId().equals(correlationId));
  }

  @Override
  public List<StoredEvent> withTraceId(String traceId) {
    return found(event -> event.traceId().equals(traceId));
  }

  private synchronized List<StoredEvent> found(Predicate<StoredEvent> wanted) {
    return events.values().stream().filter(wanted).toList();
  }

  @Override
  public void close() {}
}
