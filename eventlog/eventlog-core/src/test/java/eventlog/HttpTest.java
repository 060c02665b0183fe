package eventlog;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import eventlog.spi.Answer;
import eventlog.testkit.EventLogServer;
import eventlog.testkit.Fault;
import holdfast.breaker.CircuitBreaker;
import holdfast.testkit.log.CapturedLog;
import holdfast.testkit.threads.Eventually;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Over real HTTP, to the server among the examples. */
@Timeout(60)
class HttpTest {
  @TempDir Path directory;

  private final EventLogServer server = EventLogServer.start();
  private final HttpEventLogClient client =
      HttpEventLogClient.builder(server.uri()).requestTimeout(Duration.ofSeconds(5)).build();
  private final CapturedLog log = new CapturedLog("eventlog");

  @AfterEach
  void stop() {
    server.close();
    log.close();
  }

  private AsyncEventLogger logger(Consumer<AsyncEventLoggerBuilder> settings) {
    AsyncEventLoggerBuilder builder =
        AsyncEventLogger.builder()
            .client(client)
            .spilloverPath(directory)
            .maxBatchWait(Duration.ofMillis(10))
            .baseRetryDelay(Duration.ofMillis(5))
            .maxRetryDelay(Duration.ofMillis(20))
            .circuitBreakerReset(Duration.ofMillis(20))
            .replayIntervalMs(20);
    settings.accept(builder);
    return builder.build();
  }

  private String get(String query) throws IOException, InterruptedException {
    HttpRequest request =
        HttpRequest.newBuilder(URI.create(server.uri() + "/v1/events?" + query)).build();
    return HttpClient.newHttpClient().send(request, BodyHandlers.ofString()).body();
  }

  @Test
  void oneEventAndABatchAreStoredAndCanBeReadBack() throws Exception {
    EventLogEntry one = Events.builder("one").correlationId("c 1&").build();
    assertThat(client.send(List.of(one))).isEqualTo(Answer.delivered());
    assertThat(client.send(Events.events("b", 3))).isEqualTo(Answer.delivered());

    assertThat(server.copies()).containsOnlyKeys("one", "b-0", "b-1", "b-2");
    assertThat(get("correlationId=c%201%26")).contains("\"idempotencyKey\":\"one\"");
    assertThat(get("traceId=4bf92f3577b34da6a3ce929d0e0e4736")).contains("\"b-0\"", "\"b-2\"");
  }

  @Test
  void theSameEventIsStoredOnce() throws Exception {
    client.send(Events.events("b", 2));
    client.send(Events.events("b", 3));

    assertThat(server.copies()).isEqualTo(Map.of("b-0", 2, "b-1", 2, "b-2", 1));
  }

  @Test
  void largeBodiesAreCompressed() throws Exception {
    EventLogEntry large = Events.builder("large").requestPayload("é".repeat(50_000)).build();

    assertThat(client.send(List.of(large, Events.event("small")))).isEqualTo(Answer.delivered());

    assertThat(server.copies()).containsOnlyKeys("large", "small");
  }

  @ParameterizedTest
  @CsvSource({
    "ERROR,LATER",
    "TOO_MANY,LATER",
    "UNAUTHORIZED,BROKEN",
    "REJECT,REJECTED",
    "GARBAGE,DELIVERED",
    "NONE,DELIVERED"
  })
  void answersAreUnderstood(Fault fault, Answer.Kind kind) throws Exception {
    server.faults().set(fault);
    server.faults().retryAfter(Duration.ofSeconds(7));

    Answer answer = client.send(Events.events("e", 2));

    assertThat(answer.kind()).isEqualTo(kind);
    assertThat(answer.failures()).isEmpty();
    assertThat(answer.retryAfter())
        .isEqualTo(fault == Fault.TOO_MANY ? Duration.ofSeconds(7) : null);
  }

  @Test
  void aPartialAnswerNamesWhatWasLeftOut() throws Exception {
    server.faults().set(Fault.PARTIAL);

    assertThat(client.send(Events.events("e", 4)).failures())
        .containsExactly(new Answer.Failure(1, "left out"), new Answer.Failure(3, "left out"));
    assertThat(server.copies()).containsOnlyKeys("e-0", "e-2");
  }

