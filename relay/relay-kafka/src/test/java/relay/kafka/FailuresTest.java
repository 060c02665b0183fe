package relay.kafka;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import holdfast.testkit.log.CapturedLog;
import holdfast.testkit.threads.Eventually;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.logging.Level;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import outbox.EventEnvelope;

/** What can never be sent is dead with the reason and the fix; what can be sent later is not. */
@Timeout(180)
class FailuresTest {

  private static KafkaRelayBuilder relay(String address) {
    return KafkaRelay.builder(Shop.impatient(address), Shop.SOURCE);
  }

  private static List<EventEnvelope> orders(int from, int to) {
    List<EventEnvelope> events = new ArrayList<>();
    for (int i = from; i < to; i++) {
      events.add(Shop.order("o-" + i % 10).payloadJson("{\"n\":" + i + "}").build());
    }
    return events;
  }

  private static List<EventEnvelope> ordered(int from, int to) {
    List<EventEnvelope> events = new ArrayList<>();
    for (int i = from; i < to; i++) {
      events.add(Shop.order("ordered-" + i % 2).ordered().payloadJson("{\"n\":" + i + "}").build());
    }
    return events;
  }

  /** What is on the topic by key, each value once, in the order of first occurrences. */
  private static Map<String, Set<String>> valuesByKey(
      List<ConsumerRecord<String, byte[]>> records) {
    Map<String, Set<String>> values = new HashMap<>();
    for (ConsumerRecord<String, byte[]> record : records) {
      values
          .computeIfAbsent(record.key(), key -> new LinkedHashSet<>())
          .add(new String(record.value(), UTF_8));
    }
    return values;
  }

  @Test
  void anUnknownTopicIsAFailureOfItsEventsAlone() throws Exception {
    KafkaBroker broker = KafkaBroker.running();
    broker.createTopic("known", 1);
    try (Shop shop =
        new Shop(
            relay(broker.address()).topic("OrderPlaced", "known").topic("no-{type}").build())) {
      String id = shop.publish(EventEnvelope.ofJson("Lost", "{}"));
      shop.publish(orders(0, 20));
      shop.awaitDone(20);
      shop.awaitDead(1);
      assertThat(shop.lastError(id)).contains("topic 'no-Lost'", "createTopics(partitions");
      assertThat(shop.relay().ledger().failed(FailureReason.UNKNOWN_TOPIC)).isEqualTo(1);
      assertThat(shop.relay().isPaused()).isFalse();
      broker.createTopic("no-Lost", 1);
      shop.outbox().deadEvents().redeliver(id);
      shop.awaitDone(21);
    }
  }

  @Test
  void aTopicIsCreatedIfTheRelayMay() throws Exception {
    KafkaBroker broker = KafkaBroker.running();
    try (Shop shop =
        new Shop(relay(broker.address()).topic("made-{type}").createTopics(4, 1).build())) {
      shop.publish(orders(0, 20));
      shop.awaitDone(20);
    }
    try (Admin admin = broker.admin()) {
      assertThat(
              admin
                  .describeTopics(List.of("made-OrderPlaced"))
                  .allTopicNames()
                  .get()
                  .get("made-OrderPlaced")
                  .partitions())
          .hasSize(4);
    }
    assertThat(broker.records("made-OrderPlaced")).hasSize(20);
  }

  @Test
  void aRecordThatIsTooLargeIsDeadAndOthersAreNot() throws Exception {
    KafkaBroker broker = KafkaBroker.running();
    broker.createTopic("small", 1, Map.of("max.message.bytes", "10000"));
    try (Shop shop = new Shop(relay(broker.address()).topic("small").build())) {
      String forTheTopic =
          shop.publish(Shop.order("o-1").payloadJson('"' + "x".repeat(20_000) + '"').build());
      shop.awaitDead(1);
      String forTheProducer =
          shop.publish(Shop.order("o-1").payloadJson('"' + "x".repeat(1_048_500) + '"').build());
      shop.awaitDead(2);
      shop.publish(orders(0, 10));
      shop.awaitDone(10);
      assertThat(shop.lastError(forTheTopic)).contains("topic 'small'", "max.message.bytes");
      assertThat(shop.lastError(forTheProducer)).contains("max.request.size");
      assertThat(shop.relay().ledger().failed(FailureReason.RECORD_TOO_LARGE)).isEqualTo(2);
    }
  }

  @Test
  void aTypeThatGivesNoTopicNameIsDead() throws Exception {
    KafkaBroker broker = KafkaBroker.running();
    try (Shop shop = new Shop(relay(broker.address()).topic("{tenant}.{type}").build())) {
      String odd =
          shop.publish(EventEnvelope.builder("a b").tenantId("t").payloadJson("1").build());
      String without = shop.publish(EventEnvelope.ofJson("T", "1"));
      shop.awaitDead(2);
      assertThat(shop.lastError(odd)).contains("'t.a b'", "name one with topic(");
      assertThat(shop.lastError(without)).contains("needs {tenant} but the event has none");
      assertThat(shop.relay().ledger().failed(FailureReason.INVALID_TOPIC)).isEqualTo(2);
    }
  }

