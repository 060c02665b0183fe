package relay.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import holdfast.testkit.db.DatabaseKind;
import holdfast.testkit.db.TestDatabase;
import holdfast.testkit.threads.Eventually;
import java.net.URI;
import java.util.Map;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import outbox.EventEnvelope;
import outbox.jdbc.JdbcOutbox;
import outbox.jdbc.JdbcTransactionManager;

/** The example of docs/relay-kafka.md: compiled here, run here, the same text there. */
@Timeout(120)
class DocumentedExamplesTest {

  @Test
  void tenLines() throws Exception {
    KafkaBroker broker = KafkaBroker.running();
    broker.createTopic("orders.Documented", 1);
    String servers = broker.address();
    try (TestDatabase database = TestDatabase.open(DatabaseKind.H2)) {
      DataSource dataSource = database.dataSource();
      // region relay-kafka
      KafkaRelay relay =
          KafkaRelay.builder(
                  Map.of("bootstrap.servers", servers), URI.create("https://shop.example/orders"))
              .topic("orders.{type}")
              .build();
      JdbcOutbox outbox =
          JdbcOutbox.builder(dataSource).createTables().listenerForAll(relay).build();
      relay.start();
      outbox.start();
      // endregion
      try (relay;
          outbox) {
        try (JdbcTransactionManager.Transaction tx = outbox.begin()) {
          outbox.publish(EventEnvelope.ofJson("Documented", "{}"));
          tx.commit();
        }
        Eventually.await("acknowledged", () -> relay.ledger().acknowledged() == 1);
      }
      assertThat(broker.records("orders.Documented")).hasSize(1);
    }
  }
}
