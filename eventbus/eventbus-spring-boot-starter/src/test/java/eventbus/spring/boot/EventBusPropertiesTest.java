package eventbus.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import eventbus.EventBusBuilder;
import eventbus.EventBusSchema;
import eventbus.RetryPolicy;
import holdfast.spring.boot.StartException;
import holdfast.spring.test.Settings;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.boot.sql.init.DatabaseInitializationMode;
import org.springframework.jdbc.datasource.DriverManagerDataSource;

/** Each property reaches the setting it names, and refuses what is out of range. */
class EventBusPropertiesTest {

  private static EventBusBuilder builder(Map<String, String> set) {
    EventBusProperties properties = Settings.bound("eventbus", EventBusProperties.class, set);
    return EventBusSettings.builder(
        new DriverManagerDataSource("jdbc:h2:mem:properties;DB_CLOSE_DELAY=-1"), properties, null);
  }

  @ParameterizedTest
  @CsvSource({
    "workers, 7, workers, 7",
    "batch-size, 7, batchSize, 7",
    "abandonment-timeout, 7s, abandonmentTimeout, PT7S",
    "heartbeat, 7s, heartbeat, PT7S",
    "max-queue-wait, 7s, maxQueueWait, PT7S",
    "poll-interval, 10s, pollInterval, PT10S",
    "max-lapses, 7, maxLapses, 7",
    "max-payload-bytes, 7, maxPayloadBytes, 7",
    "close-timeout, 7s, closeTimeout, PT7S",
    "name, me, name, me",
    "wake-up, true, wakeUp.on, true",
    "wake-up, false, wakeUp.on, false",
    "events-table, a.b, tables.events, a.b",
    "log-table, a.c, tables.log, a.c",
    "initialize-schema, always, createTables, true",
    "initialize-schema, never, createTables, false",
    "initialize-schema, embedded, createTables, true",
    "retry-for, 7h, retryFor, PT7H",
    "concurrency.OrderPlaced, 7, concurrency, {OrderPlaced=7}",
    "'concurrency.[order.placed]', 7, concurrency, {order.placed=7}",
    "retention, 7d, keep, {COMPLETED=PT168H}",
    "failed-retention, 7d, keep, {FAILED=PT168H}",
  })
  void aPropertyReachesItsSetting(String property, String value, String field, String expected)
      throws Exception {
    EventBusBuilder builder = builder(Map.of("eventbus." + property, value));

    assertThat(String.valueOf(Settings.of(builder, field))).isEqualToIgnoringCase(expected);
  }

  @Test
  void theRetryDelaysReachTheBackoff() throws Exception {
    Map<String, String> set =
        Map.of("eventbus.retry.base-delay", "100s", "eventbus.retry.max-delay", "200s");
    RetryPolicy policy = (RetryPolicy) Settings.of(builder(set), "retryPolicy");

    assertThat(policy.delay(1, new Exception()).orElseThrow())
        .isBetween(Duration.ofSeconds(50), Duration.ofSeconds(150));
    assertThat(policy.delay(20, new Exception()).orElseThrow())
        .isBetween(Duration.ofSeconds(100), Duration.ofSeconds(200));
  }

  @Test
  void attemptsAreLimitedOnlyIfSet() throws Exception {
    Map<String, String> set = Map.of("eventbus.retry.max-attempts", "7");
    RetryPolicy limited = (RetryPolicy) Settings.of(builder(set), "retryPolicy");
    RetryPolicy usual = (RetryPolicy) Settings.of(builder(Map.of()), "retryPolicy");

    assertThat(limited.delay(6, new Exception())).isPresent();
    assertThat(limited.delay(7, new Exception())).isEmpty();
    assertThat(usual.delay(1_000_000, new Exception())).isPresent();
  }

  @Test
  void theDefaultsAreThoseOfTheLibrary() {
    assertThat(Settings.bound("eventbus", EventBusProperties.class, Map.of()))
        .isEqualTo(
            new EventBusProperties(
                true,
                false,
                true,
                DatabaseInitializationMode.EMBEDDED,
                EventBusSchema.DEFAULT_EVENTS_TABLE,
                EventBusSchema.DEFAULT_LOG_TABLE,
                null,
                EventBusBuilder.DEFAULT_WORKERS,
                Map.of(),
                EventBusBuilder.DEFAULT_BATCH_SIZE,
                null,
                Map.of(),
                EventBusBuilder.DEFAULT_MAX_IN_FLIGHT_BYTES,
                EventBusBuilder.DEFAULT_ABANDONMENT_TIMEOUT,
                null,
                EventBusBuilder.DEFAULT_MAX_QUEUE_WAIT,
                EventBusBuilder.DEFAULT_POLL_INTERVAL,
                EventBusBuilder.DEFAULT_MAX_LAPSES,
                EventBusBuilder.DEFAULT_RETRY_FOR,
                EventBusBuilder.DEFAULT_MAX_PAYLOAD_BYTES,
                null,
                null,
                EventBusBuilder.DEFAULT_CLOSE_TIMEOUT,
                new EventBusProperties.Retry(
                    null, RetryPolicy.DEFAULT_BASE_DELAY, RetryPolicy.DEFAULT_MAX_DELAY),
                new EventBusProperties.Health(Duration.ofMinutes(5)),
                new EventBusProperties.Metrics(Duration.ofMinutes(1))));
  }

