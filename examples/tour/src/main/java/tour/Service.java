package tour;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpHandler;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.jspecify.annotations.Nullable;

/**
 * An HTTP service on a port of its own, which can die and come back. Safe for use by many threads.
 */
final class Service implements AutoCloseable {
  private final String path;
  private final HttpHandler handler;
  private final int port;
  private final ExecutorService threads = Executors.newCachedThreadPool();
  private @Nullable HttpServer server;

  Service(String path, HttpHandler handler) {
    this.path = path;
    this.handler = handler;
    HttpServer first = listen(0);
    this.port = first.getAddress().getPort();
    this.server = first;
  }

  private HttpServer listen(int atPort) {
    try {
      HttpServer made =
          HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), atPort), 0);
      made.setExecutor(threads);
      made.createContext(path, handler);
      made.start();
      return made;
    } catch (IOException e) {
      throw new UncheckedIOException("a service of the tour cannot listen on port " + atPort, e);
    }
  }

  /** Where it is. */
  URI uri() {
    return URI.create("http://127.0.0.1:" + port + path);
  }

  /** Closes its port, in the middle of whatever it does. */
  synchronized void die() {
    HttpServer running = server;
    if (running != null) {
      running.stop(0);
      server = null;
    }
  }

  /** Opens the same port again. */
  synchronized void comeBack() {
    if (server == null) {
      server = listen(port);
    }
  }

  synchronized boolean isAlive() {
    return server != null;
  }

  @Override
  public void close() {
    die();
    threads.shutdownNow();
  }

  static void answer(HttpExchange exchange, int status, String body) throws IOException {
    byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
    exchange.sendResponseHeaders(status, bytes.length == 0 ? -1 : bytes.length);
    try (HttpExchange closing = exchange) {
      closing.getResponseBody().write(bytes);
    }
  }
}