  @Test
  void whileNoBrokerAnswersEventsWaitAndNoneIsBurned() throws Exception {
    KafkaBroker broker = KafkaBroker.running();
    broker.createTopic("outage", 3);
    try (CapturedLog log = new CapturedLog("relay");
        Shop shop =
            new Shop(
                relay(broker.address())
                    .topic("outage")
                    .probeInterval(Duration.ofMillis(200))
                    .build(),
                outbox -> outbox.maxAttempts(2))) {
      shop.publish(orders(0, 50));
      shop.awaitDone(50);
      long killedAt = System.nanoTime();
      broker.kill();
      shop.publish(orders(50, 500));
      shop.publish(ordered(500, 550));
      Eventually.await("paused", () -> shop.relay().isPaused());
      RelayLedger paused = shop.relay().ledger();
      Eventually.await(
          "probed twice",
          Duration.ofSeconds(60),
          () ->
              shop.relay().ledger().failed(FailureReason.BROKER_UNAVAILABLE)
                  >= paused.failed(FailureReason.BROKER_UNAVAILABLE) + 2);
      assertThat(shop.count("status = 3")).as("dead").isZero();
      Eventually.await("held", () -> shop.relay().ledger().inFlight() > 1);
      broker.start();
      shop.awaitDone(550);
      assertThat(shop.relay().isPaused()).isFalse();
      Map<String, Set<String>> values = valuesByKey(broker.records("outage"));
      assertThat(values.values().stream().mapToInt(Set::size).sum()).isEqualTo(550);
      assertThat(new ArrayList<>(values.get("ordered-0"))).hasSize(25).isSorted();
      assertThat(new ArrayList<>(values.get("ordered-1"))).hasSize(25).isSorted();
      assertThat(shop.count("attempts > 0")).as("burned attempts").isZero();
      long minutes = Duration.ofNanos(System.nanoTime() - killedAt).toMinutes();
      assertThat(log.messages(Level.SEVERE))
          .as("one line, and one for each minute that it took")
          .hasSizeBetween(1, Math.toIntExact(1 + minutes));
      assertThat(log.messages(Level.SEVERE).get(0))
          .startsWith("relay kafka sending failed paused=true topic=outage error=");
      assertThat(log.messages(Level.INFO))
          .filteredOn(line -> line.startsWith("relay kafka sending works again failures="))
          .hasSize(1);
      assertThat(shop.relay().ledger().unaccounted()).isZero();
    }
  }

  @Test
  void aNetworkThatIsCutPausesTheRelayUntilItIsMended() throws Exception {
    KafkaBroker broker = KafkaBroker.running();
    broker.createTopic("cut", 3);
    try (Shop shop =
        new Shop(
            relay(broker.proxiedAddress())
                .topic("cut")
                .probeInterval(Duration.ofMillis(200))
                .build())) {
      shop.publish(orders(0, 10));
      shop.awaitDone(10);
      broker.proxy().cut();
      shop.publish(orders(10, 110));
      Eventually.await("paused", () -> shop.relay().isPaused());
      broker.proxy().mend();
      shop.awaitDone(110);
      assertThat(broker.records("cut")).hasSizeGreaterThanOrEqualTo(110);
    }
  }

  @Test
  void aTopicThatIsDeletedDoesNotStopTheOthers() throws Exception {
    KafkaBroker broker = KafkaBroker.running();
    broker.createTopic("stays", 1);
    broker.createTopic("goes", 1);
    try (Shop shop =
        new Shop(
            relay(broker.address())
                .topic("stays")
                .topic("Gone", "goes")
                .probeInterval(Duration.ofMillis(200))
                .build())) {
      shop.publish(EventEnvelope.ofJson("Gone", "{}"));
      shop.publish(orders(0, 10));
      shop.awaitDone(11);
      try (Admin admin = broker.admin()) {
        admin.deleteTopics(List.of("goes")).all().get();
      }
      String id = shop.publish(EventEnvelope.ofJson("Gone", "{}"));
      shop.publish(orders(10, 30));
      shop.awaitDone(31);
      shop.awaitDead(1);
      assertThat(shop.lastError(id)).contains("topic 'goes'");
    }
  }

  @Test
  void closingDuringAnOutageGivesEverythingBack() throws Exception {
    KafkaRelay relay =
        relay("127.0.0.1:1").topic("nowhere").probeInterval(Duration.ofMillis(200)).build();
    try (Shop shop = new Shop(relay)) {
      shop.publish(orders(0, 20));
      Eventually.await("paused", relay::isPaused);
      relay.close(Duration.ofSeconds(5));
      // The outbox still gives it events, which it refuses.
      Eventually.await("none in flight", () -> relay.ledger().inFlight() == 0);
      assertThat(shop.count("status = 3")).as("dead").isZero();
    }
    assertThat(relay.ledger().unaccounted()).isZero();
  }
}
