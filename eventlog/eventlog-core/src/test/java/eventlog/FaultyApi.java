package eventlog;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.zip.GZIPInputStream;
import org.jspecify.annotations.Nullable;

/**
 * An Event Log API on plain sockets that breaks HTTP in ways no HTTP server can. Safe for use by
 * many threads.
 */
final class FaultyApi implements AutoCloseable {
  private static final Pattern KEY = Pattern.compile("\"idempotencyKey\":\"([^\"]+)\"");
  private static final Pattern LENGTH = Pattern.compile("(?i)content-length: *(\\d+)");

  /** What happens to a request instead of its work. */
  interface Fault {
    /**
     * Answers a request.
     *
     * @return whether the request was dealt with; false to have it stored as usual
     */
    boolean happens(Exchange exchange) throws Exception;
  }

  /** What has come: the path and the body as text. */
  record Request(String path, String body) {
    List<String> keys() {
      return KEY.matcher(body).results().map(key -> key.group(1)).toList();
    }
  }

  /** One request, and the socket its answer goes to. */
  record Exchange(FaultyApi api, Socket socket, Request request) {
    List<String> keys() {
      return request.keys();
    }

    String path() {
      return request.path();
    }

    String body() {
      return request.body();
    }

    void write(String text) throws IOException {
      OutputStream out = socket.getOutputStream();
      out.write(text.getBytes(StandardCharsets.US_ASCII));
      out.flush();
    }

    /** Keeps the connection as it is until the fault is over. */
    void hang() throws InterruptedException {
      api.over.await();
    }

    /** Waits a moment; true when the fault is over. */
    boolean isOverSoon() throws InterruptedException {
      return api.over.await(10, TimeUnit.MILLISECONDS);
    }

    boolean answer(int status, String headers, String body) throws IOException {
      write(
          String.format(
              Locale.ROOT,
              "HTTP/1.1 %d X\r\n%sContent-Length: %d\r\n\r\n%s",
              status,
              headers,
              body.length(),
              body));
      return true;
    }
  }

  private final ServerSocket server;
  private final List<Socket> sockets = new CopyOnWriteArrayList<>();
  private final Set<String> stored = ConcurrentHashMap.newKeySet();
  private final AtomicInteger requests = new AtomicInteger();
  private final List<Long> arrivals = new CopyOnWriteArrayList<>();
  private volatile Fault fault = exchange -> false;
  private volatile CountDownLatch over = new CountDownLatch(1);

  FaultyApi() {
    try {
      server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    start(this::accept);
  }

  /** Has the fault happen to every request from now on. */
  void fails(Fault newFault) {
    over = new CountDownLatch(1);
    fault = newFault;
  }

  /** Stores what comes from now on; requests that hang lose their connection. */
  void works() {
    fault = exchange -> false;
    over.countDown();
  }

  URI uri() {
    return URI.create("http://localhost:" + server.getLocalPort());
  }

  Set<String> stored() {
    return Set.copyOf(stored);
  }

  int requests() {
    return requests.get();
  }

  /** How long after the first request the second one came. */
  Duration firstPause() {
    return Duration.ofNanos(arrivals.get(1) - arrivals.get(0));
  }

  private static void start(Runnable task) {
    Thread thread = new Thread(task, "faulty-api");
    thread.setDaemon(true);
    thread.start();
  }

  private void accept() {
    try {
      while (true) {
        Socket socket = server.accept();
        sockets.add(socket);
        start(() -> serve(socket));
      }
    } catch (IOException e) {
      // The test is over.
    }
  }

  private void serve(Socket socket) {
    try (socket) {
      for (Request request = read(socket.getInputStream());
          request != null;
          request = read(socket.getInputStream())) {
        arrivals.add(System.nanoTime());
        requests.incrementAndGet();
        Exchange exchange = new Exchange(this, socket, request);
        if (!fault.happens(exchange)) {
          stored.addAll(request.keys());
          exchange.answer(200, "", "{\"success\":true}");
        }
      }
    } catch (Exception e) {
      // The client has closed the connection, as it should in the middle of a fault.
    }
  }

  /** The next request; null at the end of the connection. */
  private static @Nullable Request read(InputStream in) throws IOException {
    ByteArrayOutputStream head = new ByteArrayOutputStream();
    while (!head.toString(StandardCharsets.US_ASCII).endsWith("\r\n\r\n")) {
      int next = in.read();
      if (next < 0) {
        return null;
      }
      head.write(next);
    }
    String headers = head.toString(StandardCharsets.US_ASCII);
    Matcher length = LENGTH.matcher(headers);
    byte[] body = in.readNBytes(length.find() ? Integer.parseInt(length.group(1)) : 0);
    if (headers.toLowerCase(Locale.ROOT).contains("content-encoding: gzip")) {
      body = new GZIPInputStream(new ByteArrayInputStream(body)).readAllBytes();
    }
    String path = headers.substring(headers.indexOf(' ') + 1).replaceFirst(" [\\s\\S]*", "");
    return new Request(path, new String(body, StandardCharsets.UTF_8));
  }

  @Override
  public void close() throws IOException {
    over.countDown();
    server.close();
    for (Socket socket : sockets) {
      socket.close();
    }
  }
}
