package relay.kafka;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import holdfast.testkit.db.ConnectionPool;
import holdfast.testkit.db.DatabaseKind;
import holdfast.testkit.db.TestDatabase;
import holdfast.testkit.process.Acknowledged;
import holdfast.testkit.process.ChildJvm;
import holdfast.testkit.threads.Eventually;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import outbox.EventEnvelope;
import outbox.dispatch.LeaseSettings;
import outbox.jdbc.JdbcOutbox;
import outbox.jdbc.JdbcTransactionManager;

/** A relay that is killed in the middle of its work loses nothing and keeps the order. */
@Timeout(180)
class KilledRelayTest {
  private static final int EVENTS = 2_000;
  private static final int AGGREGATES = 20;
  private static final List<Integer> KILLED_AT = List.of(700);

  /** What is to be killed sends no more than so many, however late it is killed. */
  private static final int MOST = 1_200;

  private static final String TOPIC = "killed";

  /** Relays until it is killed. */
  static final class RelayMain {
    public static void main(String[] args) throws InterruptedException {
      Semaphore left = new Semaphore(Integer.parseInt(args[5]));
      KafkaRelay relay =
          KafkaRelay.builder(Map.of("bootstrap.servers", args[3]), Shop.SOURCE)
              .topic(
                  event -> {
                    left.acquireUninterruptibly();
                    return TOPIC;
                  })
              .build();
      JdbcOutbox outbox = outbox(args[0], args[1], args[2], args[4], relay);
      relay.start();
      outbox.start();
      Acknowledged.line("started");
      new CountDownLatch(1).await();
    }

    private static JdbcOutbox outbox(
        String url, String user, String password, String node, KafkaRelay relay) {
      ConnectionPool pool =
          ConnectionPool.over(() -> DriverManager.getConnection(url, user, password));
      return JdbcOutbox.builder(pool)
          .lease(
              new LeaseSettings(
                  node,
                  Duration.ofSeconds(5), // longer than a busy machine keeps a process waiting
                  Duration.ofMillis(500),
                  Duration.ofMillis(100),
                  Duration.ofMinutes(1)))
          .pollInterval(Duration.ofMillis(50))
          .listenerForAll(relay)
          .build();
    }
  }

  private static ChildJvm started(TestDatabase database, KafkaBroker broker, String node, int most)
      throws InterruptedException {
    ChildJvm child =
        ChildJvm.of(
                RelayMain.class,
                database.url(),
                database.user(),
                database.password(),
                broker.address(),
                node,
                String.valueOf(most))
            .jvmOptions("-Xmx128m", "-XX:TieredStopAtLevel=1")
            .start();
    child.awaitLine("started"::equals, Duration.ofSeconds(60));
    return child;
  }

  private static int done(TestDatabase database) throws SQLException {
    try (Connection connection = database.connect();
        Statement statement = connection.createStatement();
        ResultSet rows =
            statement.executeQuery("SELECT COUNT(*) FROM outbox_event WHERE status = 1")) {
      rows.next();
      return rows.getInt(1);
    }
  }

  private static void publish(TestDatabase database) {
    try (JdbcOutbox publisher =
        JdbcOutbox.builder(database.dataSource()).createTables().publishOnly().build()) {
      for (int i = 0; i < EVENTS; i += AGGREGATES) {
        List<EventEnvelope> events = new ArrayList<>();
        for (int a = 0; a < AGGREGATES; a++) {
          String payload = "{\"n\":" + (10_000 + i) + "}";
          events.add(Shop.order("o-" + a).ordered().payloadJson(payload).build());
        }
        try (JdbcTransactionManager.Transaction tx = publisher.begin()) {
          publisher.publishAll(events);
          tx.commit();
        }
      }
    }
  }

  @Test
  void everyCommittedEventIsOnTheTopicInOrderWhoeverIsKilled() throws Exception {
    KafkaBroker broker = KafkaBroker.running();
    broker.createTopic(TOPIC, 4);
    try (TestDatabase database = TestDatabase.open(DatabaseKind.POSTGRESQL)) {
      publish(database);
      for (int most : KILLED_AT) {
        try (ChildJvm child = started(database, broker, "node-" + most, MOST)) {
          Eventually.await(most + " done", Duration.ofSeconds(60), () -> done(database) >= most);
          assertThat(child.kill()).isEqualTo(137);
          assertThat(done(database)).as("killed in the middle").isLessThan(EVENTS);
        }
      }
      try (ChildJvm survivor = started(database, broker, "survivor", EVENTS)) {
        Eventually.await("all done", Duration.ofSeconds(90), () -> done(database) == EVENTS);
        assertThat(survivor.isAlive()).isTrue();
      }
    }
    assertOnTopic(broker.records(TOPIC));
  }

  private static void assertOnTopic(List<ConsumerRecord<String, byte[]>> records) {
    Map<String, Set<String>> firstOccurrences = new HashMap<>();
    for (ConsumerRecord<String, byte[]> record : records) {
      firstOccurrences
          .computeIfAbsent(record.key(), aggregate -> new LinkedHashSet<>())
          .add(new String(record.value(), UTF_8));
    }
    assertThat(firstOccurrences).hasSize(AGGREGATES);
    assertThat(firstOccurrences.values())
        .allSatisfy(
            values -> assertThat(new ArrayList<>(values)).hasSize(EVENTS / AGGREGATES).isSorted());
    int repeats = records.size() - EVENTS;
    System.out.printf(
        "%d kills, %d records, %d of them repeats%n", KILLED_AT.size(), records.size(), repeats);
    // One event of an aggregate is in flight at a time, so a kill repeats one of each at most.
    assertThat(repeats).isBetween(0, KILLED_AT.size() * AGGREGATES);
  }
}
