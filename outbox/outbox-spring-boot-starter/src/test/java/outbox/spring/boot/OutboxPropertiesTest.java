package outbox.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import holdfast.spring.boot.StartException;
import java.lang.reflect.Field;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.source.MapConfigurationPropertySource;
import org.springframework.jdbc.datasource.DriverManagerDataSource;
import outbox.OutboxConfig;
import outbox.dispatch.LeaseSettings;
import outbox.dispatch.UnhandledPolicy;
import outbox.jdbc.JdbcOutboxBuilder;

/** Each property reaches the setting it names, and refuses what is out of range. */
class OutboxPropertiesTest {

  private static JdbcOutboxBuilder builder(Map<String, String> set) {
    OutboxProperties properties =
        new Binder(new MapConfigurationPropertySource(set))
            .bindOrCreate("outbox", OutboxProperties.class);
    return OutboxSettings.builder(
        new DriverManagerDataSource("jdbc:h2:mem:properties"), properties, null);
  }

  private static Object setting(JdbcOutboxBuilder builder, String field) throws Exception {
    Object value = builder;
    for (String name : field.split("\\.", -1)) {
      Field declared = value.getClass().getDeclaredField(name);
      declared.setAccessible(true);
      value = declared.get(value);
    }
    return value;
  }

  @ParameterizedTest
  @CsvSource({
    "dispatcher-workers, 7, workers, 7",
    "hot-queue-capacity, 7, hotQueueCapacity, 7",
    "cold-queue-capacity, 7, coldQueueCapacity, 7",
    "poller-interval-ms, 7, pollInterval, PT0.007S",
    "poller-batch-size, 7, pollBatchSize, 7",
    "poller-skip-recent-ms, 7, pollSkipRecent, PT0.007S",
    "retry-max-attempts, 7, maxAttempts, 7",
    "drain-timeout, 7s, drainTimeout, PT7S",
    "publish-only, true, publishOnly, true",
    "initialize-schema, always, createTables, true",
    "initialize-schema, never, createTables, false",
    "initialize-schema, embedded, createTables, true",
    "table, a.b, settings.table, a.b",
    "dialect, postgresql, settings.dialect, postgresql newest",
    "on-dead, skip, settings.onDead, SKIP",
    "node, me, lease.node, me",
    "lease.length, 77s, lease.length, PT1M17S",
    "lease.renew-every, 6s, lease.renewEvery, PT6S",
    "lease.drift, 2s, lease.drift, PT2S",
    "lease.max-queue-wait, 7s, lease.maxQueueWait, PT7S",
    "unhandled.delay, 7s, unhandled.delay, PT7S",
    "unhandled.dead-after, 7s, unhandled.deadAfter, PT7S",
    "unhandled.done, true, unhandled.done, true",
  })
  void aPropertyReachesItsSetting(String property, String value, String field, String expected)
      throws Exception {
    JdbcOutboxBuilder builder = builder(Map.of("outbox." + property, value));

    assertThat(String.valueOf(setting(builder, field))).isEqualToIgnoringCase(expected);
  }

  @Test
  void theRetryDelaysReachTheBackoff() throws Exception {
    Map<String, String> set =
        Map.of("outbox.retry-base-delay-ms", "1000", "outbox.retry-max-delay-ms", "2000");
    var policy = (outbox.dispatch.RetryPolicy) setting(builder(set), "retryPolicy");

    assertThat(policy.computeDelayMs(1)).isBetween(500L, 1500L);
    assertThat(policy.computeDelayMs(20)).isBetween(1000L, 2000L);
  }

  @Test
  void withoutPropertiesTheDefaultsAreThoseOfTheSpecification() throws Exception {
    JdbcOutboxBuilder builder = builder(Map.of());
    OutboxConfig specified = new OutboxConfig();

    assertThat(setting(builder, "workers")).isEqualTo(specified.getDispatcherWorkers());
    assertThat(setting(builder, "hotQueueCapacity")).isEqualTo(specified.getHotQueueCapacity());
    assertThat(setting(builder, "coldQueueCapacity")).isEqualTo(specified.getColdQueueCapacity());
    assertThat(setting(builder, "pollInterval"))
        .isEqualTo(Duration.ofMillis(specified.getPollerIntervalMs()));
    assertThat(setting(builder, "pollBatchSize")).isEqualTo(specified.getPollerBatchSize());
    assertThat(setting(builder, "maxAttempts")).isEqualTo(specified.getRetryMaxAttempts());
    assertThat(setting(builder, "unhandled")).isEqualTo(UnhandledPolicy.DEFAULT);
    assertThat(setting(builder, "lease.length")).isEqualTo(LeaseSettings.DEFAULT_LENGTH);
    assertThat((String) setting(builder, "lease.node")).startsWith("node-");
  }

  @ParameterizedTest
  @CsvSource({
    "dispatcher-workers, 0, be 1 or more but was 0",
    "hot-queue-capacity, 0, be 1 or more but was 0",
    "cold-queue-capacity, 0, be 1 or more but was 0",
    "poller-interval-ms, 0, be 1 or more but was 0",
    "poller-batch-size, 0, be 1 or more but was 0",
    "poller-skip-recent-ms, -1, be 0 or more but was -1",
    "retry-base-delay-ms, 0, be 1 or more but was 0",
    "retry-max-delay-ms, 100, be 200 or more but was 100",
    "retry-max-attempts, 0, be 1 or more but was 0",
    "drain-timeout, -1s, be zero or more but was PT-1S",
    "unhandled.delay, -1s, be zero or more but was PT-1S",
    "unhandled.dead-after, -1s, be zero or more but was PT-1S",
    "health.max-backlog-age, -1s, be zero or more but was PT-1S",
    "lease.renew-every, 0s, be more than zero but was PT0S",
    "lease.max-queue-wait, 0s, be more than zero but was PT0S",
    "lease.drift, -1s, be zero or more but was PT-1S",
    "lease.length, 11s, be more than PT11S (twice renew-every plus drift) but was PT11S",
    "drain-timeout, 36501d, be a century or less but was PT876024H",
    "retention, 36501d, be a century or less but was PT876024H",
    "lease.renew-every, 36501d, be a century or less but was PT876024H",
    "lease.length, 36501d, be a century or less but was PT876024H",
    "node, ' ', have 1 to 128 characters",
  })
  void whatIsOutOfRangeIsRefusedByTheNameOfItsProperty(
      String property, String value, String message) {
    assertThatExceptionOfType(StartException.class)
        .isThrownBy(() -> builder(Map.of("outbox." + property, value)))
        .withMessageContaining("outbox." + property + " must " + message);
  }

  @Test
  void allMistakesAreNamedAtOnce() {
    Map<String, String> set =
        Map.of("outbox.dispatcher-workers", "0", "outbox.poller-batch-size", "-5");

    assertThatExceptionOfType(StartException.class)
        .isThrownBy(() -> builder(set))
        .withMessageContaining("outbox.dispatcher-workers")
        .withMessageContaining("outbox.poller-batch-size");
  }

  @Test
  void mistakesFailTheStart() {
    Contexts.runner()
        .withPropertyValues("outbox.dispatcher-workers=0")
        .run(
            context ->
                assertThat(context.getStartupFailure())
                    .hasMessageContaining("outbox.dispatcher-workers must be 1 or more but was 0"));
  }
}
