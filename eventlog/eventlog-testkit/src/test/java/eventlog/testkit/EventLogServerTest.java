package eventlog.testkit;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import holdfast.testkit.process.Acknowledged;
import holdfast.testkit.process.ChildJvm;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.Arrays;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;

class EventLogServerTest {
  private static final String EVENT =
      """
      {"idempotencyKey":"%s","correlationId":"c","traceId":"t","applicationId":"a",\
      "summary":"s","result":"r"}""";

  private final HttpClient http = HttpClient.newHttpClient();

  private HttpResponse<String> send(EventLogServer server, String method, String path, String body)
      throws IOException, InterruptedException {
    HttpRequest request =
        HttpRequest.newBuilder(URI.create(server.uri() + path))
            .method(method, BodyPublishers.ofString(body))
            .build();
    return http.send(request, BodyHandlers.ofString());
  }

  @Test
  void eventsAreStoredOnceAndReadBack() throws Exception {
    try (EventLogServer server = EventLogServer.start()) {
      String batch = "{\"events\":[" + EVENT.formatted("1") + "," + EVENT.formatted("2") + ",{}]}";

      assertThat(send(server, "POST", "/v1/events", EVENT.formatted("1")).statusCode())
          .isEqualTo(201);
      HttpResponse<String> answer = send(server, "POST", "/v1/events/batch", batch);

      assertThat(answer.statusCode()).isEqualTo(200);
      assertThat(answer.body())
          .startsWith(
              "{\"success\":false,\"totalReceived\":3,\"totalInserted\":1,\"errors\":[{\"index\":2,");
      assertThat(server.copies()).isEqualTo(Map.of("1", 2, "2", 1));
      assertThat(server.events()).extracting(event -> event.field("summary")).containsOnly("s");
      assertThat(server.events().get(0).field("none")).isEmpty();
      assertThat(send(server, "GET", "/v1/events?traceId=t", "").body())
          .isEqualTo("[" + EVENT.formatted("1") + "," + EVENT.formatted("2") + "]");
      assertThat(send(server, "GET", "/v1/events?correlationId=c", "").body())
          .contains(EVENT.formatted("2"));
      assertThat(send(server, "GET", "/v1/events?correlationId=other", "").body()).isEqualTo("[]");
    }
  }

  @Test
  void faultsAreSwitchedFromOutside() throws Exception {
    try (EventLogServer server = EventLogServer.start()) {
      assertThat(send(server, "PUT", "/faults?fault=ERROR&requests=1", "").statusCode())
          .isEqualTo(204);
      assertThat(send(server, "POST", "/v1/events", EVENT.formatted("1")).statusCode())
          .isEqualTo(500);
      assertThat(send(server, "POST", "/v1/events", EVENT.formatted("1")).statusCode())
          .isEqualTo(201);
      assertThat(send(server, "PUT", "/faults?fault=NOTHING_OF_THE_KIND", "").statusCode())
          .isEqualTo(400);
    }
  }

  @Test
  void whatIsNoEventIsRefused() throws Exception {
    try (EventLogServer server = EventLogServer.start()) {
      assertThat(send(server, "POST", "/v1/events", "{").statusCode()).isEqualTo(400);
      assertThat(send(server, "POST", "/v1/events", "{}").statusCode()).isEqualTo(422);
      assertThat(send(server, "DELETE", "/v1/events", "").statusCode()).isEqualTo(405);
      assertThat(server.copies()).isEmpty();
    }
  }

  @Test
  void aRequestThatIsLargeOnceUncompressedIsRefused() throws Exception {
    ByteArrayOutputStream compressed = new ByteArrayOutputStream();
    try (GZIPOutputStream gzip = new GZIPOutputStream(compressed)) {
      byte[] spaces = new byte[1024 * 1024];
      Arrays.fill(spaces, (byte) ' ');
      for (int i = 0; i < 20; i++) {
        gzip.write(spaces);
      }
    }
    try (EventLogServer server = EventLogServer.start()) {
      HttpRequest request =
          HttpRequest.newBuilder(URI.create(server.uri() + "/v1/events"))
              .header("Content-Encoding", "gzip")
              .POST(BodyPublishers.ofByteArray(compressed.toByteArray()))
              .build();

      assertThat(http.send(request, BodyHandlers.ofString()).statusCode()).isEqualTo(413);
    }
  }

  @Test
  void readingChangesNothing() throws Exception {
    try (EventLogServer server = EventLogServer.start()) {
      assertThat(send(server, "GET", "/faults?fault=ERROR", "").statusCode()).isEqualTo(405);
      assertThat(send(server, "POST", "/v1/events", EVENT.formatted("1")).statusCode())
          .isEqualTo(201);
    }
  }

  /** A server that closes connections on which half a request has come. */
  static final class Server {
    public static void main(String[] args) throws InterruptedException {
      Acknowledged.line(EventLogServer.start().uri().toString());
      new CountDownLatch(1).await();
    }
  }

  @Test
  void halfARequestDoesNotHoldAConnectionForEver() throws Exception {
    try (ChildJvm child =
        ChildJvm.of(Server.class).jvmOptions("-Dsun.net.httpserver.maxReqTime=1").start()) {
      URI uri =
          URI.create(child.awaitLine(line -> line.startsWith("http"), Duration.ofSeconds(50)));
      try (Socket socket = new Socket(uri.getHost(), uri.getPort())) {
        socket.setSoTimeout(50_000);
        socket.getOutputStream().write("POST /v1/events HTTP/1.1\r\nContent-Le".getBytes(UTF_8));

        assertThat(isClosed(socket)).isTrue();
      }
    }
    EventLogServer.start().close();
    assertThat(System.getProperty("sun.net.httpserver.maxReqTime")).isEqualTo("30");
  }

  private static boolean isClosed(Socket socket) {
    try {
      return socket.getInputStream().read() < 0;
    } catch (SocketTimeoutException e) {
      return false;
    } catch (IOException e) {
      return true; // reset
    }
  }
}
