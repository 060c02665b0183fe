package relay.kafka;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import holdfast.testkit.threads.Eventually;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.common.serialization.StringSerializer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import outbox.EventEnvelope;

/** Events reach a real broker, and are done when it has acknowledged them. */
@Timeout(120)
class RelayTest {

  private static List<String> values(List<ConsumerRecord<String, byte[]>> records) {
    return records.stream().map(record -> new String(record.value(), UTF_8)).toList();
  }

  @Test
  void anEventIsDoneWhenItIsOnItsTopic() throws Exception {
    KafkaBroker broker = KafkaBroker.running();
    broker.createTopic("orders.OrderPlaced", 3);
    KafkaRelay relay =
        KafkaRelay.builder(Map.of("bootstrap.servers", broker.address()), Shop.SOURCE)
            .topic("orders.{type}")
            .build();
    try (Shop shop = new Shop(relay)) {
      List<EventEnvelope> events = new ArrayList<>();
      for (int i = 0; i < 100; i++) {
        events.add(Shop.order("o-" + i % 10).payloadJson("{\"n\":" + i + "}").build());
      }
      shop.publish(events);
      shop.awaitDone(100);
      List<ConsumerRecord<String, byte[]>> records = broker.records("orders.OrderPlaced");
      assertThat(records).hasSize(100);
      assertThat(records).allSatisfy(record -> assertThat(record.key()).startsWith("o-"));
      assertThat(values(records)).contains("{\"n\":0}", "{\"n\":99}");
      RelayLedger ledger = relay.ledger();
      assertThat(ledger.sent()).isEqualTo(100);
      assertThat(ledger.acknowledged()).isEqualTo(100);
      assertThat(ledger.unaccounted()).isZero();
    }
  }

  @Test
  void orderedEventsStayInOrderAcrossARetry() throws Exception {
    KafkaBroker broker = KafkaBroker.running();
    broker.createTopic("ordered", 3);
    AtomicInteger asked = new AtomicInteger();
    KafkaRelay relay =
        KafkaRelay.builder(Map.of("bootstrap.servers", broker.address()), Shop.SOURCE)
            .topic(
                event -> {
                  if (asked.incrementAndGet() == 5) {
                    throw new IllegalStateException("the fifth question has no answer");
                  }
                  return "ordered";
                })
            .build();
    try (Shop shop = new Shop(relay, outbox -> outbox.retryPolicy(attempts -> 200))) {
      List<EventEnvelope> events = new ArrayList<>();
      for (int i = 0; i < 40; i++) {
        events.add(
            Shop.order("o-" + i % 2).ordered().payloadJson("{\"n\":" + (100 + i) + "}").build());
      }
      shop.publish(events);
      shop.awaitDone(40);
      assertThat(relay.ledger().failed(FailureReason.OTHER)).isEqualTo(1);
      for (String aggregate : List.of("o-0", "o-1")) {
        List<String> ofAggregate =
            values(
                broker.records("ordered").stream()
                    .filter(record -> aggregate.equals(record.key()))
                    .toList());
        assertThat(ofAggregate).hasSize(20).isSorted();
      }
    }
  }

  @Test
  void aSuppliedProducerIsUsedAndStaysOpen() throws Exception {
    KafkaBroker broker = KafkaBroker.running();
    broker.createTopic("supplied", 1);
    try (KafkaProducer<String, byte[]> producer =
        new KafkaProducer<>(
            Map.of("bootstrap.servers", broker.address(), "max.block.ms", 3_000),
            new StringSerializer(),
            new ByteArraySerializer())) {
      KafkaRelay relay =
          KafkaRelay.builder(producer, Shop.SOURCE)
              .topic("OrderPlaced", "supplied")
              .topic("nowhere")
              .build();
      try (Shop shop = new Shop(relay)) {
        shop.publish(Shop.order("o-1").payloadJson("{}").build());
        shop.awaitDone(1);
        String id = shop.publish(EventEnvelope.builder("Unrouted").payloadJson("{}").build());
        shop.awaitDead(1);
        assertThat(shop.lastError(id)).contains("topic 'nowhere'", "create the topic");
      }
      assertThat(producer.partitionsFor("supplied")).hasSize(1);
      assertThat(broker.records("supplied")).hasSize(1);
    }
  }

  @Test
  void aRelayThatIsNotStartedGivesEventsBack() throws Exception {
    KafkaRelay relay =
        KafkaRelay.builder(Map.of("bootstrap.servers", "127.0.0.1:1"), Shop.SOURCE).build();
    EventEnvelope event = Shop.order("o-1").payloadJson("{}").build();
    assertThat(relay.onEventAsync(event))
        .failsWithin(java.time.Duration.ofSeconds(1))
        .withThrowableOfType(java.util.concurrent.ExecutionException.class)
        .withCauseInstanceOf(outbox.RetryAfterException.class)
        .withMessageContaining("call start()");
    relay.start();
    relay.close();
    assertThat(relay.close(java.time.Duration.ofSeconds(1)).isClean()).isTrue();
    assertThat(relay.onEventAsync(event)).isCompletedExceptionally();
    Eventually.await("counted", () -> relay.ledger().failed(FailureReason.CLOSED) == 2);
    assertThat(relay.ledger().unaccounted()).isZero();
  }
}
