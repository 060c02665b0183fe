package eventlog.testkit;

import java.util.List;

/**
 * Where the server keeps events, one for each idempotency key. Must be safe for use by many
 * threads. A method that throws makes the server answer 500.
 */
public interface EventStore extends AutoCloseable {

  /**
   * Stores events, all or none. One whose key is stored already only has its copies counted.
   *
   * @param events the events, in the order they came
   * @return how many were new
   */
  int store(List<StoredEvent> events);

  /** Returns every event, the oldest first. */
  List<StoredEvent> all();

  /** Returns the events with a correlation id, the oldest first. */
  List<StoredEvent> withCorrelationId(String correlationId);

  /** Returns the events with a trace id, the oldest first. */
  List<StoredEvent> withTraceId(String traceId);

  @Override
  void close();
}
