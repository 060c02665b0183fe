package eventlog.otlp;

import static org.assertj.core.api.Assertions.assertThat;

import eventlog.AsyncEventLogger;
import eventlog.AsyncEventLoggerBuilder;
import eventlog.Events;
import eventlog.appender.AppenderReport;
import eventlog.appender.AppenderSettings;
import eventlog.appender.LineAppender;
import eventlog.appender.LogLine;
import eventlog.otlp.Collector.Reply;
import holdfast.ledger.LedgerSnapshot;
import holdfast.testkit.threads.Eventually;
import io.opentelemetry.proto.collector.logs.v1.ExportLogsPartialSuccess;
import io.opentelemetry.proto.collector.logs.v1.ExportLogsServiceResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The event log in front of a collector that fails in all the ways a collector can. */
@Timeout(60)
class OtlpDeliveryTest {
  private static final int EVENTS = 500;

  @TempDir Path directory;
  private final Collector collector = new Collector();
  private final OtlpEventLogClient client =
      OtlpEventLogClient.builder(collector.uri()).requestTimeout(Duration.ofSeconds(2)).build();

  @AfterEach
  void end() {
    client.close();
    collector.close();
  }

  /** What a collector does to every request until it works again. */
  enum Fault {
    STALLS(Reply.of(-200)),
    ASKS_FOR_TIME(new Reply(503, Map.of("Retry-After", "1"), new byte[0])),
    TOO_MANY(new Reply(429, Map.of("Retry-After", "1"), new byte[0])),
    UNAVAILABLE(Reply.of(503)),
    BAD_GATEWAY(Reply.of(502)),
    WRONG_KEY(Reply.of(401));

    private final Reply reply;

    Fault(Reply reply) {
      this.reply = reply;
    }
  }

  private AsyncEventLogger logger() {
    AsyncEventLoggerBuilder settings =
        AsyncEventLogger.builder()
            .client(client)
            .spilloverPath(directory)
            .maxBatchWait(Duration.ofMillis(5))
            .maxRetries(1)
            .baseRetryDelay(Duration.ofMillis(10))
            .maxRetryDelay(Duration.ofMillis(20))
            .circuitBreakerThreshold(2)
            .circuitBreakerReset(Duration.ofMillis(100))
            .replayIntervalMs(50)
            .maxReplayEventsPerSecond(100_000)
            .registerShutdownHook(false);
    return settings.build();
  }

  @ParameterizedTest
  @EnumSource(Fault.class)
  void anOutageIsSurvivedAndTheLedgerAgreesWithTheCollector(Fault fault) {
    collector.answers(request -> fault.reply);
    try (AsyncEventLogger logger = logger()) {
      logger.log(Events.events("e", EVENTS));
      Eventually.await(
          "on disk or waiting",
          () -> collector.requests().size() >= 2 && logger.ledger().delivered() == 0);
      collector.answers(request -> Reply.of(200));
      Eventually.await("delivered", () -> logger.ledger().delivered() == EVENTS);

      LedgerSnapshot ledger = logger.ledger();
      assertThat(ledger.lost()).isZero();
      assertThat(collector.taken())
          .containsExactlyInAnyOrderElementsOf(Events.keys(Events.events("e", EVENTS)));
    }
  }

  private static Reply refusing(int records) {
    return new Reply(
        200,
        Map.of("Content-Type", "application/x-protobuf"),
        ExportLogsServiceResponse.newBuilder()
            .setPartialSuccess(
                ExportLogsPartialSuccess.newBuilder()
                    .setRejectedLogRecords(records)
                    .setErrorMessage("attribute too long"))
            .build()
            .toByteArray());
  }

  @Test
  void whatAPartialSuccessRefusesIsCountedAsLostAndNothingIsSentAgain() throws Exception {
    AtomicInteger refused = new AtomicInteger();
    collector.answers(
        request -> {
          int records = request.bodies().size();
          if (records == 1) {
            return Reply.of(200);
          }
          refused.incrementAndGet();
          return refusing(1);
        });
    try (AsyncEventLogger logger = logger()) {
      logger.log(Events.events("e", EVENTS));
      assertThat(logger.flush(Duration.ofSeconds(30))).isTrue();

      LedgerSnapshot ledger = logger.ledger();
      assertThat(collector.taken()).as("records in requests").hasSize(EVENTS);
      assertThat(refused.get()).isPositive();
      assertThat(ledger.lostByReason()).containsEntry("rejected_by_api", (long) refused.get());
      assertThat(ledger.delivered()).isEqualTo(EVENTS - refused.get());
      assertThat(ledger.isAccountedFor()).isTrue();
    }
  }

  @Test
  void anEventThatIsRefusedWith400IsFoundAndSetAside() throws Exception {
    collector.answers(request -> Reply.of(request.bodies().contains("poison") ? 400 : 200));
    try (AsyncEventLogger logger = logger()) {
      logger.log(Events.events("e", 20));
      logger.log(Events.builder("bad").summary("poison").build());
      logger.log(Events.events("f", 20));
      assertThat(logger.flush(Duration.ofSeconds(30))).isTrue();

      Eventually.await(
          "set aside", () -> logger.ledger().heldByPlace().getOrDefault("quarantine", 0L) == 1);
      assertThat(logger.ledger().delivered()).isEqualTo(40);
      assertThat(collector.taken()).hasSize(40);
      assertThat(Files.readString(directory.resolve("eventlog-spillover.quarantine.jsonl")))
          .contains("poison", "HTTP 400");
    }
  }

  @Test
  void aPauseThatTheCollectorAsksForIsKept() throws Exception {
    AtomicBoolean asked = new AtomicBoolean();
    collector.answers(
        request ->
            asked.getAndSet(true)
                ? Reply.of(200)
                : new Reply(503, Map.of("Retry-After", "1"), new byte[0]));
    try (AsyncEventLogger logger = logger()) {
      logger.log(Events.event("one"));
      Eventually.await("asked", asked::get);
      long before = System.nanoTime();
      logger.log(Events.event("two"));
      Eventually.await("delivered", () -> logger.ledger().delivered() == 2);

      assertThat(Duration.ofNanos(System.nanoTime() - before))
          .isGreaterThan(Duration.ofMillis(700));
    }
  }

  @Test
  void anAppenderSendsLinesByTheProtocolOfItsSettings() {
    AppenderReport silent =
        new AppenderReport() {
          @Override
          public void info(String message) {}

          @Override
          public void warn(String message) {}
        };
    LineAppender appender =
        new AppenderSettings()
            .set("protocol", "http/protobuf")
            .set("baseUri", collector.uri().toString())
            .set("applicationId", "shop")
            .set("apiKey", "k")
            .set("bearerToken", "t")
            .start(silent);

    appender.append(
        new LogLine(
            Instant.EPOCH,
            "INFO",
            LogLine.Severity.NORMAL,
            "shop.Orders",
            "main",
            "order placed",
            Map.of(),
            List.of(),
            Map.of(),
            null));
    Eventually.await("delivered", () -> appender.ledger().delivered() == 1);
    appender.stop();

    assertThat(collector.requests().get(0).bodies()).containsExactly("order placed");
    assertThat(collector.requests().get(0).headers())
        .containsEntry("X-api-key", List.of("k"))
        .containsEntry("Authorization", List.of("Bearer t"));
  }
}
