package eventlog;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import eventlog.spi.Answer;
import holdfast.testkit.time.SettableTime;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.NullSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What the client sends, and how it understands every status and body. */
@Timeout(60)
class ClientRequestTest {
  private record Received(String path, String key, String token, String encoding, int bytes) {}

  private final BlockingQueue<Received> received = new LinkedBlockingQueue<>();
  private volatile int status = 200;
  private volatile String body = "";
  private volatile String retryAfter = "";
  private HttpServer server;

  @BeforeEach
  void start() throws IOException {
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext("/", this::handle);
    server.start();
  }

  @AfterEach
  void stop() {
    server.stop(0);
  }

  private void handle(HttpExchange exchange) throws IOException {
    try (exchange) {
      received.add(
          new Received(
              exchange.getRequestURI().getPath(),
              exchange.getRequestHeaders().getFirst("X-Key"),
              exchange.getRequestHeaders().getFirst("Authorization"),
              exchange.getRequestHeaders().getFirst("Content-Encoding"),
              exchange.getRequestBody().readAllBytes().length));
      if (!retryAfter.isEmpty()) {
        exchange.getResponseHeaders().set("Retry-After", retryAfter);
      }
      byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
      exchange.sendResponseHeaders(status, bytes.length == 0 ? -1 : bytes.length);
      exchange.getResponseBody().write(bytes);
    }
  }

  private HttpEventLogClientBuilder client(String path) {
    return HttpEventLogClient.builder(
        URI.create("http://localhost:" + server.getAddress().getPort() + path));
  }

  @Test
  void keyTokenPathAndCompressionAreAsConfigured() throws Exception {
    HttpEventLogClient client =
        client("/api/")
            .apiKey("k")
            .apiKeyHeader("X-Key")
            .bearerToken(() -> "t")
            .gzipFromBytes(2000)
            .build();

    client.send(Events.events("e", 1));
    client.send(Events.events("e", 50));

    Received one = received.take();
    assertThat(one.path()).isEqualTo("/api/v1/events");
    assertThat(one.key()).isEqualTo("k");
    assertThat(one.token()).isEqualTo("Bearer t");
    assertThat(one.encoding()).isNull();
    Received many = received.take();
    assertThat(many.path()).isEqualTo("/api/v1/events/batch");
    assertThat(many.encoding()).isEqualTo("gzip");
    assertThat(many.bytes()).isLessThan(5000);
  }

  @Test
  void keyAndTokenAreAskedForEveryRequest() throws Exception {
    AtomicInteger asked = new AtomicInteger();
    try (HttpEventLogClient client =
        client("")
            .apiKey(() -> "k" + asked.incrementAndGet())
            .apiKeyHeader("X-Key")
            .bearerToken(() -> "t" + asked.get())
            .build()) {
      client.send(Events.events("e", 1));
      client.send(Events.events("e", 1));
    }

    Received first = received.take();
    assertThat(first.key() + first.token()).isEqualTo("k1Bearer t1");
    Received second = received.take();
    assertThat(second.key() + second.token()).isEqualTo("k2Bearer t2");
  }

  @Test
  void aClosedClientSendsNothing() throws Exception {
    HttpEventLogClient client = client("").build();
    client.close();
    client.close();

    assertThatThrownBy(() -> client.send(Events.events("e", 1)))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("closed");
    assertThat(received).isEmpty();
  }

  @ParameterizedTest
  @NullSource
  @ValueSource(strings = {"secret\n", "secret\u20ac"})
  void aTokenThatCannotBeSentIsABrokenDestinationAndIsNotShown(String token) throws Exception {
    Answer answer = client("").bearerToken(() -> token).build().send(Events.events("e", 1));

    assertThat(answer.kind()).isEqualTo(Answer.Kind.BROKEN);
    assertThat(answer.problem()).contains("token").doesNotContain("secret");
    answer = client("").apiKey(() -> token).build().send(Events.events("e", 1));
    assertThat(answer.kind()).isEqualTo(Answer.Kind.BROKEN);
    assertThat(answer.problem()).contains("API key").doesNotContain("secret");
    assertThat(received).isEmpty();
  }

