package outbox.spring.boot;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.actuate.endpoint.annotation.Endpoint;
import org.springframework.boot.actuate.endpoint.annotation.ReadOperation;
import outbox.jdbc.JdbcOutbox;
import outbox.jdbc.OutboxBacklog;

/** The Actuator endpoint {@code outbox}: this node's numbers. Safe for use by many threads. */
@Endpoint(id = "outbox")
final class OutboxEndpoint {
  private final JdbcOutbox outbox;
  private final ListenerBeans listeners;
  private final OutboxBacklog backlog;
  private final @Nullable OutboxCounters counters;

  OutboxEndpoint(
      JdbcOutbox outbox,
      ListenerBeans listeners,
      OutboxBacklog backlog,
      @Nullable OutboxCounters counters) {
    this.outbox = outbox;
    this.listeners = listeners;
    this.backlog = backlog;
    this.counters = counters;
  }

  /**
   * The numbers as they stand; counts and queues are missing with a metrics exporter of its own.
   */
  @ReadOperation
  public Map<String, Object> numbers() {
    Map<String, Object> numbers = new LinkedHashMap<>();
    numbers.put("inHand", outbox.dispatcher().inHand());
    if (counters != null) {
      numbers.put(
          "queues",
          Map.of(
              "hot", counters.value(OutboxMeter.HOT_DEPTH),
              "cold", counters.value(OutboxMeter.COLD_DEPTH)));
      numbers.put("counts", counters.counts());
    }
    numbers.put("backlogAge", backlog.overdue().orElse(Duration.ZERO).toString());
    numbers.put("types", listeners.types());
    return numbers;
  }
}
