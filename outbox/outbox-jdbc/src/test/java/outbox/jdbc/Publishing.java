package outbox.jdbc;

import java.util.ArrayList;
import java.util.List;
import outbox.EventEnvelope;

/** Publishes events as a test needs them: each in a transaction of its own. */
final class Publishing {
  private Publishing() {}

  static String publish(JdbcOutbox outbox, EventEnvelope event) {
    try (JdbcTransactionManager.Transaction tx = outbox.begin()) {
      String id = outbox.publish(event);
      tx.commit();
      return id;
    }
  }

  static List<String> publish(JdbcOutbox outbox, String type, int count) {
    List<EventEnvelope> events = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      events.add(EventEnvelope.ofJson(type, "{}"));
    }
    try (JdbcTransactionManager.Transaction tx = outbox.begin()) {
      List<String> ids = outbox.publishAll(events);
      tx.commit();
      return ids;
    }
  }

  static EventEnvelope.Builder ordered(String type, String aggregateId) {
    return EventEnvelope.builder(type)
        .aggregateType("Order")
        .aggregateId(aggregateId)
        .ordered()
        .payloadJson("{}");
  }
}
