import eventbus.Event;
import eventbus.EventBus;
import java.lang.reflect.Constructor;
import java.lang.reflect.RecordComponent;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import javax.sql.DataSource;
import outbox.EventEnvelope;
import outbox.jdbc.JdbcOutbox;
import outbox.jdbc.JdbcOutboxRepository;
import outbox.jdbc.JdbcTransactionManager;
import outbox.model.ClaimRequest;
import outbox.model.LeaseTerms;

/** The version that its class loader finds. Uses only what both versions have. */
public final class LoadedVersion implements Version {
  private static final ClaimRequest ONE = requestOf(1);

  /** Versions ask for different things: each is given by its name or type. */
  private static ClaimRequest requestOf(int limit) {
    try {
      Constructor<?> constructor = ClaimRequest.class.getConstructors()[0];
      Object[] values =
          Arrays.stream(ClaimRequest.class.getRecordComponents())
              .map(component -> value(component, limit))
              .toArray();
      return (ClaimRequest) constructor.newInstance(values);
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException("a claim of this version cannot be made", e);
    }
  }

  private static Object value(RecordComponent component, int limit) {
    return switch (component.getType().getSimpleName()) {
      case "LeaseTerms" -> new LeaseTerms("measuring", Duration.ofHours(1));
      case "int" -> component.getName().equals("limit") ? limit : 10;
      case "long" -> 16L << 20;
      case "boolean" -> true;
      case "Map" -> Map.of();
      case "Duration" -> Duration.ZERO;
      case "SuspectLimit" -> suspects(component.getType());
      default -> throw new IllegalStateException("unknown part of a claim: " + component);
    };
  }

  private static Object suspects(Class<?> type) {
    try {
      return type.getConstructors()[0].newInstance(1, 0);
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException("a claim of this version cannot be made", e);
    }
  }

  @Override
  public Node outbox(DataSource dataSource, Consumer<String> listener) {
    JdbcOutbox outbox =
        JdbcOutbox.builder(dataSource)
            .createTables()
            .listener("Measured", event -> listener.accept(event.payloadJson()))
            .build();
    JdbcOutboxRepository store = new JdbcOutboxRepository();
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
      public boolean poll() throws SQLException {
        try (Connection connection = dataSource.getConnection()) {
          connection.setAutoCommit(false);
          boolean found = !store.claim(connection, ONE, id -> true).claims().isEmpty();
          connection.commit();
          return found;
        }
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
