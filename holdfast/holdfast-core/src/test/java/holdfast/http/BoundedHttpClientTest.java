package holdfast.http;

import static holdfast.http.RawServer.ascii;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import holdfast.lifecycle.Threads;
import java.io.IOException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpTimeoutException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

@Timeout(60)
class BoundedHttpClientTest {
  private static final int LIMIT = 1000;
  private static final Duration LONG = Duration.ofSeconds(50);

  private final CountDownLatch over = new CountDownLatch(1);
  private final List<AutoCloseable> open = new ArrayList<>();

  @AfterEach
  void closeAll() throws Exception {
    over.countDown();
    for (AutoCloseable closeable : open) {
      closeable.close();
    }
  }

  private RawServer server(RawServer.Script script) {
    RawServer server = new RawServer(script);
    open.add(server);
    return server;
  }

  private BoundedHttpClient client() {
    BoundedHttpClient client = BoundedHttpClient.create(Threads.daemon("test-http"), LONG, LIMIT);
    open.add(client);
    return client;
  }

  private static HttpRequest get(RawServer server) {
    return HttpRequest.newBuilder(server.uri()).version(HttpClient.Version.HTTP_1_1).build();
  }

  /** Where an answer stops. */
  enum Stall {
    BEFORE_THE_HEADERS(""),
    IN_THE_HEADERS("HTTP/1.1 200 OK\r\nContent-Le"),
    BEFORE_THE_BODY("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n"),
    IN_THE_BODY("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nx"),
    IN_A_CHUNK("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nab");

    final String written;

    Stall(String written) {
      this.written = written;
    }
  }

  @ParameterizedTest
  @EnumSource
  void anAnswerThatStallsFailsAtTheDeadlineAndItsConnectionIsClosed(Stall stall) throws Exception {
    RawServer server = server(out -> out.write(ascii(stall.written)));

    assertThatThrownBy(() -> client().send(get(server), Duration.ofMillis(300)))
        .isInstanceOf(HttpTimeoutException.class)
        .hasMessageContaining("within 300 ms");
    server.awaitConnectionEnd();
  }

  @Test
  void aBodyThatDripsFailsAtTheDeadline() throws Exception {
    RawServer server =
        server(
            out -> {
              out.write(ascii("HTTP/1.1 200 OK\r\nContent-Length: 100000\r\n\r\n"));
              while (!over.await(10, TimeUnit.MILLISECONDS)) {
                out.write('x');
              }
            });

    assertThatThrownBy(() -> client().send(get(server), Duration.ofMillis(300)))
        .isInstanceOf(HttpTimeoutException.class);
    server.awaitConnectionEnd();
  }

  @Test
  void anEndlessBodyIsReadUpToTheLimitAndItsConnectionIsClosed() throws Exception {
    RawServer server =
        server(
            out -> {
              out.write(ascii("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"));
              while (over.getCount() > 0) {
                out.write(ascii("a\r\n0123456789\r\n"));
              }
            });

    HttpAnswer answer = client().send(get(server), LONG);

    assertThat(answer.status()).isEqualTo(200);
    assertThat(answer.isTruncated()).isTrue();
    assertThat(answer.body().remaining()).isEqualTo(LIMIT);
    server.awaitConnectionEnd();
  }

  @Test
  void aBodyOfExactlyTheLimitIsComplete() throws Exception {
    String body = "y".repeat(LIMIT);
    RawServer server =
        server(out -> out.write(ascii("HTTP/1.1 201 C\r\nContent-Length: 1000\r\n\r\n" + body)));
    BoundedHttpClient client = client();

    for (int i = 0; i < 2; i++) {
      HttpAnswer answer = client.send(get(server), LONG);
      assertThat(answer.status()).isEqualTo(201);
      assertThat(answer.isTruncated()).isFalse();
      assertThat(StandardCharsets.US_ASCII.decode(answer.body()).toString()).isEqualTo(body);
    }
  }

  @Test
  void closingCancelsWhatIsUnderWayAndEndsConnections() throws Exception {
    CountDownLatch asked = new CountDownLatch(1);
    RawServer server = server(out -> asked.countDown());
    BoundedHttpClient client = client();
    FutureTask<HttpAnswer> call = new FutureTask<>(() -> client.send(get(server), LONG));
    new Thread(call).start();
    asked.await();

    client.close();

    assertThatThrownBy(call::get).hasRootCauseInstanceOf(IOException.class);
    server.awaitConnectionEnd();
    assertThatThrownBy(() -> client.send(get(server), LONG)).hasMessageContaining("closed");
    client.close();
  }

  @Test
  void closingEndsIdleConnectionsAndAllThreads() throws Exception {
    RawServer server =
        server(out -> out.write(ascii("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n")));
    List<Thread> before = httpThreads().toList();
    List<BoundedHttpClient> clients = new ArrayList<>();
    for (int i = 0; i < 20; i++) {
      clients.add(client());
      assertThat(clients.get(i).send(get(server), LONG).status()).isEqualTo(200);
    }
    List<Thread> added = new ArrayList<>(httpThreads().toList());
    added.removeAll(before);
    assertThat(added).hasSizeGreaterThanOrEqualTo(20);

    clients.forEach(BoundedHttpClient::close);

    for (Thread thread : added) {
      thread.join();
    }
    for (int i = 0; i < clients.size(); i++) {
      server.awaitConnectionEnd();
    }
  }

  private static Stream<Thread> httpThreads() {
    return Thread.getAllStackTraces().keySet().stream()
        .filter(
            thread ->
                thread.getName().startsWith("test-http")
                    || thread.getName().endsWith("SelectorManager"));
  }

  @Test
  void aGivenClientIsLeftRunning() throws Exception {
    RawServer server =
        server(out -> out.write(ascii("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n")));
    HttpClient given = HttpClient.newHttpClient();
    BoundedHttpClient.using(given, LIMIT).close();

    assertThat(BoundedHttpClient.using(given, LIMIT).send(get(server), LONG).status())
        .isEqualTo(200);
  }

  @Test
  void anInterruptEndsTheWaiting() throws Exception {
    CountDownLatch asked = new CountDownLatch(1);
    RawServer server = server(out -> asked.countDown());
    BoundedHttpClient client = client();
    FutureTask<HttpAnswer> call = new FutureTask<>(() -> client.send(get(server), LONG));
    Thread caller = new Thread(call);
    caller.start();
    asked.await();

    caller.interrupt();

    assertThatThrownBy(call::get).hasCauseInstanceOf(InterruptedException.class);
    server.awaitConnectionEnd();
  }
}
