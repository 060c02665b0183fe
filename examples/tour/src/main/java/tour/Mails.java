package tour;

import com.sun.net.httpserver.HttpExchange;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/** The mail service, which can stall, and its client. Safe for use by many threads. */
final class Mails implements AutoCloseable {
  private static final Duration PATIENCE = Duration.ofMillis(300);

  private final ConcurrentMap<String, Integer> copies = new ConcurrentHashMap<>();
  private final AtomicReference<@Nullable CountDownLatch> stalled = new AtomicReference<>();
  private final Service service = new Service("/mails", this::receive);
  private final HttpClient http = HttpClient.newHttpClient();

  private void receive(HttpExchange exchange) throws IOException {
    CountDownLatch until = stalled.get();
    if (until != null) {
      try {
        until.await();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
      exchange.close(); // whoever asked has gone
      return;
    }
    copies.merge(exchange.getRequestURI().getQuery(), 1, Integer::sum);
    Service.answer(exchange, 200, "");
  }

  /** Sends the mail of an order; fails if the service does not take it in time. */
  void send(long order) throws IOException, InterruptedException {
    HttpRequest request =
        HttpRequest.newBuilder(URI.create(service.uri() + "?" + order)).timeout(PATIENCE).build();
    http.send(request, HttpResponse.BodyHandlers.discarding());
  }

  void stall() {
    stalled.compareAndSet(null, new CountDownLatch(1));
  }

  void goOn() {
    CountDownLatch until = stalled.getAndSet(null);
    if (until != null) {
      until.countDown();
    }
  }

  boolean isStalled() {
    return stalled.get() != null;
  }

  /** Whether the mail of that order has come. */
  boolean has(long order) {
    return copies.containsKey(Long.toString(order));
  }

  /** How many mails came once more. */
  long repeats() {
    return copies.values().stream().mapToLong(count -> count - 1).sum();
  }

  @Override
  public void close() {
    goOn();
    service.close();
  }
}
