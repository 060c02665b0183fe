package outbox.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import holdfast.spring.boot.StartException;
import holdfast.spring.test.Settings;
import java.time.Duration;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.boot.sql.init.DatabaseInitializationMode;
import org.springframework.jdbc.datasource.DriverManagerDataSource;
import outbox.OutboxConfig;
import outbox.dispatch.ExponentialBackoffRetryPolicy;
import outbox.dispatch.LeaseSettings;
import outbox.dispatch.OutboxDispatcher;
import outbox.dispatch.OutboxDispatcherBuilder;
import outbox.dispatch.UnhandledPolicy;
import outbox.jdbc.JdbcOutboxBuilder;
import outbox.jdbc.JdbcOutboxRepository;
import outbox.jdbc.OnDead;
import outbox.poller.OutboxPoller;
import outbox.registry.DefaultListenerRegistry;

/** Each property reaches the setting it names, and refuses what is out of range. */
class OutboxPropertiesTest {

  private static JdbcOutboxBuilder builder(Map<String, String> set) {
    OutboxProperties properties = Settings.bound("outbox", OutboxProperties.class, set);
    return OutboxSettings.builder(
        new DriverManagerDataSource("jdbc:h2:mem:properties"), properties, null);
  }

  /** A setting of the outbox, or one that it hands on to its dispatcher. */
  @SuppressWarnings("unchecked")
  private static @Nullable Object setting(JdbcOutboxBuilder builder, String path)
      throws ReflectiveOperationException {
    try {
      return Settings.of(builder, path);
    } catch (NoSuchFieldException e) {
      OutboxDispatcherBuilder dispatching =
          OutboxDispatcher.builder(
              () -> null, new JdbcOutboxRepository(), new DefaultListenerRegistry());
      ((Consumer<OutboxDispatcherBuilder>) Settings.of(builder, "delivery")).accept(dispatching);
      return Settings.of(dispatching, path);
    }
  }

