package eventlog.spring;

import static org.assertj.core.api.Assertions.assertThat;

import eventlog.AsyncEventLogger;
import eventlog.EventLogEntry;
import eventlog.EventLogLifecycleListener;
import eventlog.EventLossCallback;
import eventlog.EventStatus;
import eventlog.EventType;
import eventlog.HttpEventLogClient;
import eventlog.spi.Answer;
import eventlog.spi.EventLogClient;
import holdfast.testkit.log.CapturedLog;
import holdfast.testkit.threads.Eventually;
import jakarta.annotation.PreDestroy;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicReference;
import java.util.logging.Level;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Which beans there are, and when the logger is closed. */
class EventLogAutoConfigurationTest {

  private static EventLogEntry event(EventLogContext context, String key) {
    return context
        .event()
        .processName("PlaceOrder")
        .eventType(EventType.STEP)
        .eventStatus(EventStatus.SUCCESS)
        .summary("done")
        .result("ok")
        .idempotencyKey(key)
        .build();
  }

  @Test
  void anAddressMakesAClientAndALogger() {
    Contexts.bare()
        .withPropertyValues("eventlog.base-url=http://localhost:1")
        .run(
            context ->
                assertThat(context)
                    .hasSingleBean(HttpEventLogClient.class)
                    .hasSingleBean(AsyncEventLogger.class)
                    .hasSingleBean(EventLogContext.class)
                    .hasSingleBean(EventLogShutdown.class));
  }

  @Test
  void aClientOfTheApplicationIsUsed() {
    Contexts.withApi()
        .withPropertyValues("eventlog.base-url=http://localhost:1")
        .run(
            context -> {
              assertThat(context).getBean(EventLogClient.class).isInstanceOf(Api.class);
              EventLogEntry event = event(context.getBean(EventLogContext.class), "one");
              context.getBean(AsyncEventLogger.class).log(event);
              assertThat(context.getBean(Api.class).await(1)).containsExactly(event);
              assertThat(event.applicationId()).isEqualTo("shop");
              assertThat(event.targetSystem()).isEqualTo("shop");
              assertThat(event.correlationId()).hasSize(26);
              assertThat(event.traceId()).matches("[0-9a-f]{32}");
            });
  }

  @Test
  void aLoggerOfTheApplicationIsLeftAlone() {
    AsyncEventLogger own = AsyncEventLogger.builder().client(new Api()).build();
    Contexts.withApi()
        .withBean(AsyncEventLogger.class, () -> own)
        .run(context -> assertThat(context).getBean(AsyncEventLogger.class).isSameAs(own));
    own.close();
  }

  @Test
  void withoutAClientThereIsNoLoggerAndTheLogSaysSo() {
    try (CapturedLog log = new CapturedLog("eventlog")) {
      Contexts.bare()
          .run(
              context -> {
                assertThat(context)
                    .hasNotFailed()
                    .doesNotHaveBean(AsyncEventLogger.class)
                    .doesNotHaveBean(LogEventProxies.class);
                assertThat(log.messages(Level.WARNING))
                    .singleElement()
                    .asString()
                    .startsWith("eventlog is not there, no @LogEvent method will be logged");
              });
    }
  }

  @Test
  void lossesAreToldToTheApplicationsCallback() {
    Queue<String> told = new ConcurrentLinkedQueue<>();
    Contexts.withApi()
        .withBean(
            EventLossCallback.class,
            () -> (event, reason) -> told.add(event.idempotencyKey() + " " + reason))
        .run(
            context -> {
              context.getBean(Api.class).answers(Answer.rejected("no"));
              context
                  .getBean(AsyncEventLogger.class)
                  .log(event(context.getBean(EventLogContext.class), "one"));
              Eventually.await("told", () -> !told.isEmpty());
              assertThat(told).containsExactly("one rejected_by_api");
            });
  }

  @Test
  void lifecycleEventsAreToldToTheApplicationsListeners() {
    Queue<String> told = new ConcurrentLinkedQueue<>();
    EventLogLifecycleListener listener =
        new EventLogLifecycleListener() {
          @Override
          public void onCircuitOpened(String problem) {
            told.add("opened " + problem);
          }
        };
    Contexts.withApi()
        .withBean("one", EventLogLifecycleListener.class, () -> listener)
        .withBean("other", EventLogLifecycleListener.class, () -> listener)
        .run(
            context -> {
              context.getBean(Api.class).answers(Answer.broken("HTTP 401"));
              context
                  .getBean(AsyncEventLogger.class)
                  .log(event(context.getBean(EventLogContext.class), "one"));
              Eventually.await("told", () -> told.size() == 2);
              assertThat(told).containsOnly("opened HTTP 401");
            });
  }

  /** Logs as long as it lives, and a moment longer. */
  static final class Parting {
    private final AsyncEventLogger logger;
    private final EventLogContext context;

    Parting(AsyncEventLogger logger, EventLogContext context) {
      this.logger = logger;
      this.context = context;
    }

    @PreDestroy
    void part() {
      logger.log(event(context, "parting"));
    }
  }

  @Configuration
  static class PartingApp {
    @Bean
    Parting parting(AsyncEventLogger logger, EventLogContext context) {
      return new Parting(logger, context);
    }
  }

  @Test
  void theLoggerIsClosedAfterTheBeansThatLog() {
    AtomicReference<AsyncEventLogger> logger = new AtomicReference<>();
    AtomicReference<Api> api = new AtomicReference<>();
    Contexts.withApi()
        .withUserConfiguration(PartingApp.class)
        .run(
            context -> {
              logger.set(context.getBean(AsyncEventLogger.class));
              api.set(context.getBean(Api.class));
            });

    assertThat(api.get().events()).extracting(EventLogEntry::idempotencyKey).contains("parting");
    assertThat(logger.get().ledger().lost()).isZero();
    assertThat(logger.get().ledger().isAccountedFor()).isTrue();
    assertThat(logger.get().log(api.get().events().get(0))).as("closed").isFalse();
  }

  @Test
  void whatCannotBeSentAtTheEndIsOnDisk(@TempDir Path directory) throws Exception {
    Contexts.withApi()
        .withUserConfiguration(PartingApp.class)
        .withPropertyValues(
            "eventlog.async.spillover-path=" + directory, "eventlog.async.close-timeout=100ms")
        .run(context -> context.getBean(Api.class).answers(Answer.later("down", null)));

    List<String> lines = Files.readAllLines(directory.resolve("eventlog-spillover.jsonl"));
    assertThat(lines).singleElement().asString().contains("\"idempotencyKey\":\"parting\"");
  }
}
