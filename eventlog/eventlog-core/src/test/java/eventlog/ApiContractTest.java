package eventlog;

import static org.assertj.core.api.Assertions.assertThat;

import eventlog.testkit.EventLogServer;
import eventlog.testkit.Fault;
import java.io.IOException;
import java.io.InputStream;
import java.lang.reflect.RecordComponent;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
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

  @Test
  void theClientSendsWhatTheContractAsksFor() throws Exception {
    AtomicReference<JsonNode> sent = new AtomicReference<>();
    try (FaultyApi api = new FaultyApi();
        HttpEventLogClient client = HttpEventLogClient.builder(api.uri()).build()) {
      api.fails(
          exchange -> {
            sent.set(JSON.readTree(exchange.body()));
            assertThat(CONTRACT.path("paths").propertyNames()).contains(exchange.path());
            return false;
          });
      client.send(Events.events("e", 1));
      assertThat(sent.get().propertyNames()).containsAll(texts(schema("Event").path("required")));
      client.send(Events.events("e", 2));
      assertThat(sent.get().propertyNames()).containsExactly("events");
      assertThat(api.stored()).hasSize(2);
    }
  }

  @ParameterizedTest
  @CsvSource({
    "/v1/events,NONE",
    "/v1/events,ERROR",
    "/v1/events,TOO_MANY",
    "/v1/events,UNAUTHORIZED",
    "/v1/events,REJECT",
    "/v1/events/batch,NONE",
    "/v1/events/batch,PARTIAL",
    "/v1/events/batch,ERROR",
    "/v1/events/batch,TOO_MANY",
    "/v1/events/batch,REJECT"
  })
  void theServerAnswersAsTheContractSays(String path, Fault fault) throws Exception {
    server.faults().set(fault);
    String event =
        "{\"correlationId\":\"c\",\"traceId\":\"t\",\"applicationId\":\"a\",\"summary\":\"s\","
            + "\"result\":\"r\",\"idempotencyKey\":\"k\"}";
    String body = path.endsWith("batch") ? "{\"events\":[" + event + "," + event + "]}" : event;
    HttpResponse<String> answer =
        http.send(
            HttpRequest.newBuilder(URI.create(server.uri() + path))
                .POST(BodyPublishers.ofString(body))
                .build(),
            BodyHandlers.ofString());

    JsonNode said =
        CONTRACT
            .path("paths")
            .path(path)
            .path("post")
            .path("responses")
            .path(String.valueOf(answer.statusCode()));
    assertThat(said.isMissingNode()).as("status " + answer.statusCode()).isFalse();
    if (fault == Fault.TOO_MANY) {
      assertThat(answer.headers().map()).containsKey("retry-after");
      assertThat(said.path("headers").has("Retry-After")).isTrue();
    }
    if (!answer.body().isEmpty()) {
      assertThat(schema("BatchAnswer").path("properties").propertyNames())
          .containsAll(JSON.readTree(answer.body()).propertyNames());
    }
  }
}
