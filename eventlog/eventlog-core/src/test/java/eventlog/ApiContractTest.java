package eventlog;

import static org.assertj.core.api.Assertions.assertThat;

import eventlog.testkit.EventLogServer;
import eventlog.testkit.Fault;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.lang.reflect.RecordComponent;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The OpenAPI file in the jar says what the client sends and what the server answers. */
@Timeout(60)
class ApiContractTest {
  private static final JsonMapper JSON = JsonMapper.builder().build();
  private static final JsonNode CONTRACT = contract();
  private static final ContractSchema SCHEMA = new ContractSchema(CONTRACT);

  private final EventLogServer server = EventLogServer.start();
  private final HttpClient http = HttpClient.newHttpClient();

  @AfterEach
  void stop() {
    server.close();
  }

  private static JsonNode contract() {
    try (InputStream in = EventLogEntry.class.getResourceAsStream("event-log-api.json")) {
      return JSON.readTree(in.readAllBytes());
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }

  private static JsonNode schema(String name) {
    return CONTRACT.path("components").path("schemas").path(name);
  }

  private static List<String> texts(JsonNode array) {
    return array.valueStream().map(JsonNode::asString).toList();
  }

  @Test
  void anEventHasTheFieldsOfTheContract() {
    assertThat(schema("Event").path("properties").propertyNames())
        .containsExactlyInAnyOrderElementsOf(
            Arrays.stream(EventLogEntry.class.getRecordComponents())
                .map(RecordComponent::getName)
                .toList());
    JsonNode properties = schema("Event").path("properties");
    assertThat(texts(properties.path("eventType").path("enum")))
        .containsExactlyElementsOf(Arrays.stream(EventType.values()).map(Enum::name).toList());
    assertThat(texts(properties.path("eventStatus").path("enum")))
        .containsExactlyElementsOf(Arrays.stream(EventStatus.values()).map(Enum::name).toList());
  }

  private static EventLogEntry withEveryField() {
    return Events.builder("full")
        .accountId("acc")
        .parentSpanId("p")
        .spanLinks(List.of("l"))
        .batchId("b")
        .stepSequence(7)
        .stepName("reserve")
        .identifiers(Map.of("orderId", "42"))
        .metadata(Map.of("nested", Map.of("list", List.of(1, "two", true))))
        .executionTimeMs(1234567890123L)
        .endpoint("/orders")
        .httpMethod("POST")
        .httpStatusCode(201)
        .errorCode("E1")
        .errorMessage("none")
        .requestPayload("{}")
        .responsePayload("é")
        .build();
  }

  @Test
  void theClientSendsWhatTheContractAsksFor() throws Exception {
    AtomicReference<FaultyApi.Request> sent = new AtomicReference<>();
    try (FaultyApi api = new FaultyApi();
        HttpEventLogClient client = HttpEventLogClient.builder(api.uri()).build()) {
      api.fails(
          exchange -> {
            sent.set(exchange.request());
            return false;
          });
      client.send(List.of(withEveryField()));
      assertThat(JSON.readTree(sent.get().body()).size()).isEqualTo(29);
      assertThat(mistakes(sent.get())).isEmpty();

      client.send(Events.events("e", 1));
      assertThat(mistakes(sent.get())).isEmpty();
      client.send(Events.events("e", 2));
      assertThat(mistakes(sent.get())).isEmpty();
      assertThat(api.stored()).hasSize(3);
    }
  }

  private static List<String> mistakes(FaultyApi.Request sent) {
    JsonNode body = post(sent.path()).path("requestBody");
    return SCHEMA.mistakes(schema(body), JSON.readTree(sent.body()));
  }

  private static JsonNode post(String path) {
    return CONTRACT.path("paths").path(path).path("post");
  }

  private static JsonNode schema(JsonNode body) {
    return body.path("content").path("application/json").path("schema");
  }

  /** What is asked of the server. */
  enum Body {
    ONE_EVENT,
    NO_EVENT,
    TWO_EVENTS,
    HUGE
  }

  @ParameterizedTest
  @CsvSource({
    "/v1/events, ONE_EVENT, NONE, 201",
    "/v1/events, NO_EVENT, NONE, 422",
    "/v1/events, HUGE, NONE, 413",
    "/v1/events, ONE_EVENT, ERROR, 500",
    "/v1/events, ONE_EVENT, TOO_MANY, 429",
    "/v1/events, ONE_EVENT, UNAUTHORIZED, 401",
    "/v1/events, ONE_EVENT, REJECT, 400",
    "/v1/events/batch, TWO_EVENTS, NONE, 200",
    "/v1/events/batch, TWO_EVENTS, PARTIAL, 200",
    "/v1/events/batch, HUGE, NONE, 413",
    "/v1/events/batch, TWO_EVENTS, ERROR, 500",
    "/v1/events/batch, TWO_EVENTS, TOO_MANY, 429",
    "/v1/events/batch, TWO_EVENTS, UNAUTHORIZED, 401",
    "/v1/events/batch, TWO_EVENTS, REJECT, 400"
  })
  void theServerAnswersAsTheContractSays(String path, Body body, Fault fault, int status)
      throws Exception {
    server.faults().set(fault);
    HttpResponse<String> answer = http.send(request(path, body), BodyHandlers.ofString());

    assertThat(answer.statusCode()).isEqualTo(status);
    JsonNode said = post(path).path("responses").path(String.valueOf(status));
    assertThat(said.isMissingNode()).as("the status in the contract").isFalse();
    if (status == 429) {
      assertThat(answer.headers().map()).containsKey("retry-after");
      assertThat(said.path("headers").has("Retry-After")).isTrue();
    }
    assertThat(answer.body().isEmpty()).isEqualTo(schema(said).isMissingNode());
    if (!answer.body().isEmpty()) {
      assertThat(SCHEMA.mistakes(schema(said), JSON.readTree(answer.body()))).isEmpty();
    }
  }

  private HttpRequest request(String path, Body body) throws IOException {
    String event =
        "{\"correlationId\":\"c\",\"traceId\":\"t\",\"applicationId\":\"a\",\"summary\":\"s\","
            + "\"result\":\"r\",\"idempotencyKey\":\"k\"}";
    String text =
        switch (body) {
          case ONE_EVENT -> event;
          case NO_EVENT -> "{}";
          case TWO_EVENTS -> "{\"events\":[" + event + "," + event + "]}";
          case HUGE -> " ".repeat(17 * 1024 * 1024);
        };
    ByteArrayOutputStream compressed = new ByteArrayOutputStream();
    try (GZIPOutputStream gzip = new GZIPOutputStream(compressed)) {
      gzip.write(text.getBytes(StandardCharsets.UTF_8));
    }
    return HttpRequest.newBuilder(URI.create(server.uri() + path))
        .header("Content-Encoding", "gzip")
        .POST(BodyPublishers.ofByteArray(compressed.toByteArray()))
        .build();
  }

  @Test
  void aWrongTypeWouldBeNoticed() {
    JsonNode answer =
        JSON.readTree(
            "{\"success\":\"yes\",\"totalReceived\":1.5,\"errors\":[{\"error\":7}],\"more\":1}");

    assertThat(SCHEMA.mistakes(schema("BatchAnswer"), answer))
        .containsExactlyInAnyOrder(
            "$.success must be of type boolean but is \"yes\"",
            "$.totalReceived must be of type integer but is 1.5",
            "$.errors[0] has no index",
            "$.errors[0].error must be of type string but is 7",
            "$ has a field that nobody knows: more");
  }
}
