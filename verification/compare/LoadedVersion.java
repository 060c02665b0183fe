import eventbus.Event;
import eventbus.EventBus;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.function.Consumer;
import javax.sql.DataSource;
import outbox.EventEnvelope;
import outbox.jdbc.JdbcOutbox;
import outbox.jdbc.JdbcTransactionManager;

/** The version that its class loader finds. Uses only what both versions have. */
public final class LoadedVersion implements Version {

  @Override
  public Node outbox(DataSource dataSource, Consumer<String> listener) {
    JdbcOutbox outbox =
        JdbcOutbox.builder(dataSource)
            .createTables()
            .listener("Measured", event -> listener.accept(event.payloadJson()))
            .build();
    return new Node() {
      @Override
      public void start() {
        outbox.start();
      }

      @Override
      public void publish(String payload, Work other) throws Exception {
        try (JdbcTransactionManager.Transaction tx = outbox.begin()) {
          other.in(tx.connection());
          outbox.publish(EventEnvelope.ofJson("Measured", payload));
          tx.commit();
        }
      }

      @Override
      public void publishAll(int count) {
        List<EventEnvelope> events = new ArrayList<>();
        for (int i = 0; i < count; i++) {
          events.add(EventEnvelope.ofJson("Measured", "{\"number\":" + i + "}"));
        }
        try (JdbcTransactionManager.Transaction tx = outbox.begin()) {
          outbox.publishAll(events);
          tx.commit();
        }
      }

      @Override
      public boolean poll() {
        throw new UnsupportedOperationException("an outbox delivers by itself");
      }

      @Override
      public void close() {
        outbox.close();
      }
    };
  }

  @Override
  public Node bus(DataSource dataSource, Consumer<String> handler) {
    EventBus bus =
        EventBus.builder(dataSource)
            .createTables()
            .handler("Measured", event -> handler.accept(event.payload()))
            .build();
    return new Node() {
      @Override
      public void start() {
        bus.start();
      }

      @Override
      public void publish(String payload, Work other) {
        bus.publish(Event.of("Measured", payload));
      }

      @Override
      public void publishAll(int count) {
        bus.publishAll(Collections.nCopies(count, Event.of("Measured", "{\"number\":1}")));
      }

      @Override
      public boolean poll() {
        return bus.poll().isPresent();
      }

      @Override
      public void close() {
        bus.close();
      }
    };
  }
}
