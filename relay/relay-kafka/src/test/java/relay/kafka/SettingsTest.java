package relay.kafka;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.URI;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import org.apache.kafka.common.serialization.StringSerializer;
import org.junit.jupiter.api.Test;

/** Settings that break a promise are refused by name, all at once. */
class SettingsTest {

  private static KafkaRelayBuilder with(Map<String, Object> config) {
    Map<String, Object> all = new HashMap<>(Map.of("bootstrap.servers", "127.0.0.1:1"));
    all.putAll(config);
    return KafkaRelay.builder(all, Shop.SOURCE);
  }

  private static void assertRefused(Map<String, Object> config, String... messages) {
    assertThatThrownBy(() -> with(config).build())
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContainingAll(messages);
  }

  @Test
  void whatWeakensTheAcknowledgementIsRefused() {
    assertRefused(
        Map.of("acks", "1", "enable.idempotence", false, "retries", 0),
        "acks must be all but was '1'",
        "enable.idempotence must be true but was false",
        "retries must be 1 to 2147483647 but was 0");
    assertRefused(
        Map.of("max.in.flight.requests.per.connection", "6", "partitioner.ignore.keys", "true"),
        "max.in.flight.requests.per.connection must be 1 to 5 but was '6'",
        "partitioner.ignore.keys must be false");
    assertRefused(Map.of("transactional.id", "t"), "transactional.id must be left out");
    assertRefused(
        Map.of("value.serializer", StringSerializer.class.getName()),
        "value.serializer must be left out");
  }

  @Test
  void waitsAndBuffersWithoutBoundsAreRefused() {
    assertRefused(
        Map.of(
            "max.block.ms",
            60_000,
            "delivery.timeout.ms",
            Integer.MAX_VALUE,
            "buffer.memory",
            1L << 40),
        "max.block.ms must be 0 to 30000 but was 60000",
        "delivery.timeout.ms must be 1000 to 300000",
        "buffer.memory must be 1 to 268435456");
    assertRefused(Map.of("delivery.timeout.ms", "soon"), "but was 'soon'");
  }

  @Test
  void whatIsMissingOrOddIsRefused() {
    assertThatThrownBy(() -> KafkaRelay.builder(Map.of(), URI.create("")).build())
        .hasMessageContainingAll(
            "bootstrap.servers must name a broker", "source must not be empty");
    assertThatThrownBy(
            () ->
                with(Map.of())
                    .topic("orders {kind}")
                    .topic("T", "a/b")
                    .createTopics(0, 0)
                    .probeInterval(Duration.ZERO)
                    .closeTimeout(Duration.ofSeconds(-1))
                    .build())
        .hasMessageContainingAll(
            "{type}, {aggregateType} and {tenant} but was 'orders {kind}'",
            "but was 'a/b'",
            "partitions must be 1 or more but was 0",
            "replication must be 1 or more but was 0",
            "probeInterval",
            "closeTimeout");
    assertThatThrownBy(() -> KafkaRelay.builder(Map.of(), null)).hasMessageContaining("source");
  }
}