  @ParameterizedTest
  @CsvSource({
    "201,DELIVERED", "204,DELIVERED", "301,BROKEN", "400,REJECTED", "401,BROKEN", "403,BROKEN",
    "404,BROKEN", "405,BROKEN", "408,LATER", "409,REJECTED", "413,REJECTED", "422,REJECTED",
    "429,LATER", "500,LATER", "502,LATER", "503,LATER"
  })
  void everyStatusHasItsMeaning(int answered, Answer.Kind kind) throws Exception {
    status = answered;

    assertThat(client("").build().send(Events.events("e", 2)).kind()).isEqualTo(kind);
    assertThat(client("").build().send(Events.events("e", 1)).kind()).isEqualTo(kind);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "<html>",
        "[1]",
        "{\"errors\":[",
        "{\"success\":true}",
        "{\"errors\":7}",
        "{\"success\":true,\"errors\":[{\"index\":\"x\"},{\"index\":-1}]}"
      })
  void aBodyThatSaysNothingIsASuccess(String text) throws Exception {
    body = text;

    assertThat(client("").build().send(Events.events("e", 2))).isEqualTo(Answer.delivered());
  }

  @Test
  void failuresAreReadWhateverElseIsThere() throws Exception {
    body =
        "{\"x\":{\"errors\":[1]},\"errors\":[{\"index\":1,\"error\":\"no\",\"more\":[{}]},{\"index\":0}],\"y\":[[]]}";

    assertThat(client("").build().send(Events.events("e", 2)).failures())
        .containsExactly(new Answer.Failure(1, "no"), new Answer.Failure(0, ""));
  }

  @Test
  void aFailureThatNamesNoEventIsTriedAgain() throws Exception {
    body = "{\"success\":false}";

    assertThat(client("").build().send(Events.events("e", 2)).kind()).isEqualTo(Answer.Kind.LATER);
    assertThat(client("").build().send(Events.events("e", 1)).kind()).isEqualTo(Answer.Kind.LATER);
  }

  @Test
  void aSingleEventThatIsNamedAsFailedHasFailed() throws Exception {
    body = "{\"success\":false,\"errors\":[{\"index\":0,\"error\":\"no\"}]}";

    assertThat(client("").build().send(Events.events("e", 1)).failures())
        .containsExactly(new Answer.Failure(0, "no"));
  }

  @Test
  void theAddressForLogLinesHasNoSecrets() {
    try (HttpEventLogClient client = client("/api/").apiKey("secret").build()) {
      assertThat(client.address())
          .isEqualTo("http://localhost:" + server.getAddress().getPort() + "/api");
    }
  }

  @ParameterizedTest
  @CsvSource({
    "17,17",
    "'Thu, 01 Jan 2026 00:01:00 GMT',60",
    "'Wed, 31 Dec 2025 00:00:00 GMT',0",
    "soon,-1",
    "99999999999999999999,-1"
  })
  void retryAfterIsSecondsOrADate(String header, long seconds) throws Exception {
    status = 503;
    retryAfter = header;
    Answer answer = client("").time(new SettableTime()).build().send(Events.events("e", 1));

    assertThat(answer.retryAfter()).isEqualTo(seconds < 0 ? null : Duration.ofSeconds(seconds));
  }

  @Test
  void anEventThatHasNoJsonFormIsRejectedRatherThanSent() throws Exception {
    java.util.Map<String, Object> endless = new java.util.HashMap<>();
    endless.put("self", endless);

    Answer answer = client("").build().send(List.of(Events.builder("e").metadata(endless).build()));

    assertThat(answer.kind()).isEqualTo(Answer.Kind.REJECTED);
    assertThat(received).isEmpty();
  }
}
