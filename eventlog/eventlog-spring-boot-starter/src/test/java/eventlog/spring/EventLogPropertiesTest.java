package eventlog.spring;

import static org.assertj.core.api.Assertions.assertThat;

import eventlog.AsyncEventLogger;
import eventlog.AsyncEventLoggerBuilder;
import eventlog.EventLogEntry;
import eventlog.EventStatus;
import eventlog.EventType;
import eventlog.ForcePolicy;
import eventlog.HttpEventLogClientBuilder;
import eventlog.spi.Redaction;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.MDC;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ApplicationContext;

/** Every property, set in an application, arrives where it belongs. */
class EventLogPropertiesTest {

  private static AsyncEventLoggerBuilder logger(ApplicationContextRunner app) {
    AtomicReference<AsyncEventLoggerBuilder> seen = new AtomicReference<>();
    app.withBean(EventLogCustomizer.class, () -> seen::set)
        .run(context -> assertThat(context).hasNotFailed());
    return seen.get();
  }

  @Test
  void sending() {
    AsyncEventLoggerBuilder builder =
        logger(
            Contexts.withApi()
                .withPropertyValues(
                    "eventlog.async.queue-capacity=11",
                    "eventlog.async.batch-size=12",
                    "eventlog.async.max-batch-wait=13ms",
                    "eventlog.async.sender-threads=2",
                    "eventlog.async.virtual-threads=true",
                    "eventlog.async.max-retries=14",
                    "eventlog.async.base-retry-delay=15ms",
                    "eventlog.async.max-retry-delay=16ms",
                    "eventlog.async.circuit-breaker-threshold=17",
                    "eventlog.async.circuit-breaker-reset=18ms",
                    "eventlog.async.max-queue-bytes=20000",
                    "eventlog.async.max-request-bytes=21000",
                    "eventlog.async.close-timeout=19ms"));

    assertThat(builder)
        .hasFieldOrPropertyWithValue("queueCapacity", 11)
        .hasFieldOrPropertyWithValue("maxQueueBytes", 20_000L)
        .hasFieldOrPropertyWithValue("maxRequestBytes", 21_000)
        .hasFieldOrPropertyWithValue("batchSize", 12)
        .hasFieldOrPropertyWithValue("maxBatchWait", Duration.ofMillis(13))
        .hasFieldOrPropertyWithValue("senderThreads", 2)
        .hasFieldOrPropertyWithValue("virtualThreads", true)
        .hasFieldOrPropertyWithValue("maxRetries", 14)
        .hasFieldOrPropertyWithValue("baseRetryDelay", Duration.ofMillis(15))
        .hasFieldOrPropertyWithValue("maxRetryDelay", Duration.ofMillis(16))
        .hasFieldOrPropertyWithValue("circuitBreakerThreshold", 17)
        .hasFieldOrPropertyWithValue("circuitBreakerReset", Duration.ofMillis(18))
        .hasFieldOrPropertyWithValue("closeTimeout", Duration.ofMillis(19))
        .hasFieldOrPropertyWithValue("registerShutdownHook", false);
  }

  @Test
  void spillover(@TempDir Path directory) {
    AsyncEventLoggerBuilder builder =
        logger(
            Contexts.withApi()
                .withPropertyValues(
                    "eventlog.async.spillover-path=" + directory,
                    "eventlog.async.replay-interval-ms=21",
                    "eventlog.async.max-replay-events-per-second=22",
                    "eventlog.async.max-replay-tries=28",
                    "eventlog.async.replay-batch-size=29",
                    "eventlog.async.max-spillover-events=23",
                    "eventlog.async.max-spillover-size-mb=24",
                    "eventlog.async.max-quarantine-size-mb=25",
                    "eventlog.async.max-entry-bytes=26000",
                    "eventlog.async.force-policy=each-batch",
                    "eventlog.async.force-interval=27ms"));

    assertThat(builder)
        .hasFieldOrPropertyWithValue("spilloverPath", directory)
        .hasFieldOrPropertyWithValue("replayInterval", Duration.ofMillis(21))
        .hasFieldOrPropertyWithValue("maxReplayEventsPerSecond", 22)
        .hasFieldOrPropertyWithValue("maxReplayTries", 28)
        .hasFieldOrPropertyWithValue("replayBatchSize", 29)
        .hasFieldOrPropertyWithValue("maxSpilloverEvents", 23L)
        .hasFieldOrPropertyWithValue("maxSpilloverSizeBytes", 24L * 1024 * 1024)
        .hasFieldOrPropertyWithValue("maxQuarantineSizeBytes", 25L * 1024 * 1024)
        .hasFieldOrPropertyWithValue("maxEntryBytes", 26_000)
        .hasFieldOrPropertyWithValue("forcePolicy", ForcePolicy.EACH_BATCH)
        .hasFieldOrPropertyWithValue("forceInterval", Duration.ofMillis(27));
  }