  @Test
  void withoutPropertiesTheDefaultsAreThoseOfTheBuilder() throws Exception {
    EventBusBuilder builder = builder(Map.of());

    assertThat(Settings.of(builder, "workers")).isEqualTo(EventBusBuilder.DEFAULT_WORKERS);
    assertThat(Settings.of(builder, "abandonmentTimeout")).isEqualTo(Duration.ofMinutes(5));
    assertThat(Settings.of(builder, "heartbeat")).isNull();
    assertThat(Settings.of(builder, "retryFor")).isEqualTo(Duration.ofHours(24));
    assertThat(String.valueOf(Settings.of(builder, "tables.events"))).isEqualTo("events");
    assertThat(String.valueOf(Settings.of(builder, "tables.log"))).isEqualTo("event_log");
    assertThat((String) Settings.of(builder, "name")).startsWith("node-");
    assertThat(Settings.of(builder, "keep")).isEqualTo(Map.of());
    assertThat(Settings.of(builder, "wakeUp.on")).isEqualTo(true);
  }

  @ParameterizedTest
  @CsvSource({
    "workers, 0, be 1 or more but was 0",
    "batch-size, 0, be 1 or more but was 0",
    "max-lapses, 0, be 1 or more but was 0",
    "max-payload-bytes, 0, be 1 or more but was 0",
    "retry.max-attempts, 0, be 1 or more but was 0",
    "concurrency.OrderPlaced, 0, be 1 or more but was 0",
    "abandonment-timeout, 0s, be more than zero but was PT0S",
    "heartbeat, 0s, be more than zero but was PT0S",
    "max-queue-wait, 0s, be more than zero but was PT0S",
    "poll-interval, -1s, be more than zero but was PT-1S",
    "retry.base-delay, 0s, be more than zero but was PT0S",
    "retry.max-delay, 199ms, 'be retry.base-delay, PT0.2S, or more but was PT0.199S'",
    "retry-for, 0s, be more than zero but was PT0S",
    "metrics.ledger-max-age, 0s, be more than zero but was PT0S",
    "close-timeout, -1s, be zero or more but was PT-1S",
    "health.max-lag, -1s, be zero or more but was PT-1S",
    "retention, -1s, be zero or more but was PT-1S",
    "failed-retention, -1s, be zero or more but was PT-1S",
    "poll-interval, 36501d, be a century or less but was PT876024H",
    "retry.max-delay, 36501d, be a century or less but was PT876024H",
    "name, ' ', have 1 to 128 characters",
    "log-table, EVENTS, be another table than events-table but was 'EVENTS'",
  })
  void whatIsOutOfRangeIsRefusedByTheNameOfItsProperty(
      String property, String value, String message) {
    assertThatExceptionOfType(StartException.class)
        .isThrownBy(() -> builder(Map.of("eventbus." + property, value)))
        .withMessageContaining("eventbus." + property + " must " + message);
  }

  @Test
  void aTimeoutMustOutlastTwoHeartbeats() {
    assertThatExceptionOfType(StartException.class)
        .isThrownBy(() -> builder(Map.of("eventbus.heartbeat", "150s")))
        .withMessageContaining(
            "eventbus.abandonment-timeout must be more than PT5M1S (twice heartbeat plus PT1S for"
                + " clocks) but was PT5M");
  }

  @Test
  void whatTheChecksAcceptTheBusAcceptsToo() {
    Map<String, String> set =
        Map.of("eventbus.abandonment-timeout", "1s", "eventbus.heartbeat", "449ms");

    assertThat(builder(set).createTables().build().inFlight()).isZero();
  }

  @Test
  void allMistakesAreNamedAtOnce() {
    Map<String, String> set =
        Map.of(
            "eventbus.workers", "0",
            "eventbus.poll-interval", "0s",
            "eventbus.events-table", "no name",
            "eventbus.log-table", "select",
            "eventbus.concurrency.X", "-1");

    assertThatExceptionOfType(StartException.class)
        .isThrownBy(() -> builder(set))
        .withMessageContaining("eventbus.workers")
        .withMessageContaining("eventbus.poll-interval")
        .withMessageContaining("eventbus.events-table: ")
        .withMessageContaining("eventbus.log-table: ")
        .withMessageContaining("eventbus.concurrency.X");
  }
}
