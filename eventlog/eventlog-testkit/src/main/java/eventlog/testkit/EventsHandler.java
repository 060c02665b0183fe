package eventlog.testkit;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpHandler;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Collectors;
import java.util.zip.GZIPInputStream;
import org.jspecify.annotations.Nullable;

/** Stores events and hands them back. Safe for use by many threads. */
final class EventsHandler implements HttpHandler {
  private static final int MAX_BODY_BYTES = 16 * 1024 * 1024;
  private static final List<String> REQUIRED =
      List.of("idempotencyKey", "correlationId", "traceId", "applicationId", "summary", "result");

  private final EventStore store;
  private final Faults faults;
  private final AtomicLong requests;

  EventsHandler(EventStore store, Faults faults, AtomicLong requests) {
    this.store = store;
    this.faults = faults;
    this.requests = requests;
  }

  @Override
  public void handle(HttpExchange exchange) throws IOException {
    try (exchange) {
      work(exchange);
    }
  }

  private void work(HttpExchange exchange) throws IOException {
    try {
      switch (exchange.getRequestMethod()) {
        case "GET" -> read(exchange);
        case "POST" -> {
          requests.incrementAndGet();
          write(exchange, faults.next());
        }
        default -> answer(exchange, 405, "");
      }
    } catch (IllegalArgumentException e) {
      answer(exchange, 400, "");
    } catch (RuntimeException e) { // of the store
      answer(exchange, 500, "");
    }
  }

  private void read(HttpExchange exchange) throws IOException {
    Query query = Query.of(exchange);
    String correlationId = query.get("correlationId");
    List<StoredEvent> found =
        correlationId.isEmpty()
            ? store.withTraceId(query.get("traceId"))
            : store.withCorrelationId(correlationId);
    String events = found.stream().map(StoredEvent::json).collect(Collectors.joining(","));
    answer(exchange, 200, "[" + events + "]");
  }

  private void write(HttpExchange exchange, Fault fault) throws IOException {
    byte[] body = body(exchange);
    if (body == null) {
      answer(exchange, 413, "");
      return;
    }
    switch (fault) {
      case DOWN -> {} // closing without an answer
      case ERROR -> answer(exchange, 500, "");
      case UNAUTHORIZED -> answer(exchange, 401, "");
      case REJECT -> answer(exchange, 400, "");
      case TOO_MANY -> {
        long seconds = faults.retryAfter().toSeconds();
        exchange.getResponseHeaders().set("Retry-After", Long.toString(seconds));
        answer(exchange, 429, "");
      }
      case SLOW -> {
        pause();
        store(exchange, body, fault);
      }
      case NONE, PARTIAL, GARBAGE -> store(exchange, body, fault);
    }
  }

  /** Reads a body; null if it has more bytes than allowed, compressed ones counted as they are. */
  private static byte @Nullable [] body(HttpExchange exchange) throws IOException {
    boolean gzip = "gzip".equals(exchange.getRequestHeaders().getFirst("Content-Encoding"));
    try (InputStream raw = exchange.getRequestBody();
        InputStream body = gzip ? new GZIPInputStream(raw) : raw) {
      byte[] bytes = body.readNBytes(MAX_BODY_BYTES + 1);
      return bytes.length > MAX_BODY_BYTES ? null : bytes;
    }
  }

  private void pause() throws IOException {
    try {
      new CountDownLatch(1).await(faults.pause().toNanos(), TimeUnit.NANOSECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("the server is closing", e);
    }
  }

  private void store(HttpExchange exchange, byte[] body, Fault fault) throws IOException {
    boolean batch = exchange.getRequestURI().getPath().endsWith("/batch");
    String text = new String(body, StandardCharsets.UTF_8);
    List<String> bodies =
        batch
            ? JsonText.elements(JsonText.fields(text).getOrDefault("events", "[]"))
            : List.of(text);
    List<Map<String, String>> events = bodies.stream().map(JsonText::fields).toList();
    if (events.stream().anyMatch(this::isPoison)) {
      answer(exchange, 400, "");
      return;
    }
    List<String> errors = new ArrayList<>();
    List<StoredEvent> rows = new ArrayList<>();
    for (int i = 0; i < events.size(); i++) {
      String error =
          batch && fault == Fault.PARTIAL && i % 2 == 1 ? "left out" : check(events.get(i));
      if (error.isEmpty()) {
        rows.add(stored(events.get(i), bodies.get(i)));
      } else {
        errors.add("{\"index\":%d,\"error\":%s}".formatted(i, JsonText.quoted(error)));
      }
    }
    int inserted = store.store(rows);
    if (fault == Fault.GARBAGE) {
      answer(exchange, 200, "<html>fine");
    } else if (!batch) {
      answer(exchange, errors.isEmpty() ? 201 : 422, "");
    } else {
      answer(
          exchange,
          200,
          "{\"success\":%b,\"totalReceived\":%d,\"totalInserted\":%d,\"errors\":[%s]}"
              .formatted(errors.isEmpty(), events.size(), inserted, String.join(",", errors)));
    }
  }

  private boolean isPoison(Map<String, String> event) {
    String poison = faults.poison();
    return !poison.isEmpty() && text(event, "summary").equals(poison);
  }

  private static String check(Map<String, String> event) {
    return String.join(
        ", ",
        REQUIRED.stream()
            .filter(field -> text(event, field).isEmpty())
            .map("%s is missing"::formatted)
            .toList());
  }

  private static StoredEvent stored(Map<String, String> event, String json) {
    return new StoredEvent(
        text(event, "idempotencyKey"),
        text(event, "correlationId"),
        text(event, "traceId"),
        json,
        1);
  }

  /** A field that must be a text; empty if it is none. */
  private static String text(Map<String, String> event, String field) {
    String value = event.getOrDefault(field, "");
    return value.startsWith("\"") ? JsonText.text(value) : "";
  }

  private static void answer(HttpExchange exchange, int status, String body) throws IOException {
    byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
    exchange.getResponseHeaders().set("Content-Type", "application/json");
    exchange.sendResponseHeaders(status, bytes.length == 0 ? -1 : bytes.length);
    exchange.getResponseBody().write(bytes);
  }
}