  @Test
  void noAnswerIsAnException() {
    server.faults().set(Fault.DOWN);
    assertThatThrownBy(() -> client.send(Events.events("e", 1))).isInstanceOf(IOException.class);

    server.faults().set(Fault.SLOW);
    HttpEventLogClient hasty =
        HttpEventLogClient.builder(server.uri()).requestTimeout(Duration.ofMillis(50)).build();
    assertThatThrownBy(() -> hasty.send(Events.events("e", 1))).isInstanceOf(IOException.class);
  }

  @Test
  void anOutageIsSurvivedAndEveryEventArrives() throws InterruptedException {
    try (AsyncEventLogger logger = logger(b -> b.queueCapacity(100))) {
      server.faults().set(Fault.DOWN);
      logger.log(Events.events("during", 500));
      Eventually.await("spilled", () -> logger.metrics().eventsSpilled() > 0);
      server.faults().set(Fault.ERROR);
      logger.log(Events.events("still", 50));
      server.faults().set(Fault.NONE);

      Eventually.await(
          "all delivered",
          () -> logger.metrics().eventsSent() + logger.metrics().eventsFailed() == 550);

      assertThat(logger.metrics().eventsFailed())
          .as(logger.ledger().toLine())
          .isEqualTo(lost(logger));
      assertThat(server.copies()).hasSize(550 - (int) lost(logger));
      assertThat(logger.ledger().isAccountedFor()).as(logger.ledger().toLine()).isTrue();
      assertThat(logger.circuitState()).isEqualTo(CircuitBreaker.State.CLOSED);
    }
  }

  /** Only the queue to the disk may have been too short. */
  private static long lost(AsyncEventLogger logger) {
    return logger.ledger().lostByReason().get("spillover_queue_full");
  }

  @Test
  void aPoisonedEventOnDiskDoesNotHoldUpTheOthers() throws IOException {
    server.faults().set(Fault.UNAUTHORIZED);
    try (AsyncEventLogger logger = logger(b -> b.circuitBreakerReset(Duration.ofMillis(200)))) {
      logger.log(Events.events("before", 20));
      logger.log(Events.builder("poison").summary("poison").build());
      logger.log(Events.events("after", 20));
      Eventually.await("spilled", () -> logger.metrics().eventsSpilled() == 41);
      server.faults().poison("poison");
      server.faults().set(Fault.NONE);

      Eventually.await("replayed", () -> logger.metrics().eventsReplayed() == 40);
      assertThat(server.copies()).hasSize(40).doesNotContainKey("poison");
      Eventually.await("set aside", () -> logger.ledger().heldByPlace().get("quarantine") == 1);
      assertThat(Files.readString(directory.resolve("eventlog-spillover.quarantine.jsonl")))
          .contains("\"problem\":\"HTTP 400\"", "\"idempotencyKey\":\"poison\"");
      assertThat(logger.ledger().lost()).isZero();
    }
  }

  @Test
  void badSettingsAreNamedAtOnce() {
    assertThatThrownBy(
            () ->
                HttpEventLogClient.builder(URI.create("ftp://x"))
                    .connectTimeout(Duration.ZERO)
                    .requestTimeout(Duration.ZERO)
                    .gzipFromBytes(-1)
                    .apiKeyHeader(" ")
                    .build())
        .hasMessageContaining("baseUri must begin with http: or https: but was ftp://x")
        .hasMessageContaining("connectTimeout")
        .hasMessageContaining("requestTimeout")
        .hasMessageContaining("gzipFromBytes")
        .hasMessageContaining("apiKeyHeader");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "http:///events",
        "http://localhost:65536",
        "http://user:secret@localhost",
        "http://localhost?key=secret",
        "http://localhost#secret"
      })
  void anAddressThatWouldNeverWorkIsRefused(String address) {
    assertThatThrownBy(() -> HttpEventLogClient.builder(URI.create(address)).build())
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("baseUri")
        .message()
        .doesNotContain("secret");
  }

  @Test
  void aHeaderThatCannotBeSentIsRefusedWithoutShowingTheKey() {
    HttpEventLogClientBuilder builder =
        HttpEventLogClient.builder(URI.create("http://localhost"))
            .apiKey("secret\n")
            .apiKeyHeader("Host")
            .requestTimeout(Duration.ofSeconds(Long.MAX_VALUE));

    assertThatThrownBy(builder::build)
        .hasMessageContaining("apiKeyHeader must be the name of a header that may be set")
        .hasMessageContaining("apiKey must be what a header may hold")
        .hasMessageContaining("requestTimeout must be above zero, and 365 days at most,")
        .message()
        .doesNotContain("secret");
  }
}
