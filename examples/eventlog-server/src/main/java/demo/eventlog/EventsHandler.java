package demo.eventlog;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpHandler;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.zip.GZIPInputStream;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** Stores events and hands them back. Safe for use by many threads. */
final class EventsHandler implements HttpHandler {
  private static final int MAX_BODY_BYTES = 16 * 1024 * 1024;
  private static final JsonMapper JSON = JsonMapper.builder().build();
  private static final List<String> REQUIRED =
      List.of("idempotencyKey", "correlationId", "traceId", "applicationId", "summary", "result");

  private final EventTable table;
  private final Faults faults;
  private final AtomicLong requests;

  EventsHandler(EventTable table, Faults faults, AtomicLong requests) {
    this.table = table;
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
    } catch (SQLException e) {
      answer(exchange, 500, "");
    } catch (JacksonException e) {
      answer(exchange, 400, "");
    }
  }

  private void read(HttpExchange exchange) throws IOException, SQLException {
    Query query = Query.of(exchange);
    String correlationId = query.get("correlationId");
    List<String> found =
        correlationId.isEmpty()
            ? table.byTrace(query.get("traceId"))
            : table.byCorrelation(correlationId);
    answer(exchange, 200, "[" + String.join(",", found) + "]");
  }

  private void write(HttpExchange exchange, Fault fault) throws IOException, SQLException {
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

  private void store(HttpExchange exchange, byte[] body, Fault fault)
      throws IOException, SQLException {
    boolean batch = exchange.getRequestURI().getPath().endsWith("/batch");
    JsonNode root = JSON.readTree(body);
    List<JsonNode> events = new ArrayList<>();
    if (batch) {
      root.path("events").forEach(events::add);
    } else {
      events.add(root);
    }
    if (events.stream().anyMatch(this::isPoison)) {
      answer(exchange, 400, "");
      return;
    }
    ArrayNode errors = JSON.createArrayNode();
    List<EventTable.Row> rows = new ArrayList<>();
    for (int i = 0; i < events.size(); i++) {
      String error =
          batch && fault == Fault.PARTIAL && i % 2 == 1 ? "left out" : check(events.get(i));
      if (error.isEmpty()) {
        rows.add(row(events.get(i)));
      } else {
        errors.addObject().put("index", i).put("error", error);
      }
    }
    int inserted = table.store(rows);
    if (fault == Fault.GARBAGE) {
      answer(exchange, 200, "<html>fine");
    } else if (!batch) {
      answer(exchange, errors.isEmpty() ? 201 : 422, "");
    } else {
      ObjectNode answer = JSON.createObjectNode();
      answer.put("success", errors.isEmpty());
      answer.put("totalReceived", events.size());
      answer.put("totalInserted", inserted);
      answer.set("errors", errors);
      answer(exchange, 200, JSON.writeValueAsString(answer));
    }
  }

  private boolean isPoison(JsonNode event) {
    String poison = faults.poison();
    return !poison.isEmpty() && event.path("summary").asString("").equals(poison);
  }

  private static String check(JsonNode event) {
    return String.join(
        ", ",
        REQUIRED.stream()
            .filter(field -> event.path(field).asString("").isEmpty())
            .map("%s is missing"::formatted)
            .toList());
  }

  private static EventTable.Row row(JsonNode event) {
    return new EventTable.Row(
        event.path("idempotencyKey").asString(),
        event.path("correlationId").asString(),
        event.path("traceId").asString(),
        JSON.writeValueAsString(event));
  }

  private static void answer(HttpExchange exchange, int status, String body) throws IOException {
    byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
    exchange.getResponseHeaders().set("Content-Type", "application/json");
    exchange.sendResponseHeaders(status, bytes.length == 0 ? -1 : bytes.length);
    exchange.getResponseBody().write(bytes);
  }
}
