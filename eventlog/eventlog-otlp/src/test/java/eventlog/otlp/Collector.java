package eventlog.otlp;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.opentelemetry.proto.collector.logs.v1.ExportLogsServiceRequest;
import io.opentelemetry.proto.logs.v1.LogRecord;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.stream.Stream;
import java.util.zip.GZIPInputStream;

/**
 * A collector on the JDK's HTTP server that reads requests with OpenTelemetry's own classes. Safe
 * for use by many threads.
 */
final class Collector implements AutoCloseable {

  /** One request as it came: its headers, and its body without compression. */
  record Request(Map<String, List<String>> headers, byte[] body) {
    ExportLogsServiceRequest message() {
      try {
        return ExportLogsServiceRequest.parseFrom(body);
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }

    /** The bodies of its records. */
    List<String> bodies() {
      return records().map(record -> record.getBody().getStringValue()).toList();
    }

    /** The ids of its records. */
    List<String> ids() {
      return records()
          .flatMap(record -> record.getAttributesList().stream())
          .filter(attribute -> attribute.getKey().equals("log.record.uid"))
          .map(attribute -> attribute.getValue().getStringValue())
          .toList();
    }

    private Stream<LogRecord> records() {
      return message().getResourceLogsList().stream()
          .flatMap(resource -> resource.getScopeLogsList().stream())
          .flatMap(scope -> scope.getLogRecordsList().stream());
    }
  }

  /** An answer; a negative status lets the request wait for ever after its headers. */
  record Reply(int status, Map<String, String> headers, byte[] body) {
    static Reply of(int status) {
      return new Reply(status, Map.of(), new byte[0]);
    }
  }

  /** Makes the answer to a request. */
  interface Script {
    Reply reply(Request request);
  }

  private final HttpServer server;
  private final ExecutorService threads = Executors.newCachedThreadPool();
  private final CountDownLatch closed = new CountDownLatch(1);
  private final List<Request> requests = new CopyOnWriteArrayList<>();
  private final List<String> taken = new CopyOnWriteArrayList<>();
  private volatile Script script = request -> Reply.of(200);

  Collector() {
    try {
      server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    server.setExecutor(threads);
    server.createContext("/v1/logs", this::handle);
    server.start();
  }

  /** Has every request answered by the script from now on. */
  void answers(Script newScript) {
    script = newScript;
  }

  URI uri() {
    return URI.create("http://localhost:" + server.getAddress().getPort());
  }

  /** Every request so far. */
  List<Request> requests() {
    return List.copyOf(requests);
  }

  /** The ids of the records of requests that were answered 200, as often as they came. */
  List<String> taken() {
    return List.copyOf(taken);
  }

  private void handle(HttpExchange exchange) throws IOException {
    try (exchange) {
      byte[] body = exchange.getRequestBody().readAllBytes();
      if ("gzip".equals(exchange.getRequestHeaders().getFirst("Content-Encoding"))) {
        body = new GZIPInputStream(new ByteArrayInputStream(body)).readAllBytes();
      }
      Request request = new Request(Map.copyOf(exchange.getRequestHeaders()), body);
      requests.add(request);
      Reply reply = script.reply(request);
      reply.headers().forEach(exchange.getResponseHeaders()::set);
      if (reply.status() < 0) {
        exchange.sendResponseHeaders(-reply.status(), 100);
        closed.await();
        return;
      }
      if (reply.status() == 200 && isProtobuf(exchange)) {
        taken.addAll(request.ids());
      }
      exchange.sendResponseHeaders(
          reply.status(), reply.body().length == 0 ? -1 : reply.body().length);
      exchange.getResponseBody().write(reply.body());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private static boolean isProtobuf(HttpExchange exchange) {
    return exchange.getRequestHeaders().getFirst("Content-Type").contains("protobuf");
  }

  @Override
  public void close() {
    closed.countDown();
    server.stop(0);
    threads.shutdownNow();
  }
}