  @ParameterizedTest
  @CsvSource({
    "workers, 7, workers, 7",
    "hot-queue-capacity, 7, hotQueueCapacity, 7",
    "cold-queue-capacity, 7, coldQueueCapacity, 7",
    "poll-interval, 7ms, polling.interval, PT0.007S",
    "batch-size, 7, polling.batchSize, 7",
    "poll-skip-recent, 7ms, polling.skipRecent, PT0.007S",
    "poller-enabled, false, pollerEnabled, false",
    "retry-max-attempts, 7, maxAttempts, 7",
    "retry-for, 7h, retryFor, PT7H",
    "max-lapses, 7, maxLapses, 7",
    "close-timeout, 7s, closeTimeout, PT7S",
    "publish-only, true, publishOnly, true",
    "wake-up, true, wakeUp.on, true",
    "wake-up, false, wakeUp.on, false",
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
        Map.of("outbox.retry-base-delay", "1s", "outbox.retry-max-delay", "2s");
    var policy = (outbox.dispatch.RetryPolicy) setting(builder(set), "retryPolicy");

    assertThat(policy.computeDelayMs(1)).isBetween(500L, 1500L);
    assertThat(policy.computeDelayMs(20)).isBetween(1000L, 2000L);
  }

  @Test
  void theDefaultsAreThoseOfTheLibrary() {
    assertThat(Settings.bound("outbox", OutboxProperties.class, Map.of()))
        .isEqualTo(
            new OutboxProperties(
                true,
                false,
                true,
                JdbcOutboxRepository.DEFAULT_TABLE,
                null,
                DatabaseInitializationMode.EMBEDDED,
                null,
                OutboxDispatcherBuilder.DEFAULT_WORKERS,
                Map.of(),
                OutboxDispatcherBuilder.DEFAULT_QUEUE_CAPACITY,
                OutboxDispatcherBuilder.DEFAULT_QUEUE_CAPACITY,
                OutboxDispatcherBuilder.DEFAULT_MAX_IN_FLIGHT_BYTES,
                null,
                Map.of(),
                true,
                Duration.ofMillis(OutboxPoller.DEFAULT_INTERVAL_MS),
                OutboxPoller.DEFAULT_BATCH_SIZE,
                Duration.ZERO,
                Duration.ofMillis(ExponentialBackoffRetryPolicy.DEFAULT_BASE_DELAY_MS),
                Duration.ofMillis(ExponentialBackoffRetryPolicy.LONG_MAX_DELAY_MS),
                OutboxDispatcherBuilder.DEFAULT_RETRY_FOR,
                null,
                OutboxDispatcherBuilder.DEFAULT_MAX_LAPSES,
                OnDead.BLOCK,
                OutboxDispatcherBuilder.DEFAULT_CLOSE_TIMEOUT,
                null,
                new OutboxProperties.Lease(
                    LeaseSettings.DEFAULT_LENGTH,
                    LeaseSettings.DEFAULT_RENEW_EVERY,
                    LeaseSettings.DEFAULT_DRIFT,
                    LeaseSettings.DEFAULT_MAX_QUEUE_WAIT),
                new OutboxProperties.Unhandled(
                    UnhandledPolicy.DEFAULT.delay(),
                    UnhandledPolicy.DEFAULT.deadAfter(),
                    UnhandledPolicy.DEFAULT.done()),
                new OutboxProperties.Health(Duration.ofMinutes(5)),
                new OutboxProperties.Metrics(Duration.ofMinutes(1))));
  }

  @Test
  void withoutPropertiesTheDefaultsAreThoseOfTheSpecification() throws Exception {
    JdbcOutboxBuilder builder = builder(Map.of());
    OutboxConfig specified = new OutboxConfig();

    assertThat(setting(builder, "workers")).isEqualTo(specified.getDispatcherWorkers());
    assertThat(setting(builder, "hotQueueCapacity")).isEqualTo(specified.getHotQueueCapacity());
    assertThat(setting(builder, "coldQueueCapacity")).isEqualTo(specified.getColdQueueCapacity());
    assertThat(setting(builder, "polling.interval"))
        .isEqualTo(Duration.ofMillis(specified.getPollerIntervalMs()));
    assertThat(setting(builder, "polling.batchSize")).isEqualTo(specified.getPollerBatchSize());
    assertThat(setting(builder, "maxAttempts")).as("time limits retries").isNull();
    assertThat(setting(builder, "retryFor")).isEqualTo(Duration.ofHours(24));
    assertThat(setting(builder, "retryPolicy")).as("that of the builder").isNull();
    assertThat(setting(builder, "maxLapses")).isEqualTo(10);
    assertThat(setting(builder, "wakeUp.on")).isEqualTo(true);
    assertThat(setting(builder, "unhandled")).isEqualTo(UnhandledPolicy.DEFAULT);
    assertThat(setting(builder, "lease.length")).isEqualTo(LeaseSettings.DEFAULT_LENGTH);
    assertThat((String) setting(builder, "lease.node")).startsWith("node-");
  }

  @ParameterizedTest
  @CsvSource({
    "workers, 0, be 1 or more but was 0",
    "hot-queue-capacity, 0, be 1 or more but was 0",
    "cold-queue-capacity, 0, be 1 or more but was 0",
    "poll-interval, 0ms, be 1 ms or more but was PT0S",
    "batch-size, 0, be 1 or more but was 0",
    "poll-skip-recent, -1ms, be zero or more but was PT-0.001S",
    "retry-base-delay, 0ms, be 1 ms or more but was PT0S",
    "retry-max-delay, 100ms, be PT0.2S (retry-base-delay) or more but was PT0.1S",
    "retry-max-attempts, 0, be 1 or more but was 0",
    "retry-for, 0s, be 1 ms or more but was PT0S",
    "max-lapses, 0, be 1 or more but was 0",
    "close-timeout, -1s, be zero or more but was PT-1S",
    "unhandled.delay, -1s, be zero or more but was PT-1S",
    "unhandled.dead-after, -1s, be zero or more but was PT-1S",
    "health.max-backlog-age, -1s, be zero or more but was PT-1S",
    "lease.renew-every, 0s, be more than zero but was PT0S",
    "lease.max-queue-wait, 0s, be more than zero but was PT0S",
    "lease.drift, -1s, be zero or more but was PT-1S",
    "lease.length, 11s, be more than PT11S (twice renew-every plus drift) but was PT11S",
    "close-timeout, 36501d, be a century or less but was PT876024H",
    "poll-interval, 36501d, be a century or less but was PT876024H",
    "poll-skip-recent, 36501d, be a century or less but was PT876024H",
    "retry-max-delay, 36501d, be a century or less but was PT876024H",
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
        Map.of(
            "outbox.workers", "0",
            "outbox.batch-size", "-5",
            "outbox.table", "select",
            "outbox.dialect", "db2");

    assertThatExceptionOfType(StartException.class)
        .isThrownBy(() -> builder(set))
        .withMessageContaining("outbox.workers")
        .withMessageContaining("outbox.batch-size")
        .withMessageContaining("outbox.dialect: no dialect named 'db2'")
        .withMessageContaining(
            "outbox.table: table name must not be a reserved word of SQL, since names are not"
                + " quoted, but was 'select'; take another such as 'my_select'");
  }

  @Test
  void mistakesFailTheStart() {
    Contexts.runner()
        .withPropertyValues("outbox.workers=0")
        .run(
            context ->
                assertThat(context.getStartupFailure())
                    .hasMessageContaining("outbox.workers must be 1 or more but was 0"));
  }
}
