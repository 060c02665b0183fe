package eventlog.appender;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.zip.GZIPInputStream;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.ObjectMapper;

/**
 * An Event Log API on the JDK's HTTP server that keeps what it was sent. Safe for use by many
 * threads.
 */
public final class RecordingApi implements AutoCloseable {
  private static final byte[] TAKEN = "{\"success\":true}".getBytes(StandardCharsets.US_ASCII);

  private final HttpServer server;
  private final ExecutorService threads = Executors.newCachedThreadPool();
  private final List<JsonNode> events = new CopyOnWriteArrayList<>();
  private final CountDownLatch closed = new CountDownLatch(1);
  private volatile int status = 200;
  private volatile boolean hangs;

  /** An API that takes everything. */
  public RecordingApi() {
    try {
      server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    server.setExecutor(threads);
    server.createContext("/", this::handle);
    server.start();
  }

  /** Has every request answered with this status from now on. */
  public void answers(int newStatus) {
    status = newStatus;
  }

  /** Lets every request wait for ever from now on. */
  public void hangs() {
    hangs = true;
  }

  /** Where it is. */
  public URI uri() {
    return URI.create("http://localhost:" + server.getAddress().getPort());
  }

  /** What it took, in the order it came. */
  public List<JsonNode> events() {
    return List.copyOf(events);
  }

  private void handle(HttpExchange exchange) throws IOException {
    try (exchange) {
      JsonNode body = new ObjectMapper().readTree(bodyOf(exchange));
      if (hangs) {
        closed.await();
      }
      if (status == 200) {
        if (body.has("events")) {
          body.path("events").forEach(events::add);
        } else {
          events.add(body);
        }
      }
      exchange.sendResponseHeaders(status, TAKEN.length);
      exchange.getResponseBody().write(TAKEN);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private static byte[] bodyOf(HttpExchange exchange) throws IOException {
    boolean zipped = "gzip".equals(exchange.getRequestHeaders().getFirst("Content-Encoding"));
    try (InputStream in = exchange.getRequestBody();
        InputStream plain = zipped ? new GZIPInputStream(in) : in) {
      return plain.readAllBytes();
    }
  }

  @Override
  public void close() {
    closed.countDown();
    server.stop(0);
    threads.shutdownNow();
  }
}
