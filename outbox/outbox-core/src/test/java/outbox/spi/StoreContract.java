package outbox.spi;

import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.TestInstance;
import outbox.EventEnvelope;
import outbox.model.OutboxEvent;

/** What all parts of the contract kit do over and over. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
public abstract class StoreContract {
  private final StoreUnderTest subject;

  StoreContract(StoreUnderTest subject) {
    this.subject = subject;
  }

  @BeforeEach
  void empty() throws SQLException {
    subject.empty();
  }

  @AfterAll
  void close() throws SQLException {
    subject.close();
  }

  Connection connect() throws SQLException {
    return subject.connect();
  }

  StoredEvent stored(String eventId) throws SQLException {
    return subject.stored(eventId);
  }

  /** An event with an id of the test's choice. */
  static EventEnvelope event(String id) {
    return event(id, Instant.now());
  }

  static EventEnvelope event(String id, Instant occurredAt) {
    return EventEnvelope.builder("T")
        .eventId(id)
        .occurredAt(occurredAt)
        .payloadJson("{\"n\":1}")
        .build();
  }

  static Instant micros(Instant instant) {
    return instant.truncatedTo(ChronoUnit.MICROS);
  }

  static List<String> ids(List<OutboxEvent> rows) {
    return rows.stream().map(OutboxEvent::eventId).toList();
  }

  /** Something done with a connection of its own, in autocommit mode. */
  interface Work<T> {
    T with(Connection conn) throws Exception;
  }

  <T> T on(Work<T> work) throws Exception {
    try (Connection conn = connect()) {
      return work.with(conn);
    }
  }

  int touched(Work<Integer> work) throws Exception {
    return on(work);
  }

  boolean holds(Work<Boolean> work) throws Exception {
    return on(work);
  }

  Set<String> lost(Work<Set<String>> work) throws Exception {
    return on(work);
  }

  /** Something done in a transaction of its own, isolated as the engine does it. */
  <T> T inTransaction(Work<T> work) throws Exception {
    try (Connection conn = connect()) {
      conn.setAutoCommit(false);
      conn.setTransactionIsolation(Connection.TRANSACTION_READ_COMMITTED);
      T result = work.with(conn);
      conn.commit();
      return result;
    }
  }

  static Instant in(Duration fromNow) {
    return Instant.now().plus(fromNow);
  }
}
