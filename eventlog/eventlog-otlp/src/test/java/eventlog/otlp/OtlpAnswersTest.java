package eventlog.otlp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import eventlog.EventLogEntry;
import eventlog.Events;
import eventlog.otlp.Collector.Reply;
import eventlog.spi.Answer;
import holdfast.testkit.log.CapturedLog;
import io.opentelemetry.proto.collector.logs.v1.ExportLogsPartialSuccess;
import io.opentelemetry.proto.collector.logs.v1.ExportLogsServiceResponse;
import java.net.URI;
import java.net.http.HttpTimeoutException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** How answers of a collector are understood, and what is sent to it. */
@Timeout(60)
class OtlpAnswersTest {
  private static final String PROTOBUF = "application/x-protobuf";

  private final Collector collector = new Collector();
  private OtlpEventLogClient client = builder().build();

  private OtlpEventLogClientBuilder builder() {
    return OtlpEventLogClient.builder(collector.uri());
  }

  @AfterEach
  void end() {
    client.close();
    collector.close();
  }

  private void useClient(OtlpEventLogClientBuilder settings) {
    client.close();
    client = settings.build();
  }

  private Answer send(int events) throws Exception {
    return client.send(Events.events("e", events));
  }

  @ParameterizedTest
  @CsvSource({
    "200, DELIVERED",
    "204, DELIVERED",
    "429, LATER",
    "502, LATER",
    "503, LATER",
    "504, LATER",
    "400, REJECTED",
    "408, REJECTED",
    "413, REJECTED",
    "422, REJECTED",
    "500, REJECTED",
    "501, REJECTED",
    "505, REJECTED",
    "401, BROKEN",
    "403, BROKEN",
    "404, BROKEN",
    "405, BROKEN",
    "410, BROKEN",
    "302, BROKEN"
  })
  void everyStatusHasItsMeaning(int status, Answer.Kind kind) throws Exception {
    collector.answers(request -> Reply.of(status));

    assertThat(send(2).kind()).isEqualTo(kind);
  }

  @ParameterizedTest
  @CsvSource({"429, 7, 7", "503, 120, 120", "503, soon, "})
  void retryAfterIsHonoured(int status, String header, Long seconds) throws Exception {
    collector.answers(request -> new Reply(status, Map.of("Retry-After", header), new byte[0]));

    assertThat(send(1).retryAfter())
        .isEqualTo(seconds == null ? null : Duration.ofSeconds(seconds));
  }

  private static Reply partialSuccess(long refused, String message) {
    ExportLogsPartialSuccess part =
        ExportLogsPartialSuccess.newBuilder()
            .setRejectedLogRecords(refused)
            .setErrorMessage(message)
            .build();
    return new Reply(
        200,
        Map.of("Content-Type", PROTOBUF),
        ExportLogsServiceResponse.newBuilder().setPartialSuccess(part).build().toByteArray());
  }

  @Test
  void aPartialSuccessSaysHowManyWereRefusedAndWhy() throws Exception {
    collector.answers(request -> partialSuccess(2, "too old"));

    Answer answer = send(5);

    assertThat(answer.kind()).isEqualTo(Answer.Kind.DELIVERED);
    assertThat(answer.refused()).isEqualTo(2);
    assertThat(answer.problem()).isEqualTo("2 of 5 refused: too old");
  }

  @Test
  void aPartialSuccessWithoutRefusalIsAWarningAndASuccess() throws Exception {
    collector.answers(request -> partialSuccess(0, "use another field"));

    assertThat(send(5)).isEqualTo(Answer.delivered());
  }

  @Test
  void theFirstWarningIsLogged() throws Exception {
    collector.answers(request -> partialSuccess(0, "use another field"));

    try (CapturedLog log = new CapturedLog("eventlog")) {
      send(5);
      send(5);

      assertThat(log.lines())
          .filteredOn(line -> line.contains("warning=use another field"))
          .hasSize(1);
    }
  }

  @Test
  void aWebPageIsNoAnswerOfACollector() throws Exception {
    collector.answers(
        request ->
            new Reply(
                200,
                Map.of("Content-Type", "text/html; charset=utf-8"),
                "<html>Log in".getBytes(StandardCharsets.UTF_8)));

    assertThat(send(2).kind()).isEqualTo(Answer.Kind.BROKEN);
  }

  @ParameterizedTest
  @CsvSource({"''", "/", "/v1/logs", "/v1/logs/"})
  void theAddressMayHaveThePath(String path) {
    useClient(OtlpEventLogClient.builder(URI.create(collector.uri() + path)));

    assertThat(client.address()).isEqualTo(collector.uri() + "/v1/logs");
  }

  @Test
  void moreRefusalsThanRecordsAreAsManyAsRecords() throws Exception {
    collector.answers(request -> partialSuccess(Long.MAX_VALUE, "no"));

    assertThat(send(5).refused()).isEqualTo(5);
  }

