package tour;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/** People who order, one after the other, at a steady pace. Safe for use by many threads. */
final class Customers {
  private static final List<String> ITEMS = List.of("anchor", "buoy", "cleat", "dinghy", "ensign");

  private final URI shop;
  private final long pauseMillis;
  private final HttpClient http = HttpClient.newHttpClient();
  private final AtomicLong placed = new AtomicLong();
  private final Thread thread = new Thread(this::order, "customers");
  private volatile boolean gone;

  Customers(URI shop, Duration pause) {
    this.shop = shop;
    this.pauseMillis = pause.toMillis();
    thread.start();
  }

  private void order() {
    try {
      for (int n = 0; !gone; n++) {
        HttpRequest request =
            HttpRequest.newBuilder(URI.create(shop + "?" + ITEMS.get(n % ITEMS.size())))
                .POST(HttpRequest.BodyPublishers.noBody())
                .build();
        if (http.send(request, HttpResponse.BodyHandlers.discarding()).statusCode() == 201) {
          placed.incrementAndGet();
        }
        TimeUnit.MILLISECONDS.sleep(pauseMillis);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (IOException e) {
      throw new IllegalStateException("the order service must take orders at any time", e);
    }
  }

  /** How many orders were confirmed. */
  long placed() {
    return placed.get();
  }

  /** Sends everybody home and waits until the last order is placed. */
  void goHome() throws InterruptedException {
    gone = true;
    thread.join();
  }
}
