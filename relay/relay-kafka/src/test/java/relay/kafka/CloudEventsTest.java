package relay.kafka;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.cloudevents.CloudEvent;
import io.cloudevents.core.message.MessageReader;
import io.cloudevents.jackson.JsonFormat;
import io.cloudevents.kafka.KafkaMessageFactory;
import java.net.URI;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.UnaryOperator;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.header.Header;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import outbox.EventEnvelope;

/** The SDK of CloudEvents reads the records that the relay writes. */
@Timeout(120)
class CloudEventsTest {
  private static final String TRACE = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01";
  private static final URI SCHEMA = URI.create("https://shop.example/schemas/order-1");
  private static final Instant AT = Instant.parse("2026-11-19T10:11:12.123456Z");

  private static EventEnvelope.Builder order() {
    return Shop.order("o-1")
        .tenantId("t-1")
        .occurredAt(AT)
        .header("traceparent", TRACE)
        .header("tracestate", "a=b")
        .header("shop", "café")
        .header("ce_id", "forged");
  }

  private static ConsumerRecord<String, byte[]> relayed(
      String topic, EventEnvelope event, UnaryOperator<KafkaRelayBuilder> settings)
      throws Exception {
    KafkaBroker broker = KafkaBroker.running();
    broker.createTopic(topic, 1);
    KafkaRelayBuilder builder =
        KafkaRelay.builder(Map.of("bootstrap.servers", broker.address()), Shop.SOURCE).topic(topic);
    try (Shop shop = new Shop(settings.apply(builder).build())) {
      shop.publish(event);
      shop.awaitDone(1);
    }
    List<ConsumerRecord<String, byte[]>> records = broker.records(topic);
    assertThat(records).hasSize(1);
    return records.get(0);
  }

  private static CloudEvent read(ConsumerRecord<String, byte[]> record) {
    MessageReader reader = KafkaMessageFactory.createReader(record);
    return reader.toEvent();
  }

  private static String header(ConsumerRecord<String, byte[]> record, String name) {
    Header header = record.headers().lastHeader(name);
    return header == null ? null : new String(header.value(), UTF_8);
  }

  private static void assertAttributes(CloudEvent read, EventEnvelope event) {
    assertThat(read.getSpecVersion().toString()).isEqualTo("1.0");
    assertThat(read.getId()).isEqualTo(event.eventId());
    assertThat(read.getType()).isEqualTo("OrderPlaced");
    assertThat(read.getSource()).isEqualTo(Shop.SOURCE);
    assertThat(read.getTime()).isEqualTo(OffsetDateTime.ofInstant(AT, ZoneOffset.UTC));
    assertThat(read.getSubject()).isEqualTo("o-1");
    assertThat(read.getDataSchema()).isEqualTo(SCHEMA);
    assertThat(read.getExtension("partitionkey")).isEqualTo("o-1");
    assertThat(read.getExtension("aggregatetype")).isEqualTo("Order");
    assertThat(read.getExtension("tenantid")).isEqualTo("t-1");
    assertThat(read.getExtension("traceparent")).isEqualTo(TRACE);
    assertThat(read.getExtension("tracestate")).isEqualTo("a=b");
  }

  private static void assertOwnHeaders(ConsumerRecord<String, byte[]> record) {
    assertThat(header(record, "shop")).isEqualTo("café");
    assertThat(header(record, "traceparent")).isEqualTo(TRACE);
    assertThat(header(record, "tracestate")).isEqualTo("a=b");
  }

  @Test
  void binaryModeHasAttributesInHeaders() throws Exception {
    EventEnvelope event = order().payloadJson("{\"item\":\"tea\"}").build();
    ConsumerRecord<String, byte[]> record =
        relayed("binary", event, relay -> relay.dataSchema(e -> SCHEMA));
    CloudEvent read = read(record);
    assertAttributes(read, event);
    assertThat(read.getDataContentType()).isEqualTo("application/json");
    assertThat(Objects.requireNonNull(read.getData()).toBytes())
        .asString(UTF_8)
        .isEqualToIgnoringWhitespace("{\"item\":\"tea\"}");
    assertThat(record.key()).isEqualTo("o-1");
    assertThat(record.headers().headers("ce_id")).hasSize(1);
    assertOwnHeaders(record);
  }

  @Test
  void bytesStayBytes() throws Exception {
    byte[] payload = {0, 1, -1, 127};
    EventEnvelope event = EventEnvelope.builder("Raw").payloadBytes(payload).build();
    ConsumerRecord<String, byte[]> record = relayed("bytes", event, relay -> relay);
    CloudEvent read = read(record);
    assertThat(Objects.requireNonNull(read.getData()).toBytes()).isEqualTo(payload);
    assertThat(read.getDataContentType()).isEqualTo("application/octet-stream");
    assertThat(read.getSubject()).isNull();
    assertThat(read.getExtension("partitionkey")).isNull();
    assertThat(record.key()).isNull();
  }

  @Test
  void structuredModeIsOneJsonObject() throws Exception {
    EventEnvelope event = order().payloadJson("{\"item\":\"tea \\\"green\\\"\"}").build();
    ConsumerRecord<String, byte[]> record =
        relayed("structured", event, relay -> relay.structured().dataSchema(e -> SCHEMA));
    assertThat(header(record, "content-type")).startsWith(JsonFormat.CONTENT_TYPE);
    CloudEvent read = read(record);
    assertAttributes(read, event);
    assertThat(Objects.requireNonNull(read.getData()).toBytes())
        .asString(UTF_8)
        .isEqualToIgnoringWhitespace("{\"item\":\"tea \\\"green\\\"\"}");
    assertOwnHeaders(record);
    assertThat(header(record, "ce_id")).isEqualTo("forged");
  }

  @Test
  void structuredModeHasBytesInBase64AndTheContentTypeOfTheEvent() throws Exception {
    byte[] payload = {0, 1, -1, 127};
    EventEnvelope event =
        EventEnvelope.builder("Raw")
            .header("Content-Type", "application/avro")
            .payloadBytes(payload)
            .build();
    CloudEvent read = read(relayed("structured-bytes", event, relay -> relay.structured()));
    assertThat(Objects.requireNonNull(read.getData()).toBytes()).isEqualTo(payload);
    assertThat(read.getDataContentType()).isEqualTo("application/avro");
  }
}