  @ParameterizedTest
  @CsvSource({"rejectedLogRecords, \"3\"", "rejected_log_records, 3"})
  void aPartialSuccessInJsonIsUnderstood(String name, String number) throws Exception {
    useClient(builder().encoding(OtlpEncoding.JSON));
    String json =
        "{\"partialSuccess\":{\"%s\":%s,\"errorMessage\":\"no\"}}".formatted(name, number);
    collector.answers(
        request ->
            new Reply(
                200,
                Map.of("Content-Type", "application/json"),
                json.getBytes(StandardCharsets.UTF_8)));

    assertThat(send(5).refused()).isEqualTo(3);
  }

  @ParameterizedTest
  @EnumSource(OtlpEncoding.class)
  void aBodyThatCannotBeReadIsASuccess(OtlpEncoding encoding) throws Exception {
    useClient(builder().encoding(encoding));
    collector.answers(
        request ->
            new Reply(
                200,
                Map.of("Content-Type", encoding.contentType()),
                new byte[] {10, 127, 8, 1, '{'}));

    assertThat(send(2)).isEqualTo(Answer.delivered());
  }

  @Test
  void anAnswerThatIsTooLongHasFailedSinceItMayRefuseRecords() throws Exception {
    collector.answers(request -> new Reply(200, Map.of(), new byte[2 * 1024 * 1024]));

    assertThat(send(2).kind()).isEqualTo(Answer.Kind.LATER);
  }

  @Test
  void theProblemOfARefusalIsWhatTheCollectorSays() throws Exception {
    collector.answers(
        request ->
            new Reply(
                400,
                Map.of("Content-Type", "text/plain"),
                "bad wire type".getBytes(StandardCharsets.UTF_8)));

    assertThat(send(1).problem()).isEqualTo("HTTP 400: bad wire type");
  }

  @Test
  void anAnswerThatStallsFailsAtTheDeadline() {
    useClient(builder().requestTimeout(Duration.ofMillis(100)));
    collector.answers(request -> Reply.of(-200));

    assertThatThrownBy(() -> send(1)).isInstanceOf(HttpTimeoutException.class);
  }

  @Test
  void headersAndCompressionAreAsConfigured() throws Exception {
    AtomicReference<String> key = new AtomicReference<>("one");
    useClient(builder().header("Api-Key", key::get).gzipFromBytes(2000));

    send(1);
    key.set("two");
    send(50);

    assertThat(collector.requests().get(0).headers())
        .containsEntry("Api-key", List.of("one"))
        .containsEntry("Content-type", List.of(PROTOBUF))
        .doesNotContainKey("Content-encoding");
    assertThat(collector.requests().get(1).headers())
        .containsEntry("Api-key", List.of("two"))
        .containsEntry("Content-encoding", List.of("gzip"));
    assertThat(collector.requests().get(1).bodies()).hasSize(50);
  }

  @Test
  void aHeaderThatCannotBeSentIsABrokenDestinationAndIsNotShown() throws Exception {
    useClient(builder().header("Api-Key", () -> "secret\n"));

    Answer answer = send(1);

    assertThat(answer.kind()).isEqualTo(Answer.Kind.BROKEN);
    assertThat(answer.problem()).contains("Api-Key").doesNotContain("secret");
  }

  @ParameterizedTest
  @EnumSource(OtlpEncoding.class)
  void aRequestThatIsTooLargeIsRefusedBeforeItIsSent(OtlpEncoding encoding) throws Exception {
    useClient(builder().encoding(encoding).maxRequestBytes(1024));
    EventLogEntry large = Events.builder("large").summary("x".repeat(5000)).build();

    assertThat(client.send(List.of(large)).kind()).isEqualTo(Answer.Kind.REJECTED);
    assertThat(collector.requests()).isEmpty();
  }

  @Test
  void whatCannotBeWrittenIsRefused() throws Exception {
    List<Object> circle = new ArrayList<>();
    circle.add(circle);

    assertThat(
            client
                .send(List.of(Events.builder("c").metadata(Map.of("circle", circle)).build()))
                .kind())
        .isEqualTo(Answer.Kind.REJECTED);
  }

  @Test
  void allBadSettingsAreNamedAtOnce() {
    assertThatThrownBy(
            () ->
                OtlpEventLogClient.builder(URI.create("ftp://x"))
                    .connectTimeout(Duration.ZERO)
                    .gzipFromBytes(-1)
                    .maxRequestBytes(1)
                    .header("no header", () -> "")
                    .build())
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("baseUri must begin with http: or https: but was ftp://x")
        .hasMessageContaining("connectTimeout must be above zero, and 365 days at most, but was")
        .hasMessageContaining("gzipFromBytes must be 0 or more but was -1")
        .hasMessageContaining("maxRequestBytes must be 1024 or more but was 1")
        .hasMessageContaining("header must be the name of a header that may be set but was");
  }

  @Test
  void aHeaderToAnotherMachineInClearTextIsRefused() {
    OtlpEventLogClientBuilder settings =
        OtlpEventLogClient.builder(URI.create("http://collector:4318")).header("K", () -> "v");

    assertThatThrownBy(settings::build).hasMessageContaining("allow clear text");
    settings.allowClearText(true).build().close();
  }
}
