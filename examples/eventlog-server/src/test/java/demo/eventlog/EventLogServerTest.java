package demo.eventlog;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import holdfast.testkit.db.DatabaseKind;
import holdfast.testkit.db.EachDatabase;
import holdfast.testkit.db.TestDatabase;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.Map;
import org.junit.jupiter.api.Test;

class EventLogServerTest {
  private static final String EVENT =
      """
      {"idempotencyKey":"%s","correlationId":"c","traceId":"t","applicationId":"a",\
      "summary":"s","result":"r"}""";

  private final HttpClient http = HttpClient.newHttpClient();

  private HttpResponse<String> send(
      eventlog.testkit.EventLogServer server, String method, String path, String body)
      throws IOException, InterruptedException {
    HttpRequest request =
        HttpRequest.newBuilder(URI.create(server.uri() + path))
            .method(method, BodyPublishers.ofString(body))
            .build();
    return http.send(request, BodyHandlers.ofString());
  }

  @EachDatabase({DatabaseKind.H2, DatabaseKind.POSTGRESQL})
  void eventsAreStoredOnceAndReadBack(TestDatabase database) throws Exception {
    try (eventlog.testkit.EventLogServer server =
        EventLogServer.start(0, database.url(), database.user(), database.password())) {
      String batch = "{\"events\":[" + EVENT.formatted("1") + "," + EVENT.formatted("2") + ",{}]}";

      assertThat(send(server, "POST", "/v1/events", EVENT.formatted("1")).statusCode())
          .isEqualTo(201);
      HttpResponse<String> answer = send(server, "POST", "/v1/events/batch", batch);

      assertThat(answer.statusCode()).isEqualTo(200);
      assertThat(answer.body())
          .startsWith(
              "{\"success\":false,\"totalReceived\":3,\"totalInserted\":1,\"errors\":[{\"index\":2,");
      assertThat(server.copies()).isEqualTo(Map.of("1", 2, "2", 1));
      assertThat(send(server, "GET", "/v1/events?traceId=t", "").body())
          .isEqualTo("[" + EVENT.formatted("1") + "," + EVENT.formatted("2") + "]");
      assertThat(send(server, "GET", "/v1/events?correlationId=c", "").body())
          .contains(EVENT.formatted("2"));
      assertThat(send(server, "GET", "/v1/events?correlationId=other", "").body()).isEqualTo("[]");
    }
  }

  @Test
  void passwordsAreNotPrinted() {
    assertThat(
            EventLogServer.withoutSecrets("jdbc:postgresql://u:secret@db:5432/e?password=secret"))
        .isEqualTo("jdbc:postgresql://db:5432/e");
    assertThat(EventLogServer.withoutSecrets("jdbc:h2:mem:e;PASSWORD=secret"))
        .isEqualTo("jdbc:h2:mem:e");
  }

  @Test
  void noAddressIsPrintedWithItsPassword() {
    Map.of(
            "jdbc:oracle:thin:user/secret@db:1521/e",
            "jdbc:oracle:thin:db:1521/e",
            "jdbc:oracle:thin:user/se@cret@//db/e",
            "jdbc:oracle:thin://db/e",
            "jdbc:oracle:thin:user/sec?ret@db/e",
            "jdbc:…",
            "jdbc:postgresql://u:sec/ret@db/e",
            "jdbc:postgresql://db/e",
            "jdbc:postgresql://db/e?password=sec@ret",
            "jdbc:…",
            "jdbc:mariadb://u:secret@db/e",
            "jdbc:mariadb://db/e",
            "jdbc:h2:mem:events",
            "jdbc:h2:mem:events",
            "secret",
            "jdbc:…")
        .forEach(
            (url, printed) ->
                assertThat(EventLogServer.withoutSecrets(url)).as(url).isEqualTo(printed));
  }

  @Test
  void noPasswordIsInAnyMessageOfAFailedStart() {
    assertThatThrownBy(
            () ->
                EventLogServer.start(
                    0, "jdbc:nobody://u:secret@db/e?password=secret", "u", "secret"))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("cannot store events at jdbc:nobody://db/e: SQLException")
        .satisfies(e -> assertThat(stackTrace(e)).doesNotContain("secret"));
  }

  private static String stackTrace(Throwable thrown) {
    StringWriter text = new StringWriter();
    thrown.printStackTrace(new PrintWriter(text));
    return text.toString();
  }
}
