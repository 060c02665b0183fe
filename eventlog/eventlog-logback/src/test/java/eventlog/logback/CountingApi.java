package eventlog.logback;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.BitSet;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.zip.GZIPInputStream;

/**
 * An Event Log API that keeps the numbers of the lines it was sent, and how many came again. Safe
 * for use by many threads.
 */
final class CountingApi implements AutoCloseable {
  static final Pattern NUMBER = Pattern.compile("\"summary\":\"line (\\d+) ");
  private static final byte[] TAKEN = "{\"success\":true}".getBytes(StandardCharsets.US_ASCII);

  private final HttpServer server;
  private final ExecutorService threads = Executors.newCachedThreadPool();
  private final CountDownLatch closed = new CountDownLatch(1);
  private final BitSet arrived = new BitSet();
  private int repeats;
  private int silentFrom = Integer.MAX_VALUE;

  CountingApi() {
    try {
      server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    server.setExecutor(threads);
    server.createContext("/", this::handle);
    server.start();
  }

  URI uri() {
    return URI.create("http://localhost:" + server.getAddress().getPort());
  }

  /** From so many lines on it keeps what it is sent but does not answer. */
  synchronized void isSilentFrom(int lines) {
    silentFrom = lines;
  }

  synchronized int count() {
    return arrived.cardinality();
  }

  synchronized BitSet arrived() {
    return (BitSet) arrived.clone();
  }

  synchronized int repeats() {
    return repeats;
  }

  private void handle(HttpExchange exchange) throws IOException {
    try (exchange) {
      if (isSilentAfter(bodyOf(exchange))) {
        closed.await();
      }
      exchange.sendResponseHeaders(200, TAKEN.length);
      exchange.getResponseBody().write(TAKEN);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private synchronized boolean isSilentAfter(String body) {
    Matcher number = NUMBER.matcher(body);
    while (number.find()) {
      int line = Integer.parseInt(number.group(1));
      repeats += arrived.get(line) ? 1 : 0;
      arrived.set(line);
    }
    return arrived.cardinality() >= silentFrom;
  }

  private static String bodyOf(HttpExchange exchange) throws IOException {
    boolean zipped = "gzip".equals(exchange.getRequestHeaders().getFirst("Content-Encoding"));
    try (InputStream in = exchange.getRequestBody();
        InputStream plain = zipped ? new GZIPInputStream(in) : in) {
      return new String(plain.readAllBytes(), StandardCharsets.UTF_8);
    }
  }

  @Override
  public void close() {
    closed.countDown();
    server.stop(0);
    threads.shutdownNow();
  }
}