  @Test
  void thePauseOfTheReplayHasANameWithoutAUnitToo() {
    assertThat(logger(Contexts.withApi().withPropertyValues("eventlog.async.replay-interval=3s")))
        .hasFieldOrPropertyWithValue("replayInterval", Duration.ofSeconds(3));
  }

  @Test
  void aTokenGoesToAnotherMachineInClearTextOnlyIfThatIsAllowed() {
    ApplicationContextRunner application =
        Contexts.bare()
            .withPropertyValues(
                "eventlog.base-url=http://events.example.com", "eventlog.bearer-token=secret");
    application.run(context -> assertThat(context).hasFailed());
    application
        .withPropertyValues("eventlog.allow-clear-text=true")
        .run(context -> assertThat(context).hasNotFailed());
  }

  @Test
  void theDefaultsAreThoseOfTheBuilder() {
    AsyncEventLoggerBuilder builder = logger(Contexts.bare().withBean(Api.class));

    assertThat(builder)
        .usingRecursiveComparison()
        .ignoringFields("client", "lifecycleListener", "registerShutdownHook", "time")
        .isEqualTo(AsyncEventLogger.builder());
  }

  @Test
  void theClient() {
    AtomicReference<HttpEventLogClientBuilder> seen = new AtomicReference<>();
    Contexts.bare()
        .withBean(EventLogClientCustomizer.class, () -> seen::set)
        .withPropertyValues(
            "eventlog.base-url=http://localhost:1/api",
            "eventlog.api-key=key-1",
            "eventlog.api-key-header=X-Key",
            "eventlog.bearer-token=token-1",
            "eventlog.connect-timeout=3s",
            "eventlog.request-timeout=4s",
            "eventlog.gzip-from-bytes=5")
        .run(context -> assertThat(context).hasSingleBean(AsyncEventLogger.class));

    assertThat(seen.get())
        .hasFieldOrPropertyWithValue("baseUri", URI.create("http://localhost:1/api"))
        .hasFieldOrPropertyWithValue("apiKeyHeader", "X-Key")
        .hasFieldOrPropertyWithValue("connectTimeout", Duration.ofSeconds(3))
        .hasFieldOrPropertyWithValue("requestTimeout", Duration.ofSeconds(4))
        .hasFieldOrPropertyWithValue("gzipFromBytes", 5)
        .extracting("apiKey", "bearerToken")
        .map(supplier -> String.valueOf(((Supplier<?>) supplier).get()))
        .containsExactly("key-1", "token-1");
  }

  @Test
  void whoLogsAndTheKeysOfTheMdc() {
    Contexts.withApi()
        .withPropertyValues(
            "eventlog.application-id=orders",
            "eventlog.target-system=warehouse",
            "eventlog.originating-system=web",
            "eventlog.mdc.correlation-id=corr",
            "eventlog.mdc.trace-id=trace",
            "eventlog.mdc.span-id=span")
        .run(
            context -> {
              MDC.put("corr", "c-1");
              MDC.put("trace", "t-1");
              MDC.put("span", "s-1");
              try {
                context.getBean(AsyncEventLogger.class).log(event(context));
              } finally {
                MDC.clear();
              }
              assertThat(context.getBean(Api.class).await(1).get(0))
                  .satisfies(
                      event -> {
                        assertThat(event.applicationId()).isEqualTo("orders");
                        assertThat(event.targetSystem()).isEqualTo("warehouse");
                        assertThat(event.originatingSystem()).isEqualTo("web");
                        assertThat(event.correlationId()).isEqualTo("c-1");
                        assertThat(event.traceId()).isEqualTo("t-1");
                        assertThat(event.parentSpanId()).isEqualTo("s-1");
                      });
            });
  }

  private static EventLogEntry event(ApplicationContext context) {
    return context
        .getBean(EventLogContext.class)
        .event()
        .processName("PlaceOrder")
        .eventType(EventType.STEP)
        .eventStatus(EventStatus.SUCCESS)
        .summary("done")
        .result("ok")
        .requestPayload("{\"password\":\"s3cret\"}")
        .metadata(Map.of("Pin", 1234, "n", 1))
        .build();
  }

  @Test
  void fieldsToRedactAreMaskedAndBeansComeAfterThem() {
    Contexts.withApi()
        .withBean(
            Redaction.class,
            () -> event -> event.toBuilder().result(event.requestPayload()).build())
        .withPropertyValues("eventlog.redaction.fields=password,pin")
        .run(
            context -> {
              context.getBean(AsyncEventLogger.class).log(event(context));
              assertThat(context.getBean(Api.class).await(1).get(0))
                  .satisfies(
                      event -> {
                        assertThat(event.requestPayload()).isEqualTo("{\"password\":\"***\"}");
                        assertThat(event.metadata().toString()).contains("Pin=***", "n=1");
                        assertThat(event.result()).isEqualTo(event.requestPayload());
                      });
            });
  }

  @Test
  void offMeansOff() {
    Contexts.withApi()
        .withPropertyValues("eventlog.enabled=false")
        .run(context -> assertThat(context).doesNotHaveBean(AsyncEventLogger.class));
  }
}
