package holdfast.verification.migration;

import static org.assertj.core.api.Assertions.assertThat;

import eventbus.Event;
import eventbus.EventBus;
import eventbus.EventBusSchema;
import failover.jdbc.JdbcFailoverStore;
import failover.key.canonical.CanonicalKeys;
import failover.store.ReferentialPayload;
import failover.store.ReferentialPayload.Payload;
import holdfast.testkit.threads.Eventually;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Instant;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import javax.sql.DataSource;
import outbox.EventEnvelope;
import outbox.jdbc.Inbox;
import outbox.jdbc.JdbcOutbox;
import outbox.jdbc.JdbcOutboxRepository;
import outbox.jdbc.JdbcTransactionManager;

/** The libraries at work on tables that somebody else has created. */
record Libraries(DataSource dataSource) {

  /** Each library does its work once, on tables of the usual names. */
  void work() throws Exception {
    outboxDelivers(JdbcOutboxRepository.DEFAULT_TABLE);
    inboxReceivesOnce(Inbox.DEFAULT_TABLE);
    busDelivers(EventBusSchema.DEFAULT_EVENTS_TABLE, EventBusSchema.DEFAULT_LOG_TABLE);
    storeFinds("");
  }

  void outboxDelivers(String table) throws Exception {
    Queue<String> delivered = new ConcurrentLinkedQueue<>();
    try (JdbcOutbox outbox =
        JdbcOutbox.builder(dataSource)
            .table(table)
            .listener("Placed", event -> delivered.add(event.eventId()))
            .build()) {
      outbox.start();
      String id;
      try (JdbcTransactionManager.Transaction tx = outbox.begin()) {
        id = outbox.publish(EventEnvelope.ofJson("Placed", "{}"));
        tx.commit();
      }
      Eventually.await("the event to be delivered", () -> delivered.contains(id));
    }
  }

  void inboxReceivesOnce(String table) throws SQLException {
    Inbox inbox = new Inbox(table);
    try (Connection connection = dataSource.getConnection()) {
      connection.setAutoCommit(false);
      assertThat(inbox.firstTime(connection, "mailer", "1")).isTrue();
      assertThat(inbox.firstTime(connection, "mailer", "1")).isFalse();
      connection.commit();
    }
  }

  void busDelivers(String events, String log) throws Exception {
    Queue<Long> delivered = new ConcurrentLinkedQueue<>();
    try (EventBus bus =
        EventBus.builder(dataSource)
            .tables(events, log)
            .handler("Placed", event -> delivered.add(event.id()))
            .build()) {
      bus.start();
      long id = bus.publish(Event.of("Placed", "{}"));
      Eventually.await("the event to be delivered", () -> delivered.contains(id));
    }
  }

  void storeFinds(String prefix) {
    try (JdbcFailoverStore store = new JdbcFailoverStore(dataSource, prefix)) {
      ReferentialPayload answer =
          new ReferentialPayload(
              CanonicalKeys.ofText("price", "1"),
              Instant.parse("2026-01-01T00:00:00Z"),
              Instant.parse("2036-01-01T00:00:00Z"),
              Payload.ofBytes("a.Type", 1, new byte[] {1}));
      store.store(answer);
      assertThat(store.find(answer.key())).isPresent();
    }
  }
}
