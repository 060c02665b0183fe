package relay.kafka;

import holdfast.problems.Problems;
import java.time.Duration;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.common.serialization.StringSerializer;
import org.jspecify.annotations.Nullable;

/** Completes the settings of a producer, and refuses those that break a promise. Stateless. */
final class ProducerSettings {
  private static final long LONGEST_BLOCK_MS = 30_000;
  private static final long LEAST_DELIVERY_MS = 1_000;
  private static final long LONGEST_DELIVERY_MS = 300_000;
  private static final long LARGEST_BUFFER = 256L * 1024 * 1024;
  private static final int MOST_IN_FLIGHT = 5;

  private ProducerSettings() {}

  /** The settings with the relay's defaults; problems are added, not thrown. */
  static Map<String, Object> complete(Map<String, ?> given, Problems problems) {
    check(given, problems);
    Map<String, Object> all = new HashMap<>(given);
    all.put(ProducerConfig.ACKS_CONFIG, "all");
    all.put(ProducerConfig.ENABLE_IDEMPOTENCE_CONFIG, true);
    all.put(ProducerConfig.KEY_SERIALIZER_CLASS_CONFIG, StringSerializer.class);
    all.put(ProducerConfig.VALUE_SERIALIZER_CLASS_CONFIG, ByteArraySerializer.class);
    all.putIfAbsent(ProducerConfig.LINGER_MS_CONFIG, 0);
    all.putIfAbsent(
        ProducerConfig.MAX_BLOCK_MS_CONFIG, millis(KafkaRelayBuilder.DEFAULT_MAX_BLOCK));
    all.putIfAbsent(
        ProducerConfig.DELIVERY_TIMEOUT_MS_CONFIG,
        millis(KafkaRelayBuilder.DEFAULT_DELIVERY_TIMEOUT));
    Long delivery = number(all.get(ProducerConfig.DELIVERY_TIMEOUT_MS_CONFIG));
    Long linger = number(all.get(ProducerConfig.LINGER_MS_CONFIG));
    if (delivery != null && linger != null) { // Kafka wants room for one request after lingering
      long request = Math.min(millis(KafkaRelayBuilder.DEFAULT_REQUEST_TIMEOUT), delivery - linger);
      all.putIfAbsent(ProducerConfig.REQUEST_TIMEOUT_MS_CONFIG, (int) Math.max(1, request));
    }
    return all;
  }

  /** How long a call may block, of settings that were completed. */
  static int maxBlockMs(Map<String, Object> complete) {
    Long millis = number(complete.get(ProducerConfig.MAX_BLOCK_MS_CONFIG));
    return millis == null ? millis(KafkaRelayBuilder.DEFAULT_MAX_BLOCK) : millis.intValue();
  }

  private static void check(Map<String, ?> given, Problems problems) {
    Object servers = given.get(ProducerConfig.BOOTSTRAP_SERVERS_CONFIG);
    problems.require(
        servers != null && !servers.toString().isBlank(),
        ProducerConfig.BOOTSTRAP_SERVERS_CONFIG,
        "name a broker, host:port",
        servers);
    only(given, problems, ProducerConfig.ACKS_CONFIG, "be all", "all", "-1");
    only(given, problems, ProducerConfig.ENABLE_IDEMPOTENCE_CONFIG, "be true", "true");
    only(given, problems, "partitioner.ignore.keys", "be false, or aggregates spread", "false");
    between(given, problems, ProducerConfig.RETRIES_CONFIG, 1, Integer.MAX_VALUE);
    between(
        given, problems, ProducerConfig.MAX_IN_FLIGHT_REQUESTS_PER_CONNECTION, 1, MOST_IN_FLIGHT);
    between(given, problems, ProducerConfig.MAX_BLOCK_MS_CONFIG, 0, LONGEST_BLOCK_MS);
    between(
        given,
        problems,
        ProducerConfig.DELIVERY_TIMEOUT_MS_CONFIG,
        LEAST_DELIVERY_MS,
        LONGEST_DELIVERY_MS);
    between(given, problems, ProducerConfig.BUFFER_MEMORY_CONFIG, 1, LARGEST_BUFFER);
    absent(given, problems, ProducerConfig.TRANSACTIONAL_ID_CONFIG, "sends without transactions");
    serializer(given, problems, ProducerConfig.KEY_SERIALIZER_CLASS_CONFIG, StringSerializer.class);
    serializer(
        given, problems, ProducerConfig.VALUE_SERIALIZER_CLASS_CONFIG, ByteArraySerializer.class);
  }

  private static void only(
      Map<String, ?> given, Problems problems, String name, String rule, String... allowed) {
    Object value = given.get(name);
    boolean isAllowed = value == null;
    for (String one : allowed) {
      isAllowed |= one.equals(String.valueOf(value).toLowerCase(Locale.ROOT));
    }
    problems.require(isAllowed, name, rule, value);
  }

  private static void between(
      Map<String, ?> given, Problems problems, String name, long least, long most) {
    Object value = given.get(name);
    if (value != null) {
      Long number = number(value);
      problems.require(
          number != null && number >= least && number <= most,
          name,
          "be " + least + " to " + most,
          value);
    }
  }

  private static void absent(Map<String, ?> given, Problems problems, String name, String because) {
    Object value = given.get(name);
    problems.require(value == null, name, "be left out, since the relay " + because + ",", value);
  }

  private static void serializer(
      Map<String, ?> given, Problems problems, String name, Class<?> ours) {
    Object value = given.get(name);
    boolean isOurs = value == null || value.equals(ours) || value.equals(ours.getName());
    problems.require(isOurs, name, "be left out, since the relay writes the bytes itself,", value);
  }

  private static @Nullable Long number(@Nullable Object value) {
    try {
      return value == null ? null : Long.valueOf(value.toString().strip());
    } catch (NumberFormatException e) {
      return null;
    }
  }

  private static int millis(Duration duration) {
    return (int) duration.toMillis();
  }
}
