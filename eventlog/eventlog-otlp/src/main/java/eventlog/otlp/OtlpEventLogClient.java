package eventlog.otlp;

import static java.lang.System.Logger.Level.WARNING;

import eventlog.EventLogEntry;
import eventlog.spi.Answer;
import eventlog.spi.EventLogClient;
import eventlog.spi.JsonBuffer;
import eventlog.spi.RetryAfter;
import eventlog.spi.UnwritableEntryException;
import holdfast.http.BoundedHttpClient;
import holdfast.http.HttpAnswer;
import holdfast.lifecycle.Threads;
import holdfast.log.LibraryLogger;
import holdfast.time.TimeSource;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;
import java.util.zip.GZIPOutputStream;
import org.jspecify.annotations.Nullable;

/**
 * The way to an OpenTelemetry collector, or any backend that takes OTLP over HTTP: events are sent
 * as log records to {@code POST /v1/logs}. Safe for use by many threads.
 *
 * <p>Answers are understood as OTLP has them: 429, 502, 503 and 504 are tried again, after {@code
 * Retry-After} if it is given; other refusals are not. After a wrong key or address (401, 403, 404,
 * 405, 407, 410, redirects, a web page) events are kept until it is corrected. A partial success is
 * counted: the records that were refused are lost, since a collector does not say which they were.
 *
 * <p>A request that is not answered to the last byte within {@code requestTimeout} has failed. Of
 * an answer at most {@value #MAX_ANSWER_BYTES} bytes are read; a longer one to records that were
 * taken has failed as well, because it may refuse some.
 *
 * <p>Whoever builds a client closes it, after the loggers that use it.
 */
public final class OtlpEventLogClient implements EventLogClient, AutoCloseable {
  private static final System.Logger LOG = LibraryLogger.of("eventlog");
  private static final String PATH = "/v1/logs";
  private static final int MAX_ANSWER_BYTES = 1024 * 1024;
  private static final int BYTES_PER_EVENT = 512;

  private final BoundedHttpClient http;
  private final OtlpEncoding encoding;
  private final URI logs;
  private final Map<String, Supplier<String>> headers;
  private final Duration requestTimeout;
  private final int gzipFromBytes;
  private final int maxRequestBytes;
  private final TimeSource time;
  private final AtomicBoolean saidWarning = new AtomicBoolean();

  OtlpEventLogClient(OtlpEventLogClientBuilder b) {
    this.http =
        b.httpClient != null
            ? BoundedHttpClient.using(b.httpClient, MAX_ANSWER_BYTES)
            : BoundedHttpClient.create(
                Threads.daemon("eventlog-http"), b.connectTimeout, MAX_ANSWER_BYTES);
    this.logs = logs(b.baseUri.toString());
    this.encoding = b.encoding;
    this.headers = Map.copyOf(b.headers);
    this.requestTimeout = b.requestTimeout;
    this.gzipFromBytes = b.gzipFromBytes;
    this.maxRequestBytes = b.maxRequestBytes;
    this.time = b.time;
  }

  private static URI logs(String base) {
    String root = base.endsWith("/") ? base.substring(0, base.length() - 1) : base;
    return URI.create(root.endsWith(PATH) ? root : root + PATH);
  }

  /**
   * Starts a client's settings.
   *
   * @param baseUri where the collector is, with or without {@code /v1/logs}: {@code
   *     http://localhost:4318}
   * @return a builder with the defaults
   */
  public static OtlpEventLogClientBuilder builder(URI baseUri) {
    return new OtlpEventLogClientBuilder(baseUri);
  }

  @Override
  public Answer send(List<EventLogEntry> events) throws IOException, InterruptedException {
    Body body;
    try {
      body = encoded(events);
    } catch (UnwritableEntryException | RequestTooLargeException e) {
      return Answer.rejected(String.valueOf(e.getMessage()));
    }
    HttpRequest.Builder request = HttpRequest.newBuilder(logs);
    String problem = identify(request);
    return problem != null
        ? Answer.broken(problem)
        : understand(http.send(complete(request, body), requestTimeout), events.size());
  }

  @Override
  public String address() {
    return logs.toString();
  }

  /** The bytes of a request: the first of an array. */
  private static final class Body {
    private final byte[] bytes;
    private final int length;

    private Body(byte[] bytes, int length) {
      this.bytes = bytes;
      this.length = length;
    }
  }

  private Body encoded(List<EventLogEntry> events) {
    Map<String, Map<String, List<LogRecord>>> groups = RecordGroups.of(events);
    int capacity = (int) Math.min(maxRequestBytes, (long) BYTES_PER_EVENT * events.size());
    if (encoding == OtlpEncoding.JSON) {
      JsonBuffer json = new JsonBuffer(capacity);
      new JsonLogs(json, maxRequestBytes).write(groups);
      return new Body(json.array(), json.length());
    }
    ProtobufBuffer protobuf = new ProtobufBuffer(capacity, maxRequestBytes);
    new ProtobufLogs(protobuf).write(groups);
    return new Body(protobuf.array(), protobuf.length());
  }

  /** Sets the headers; gives what is wrong with one, without quoting its value. */
  private @Nullable String identify(HttpRequest.Builder request) {
    for (Map.Entry<String, Supplier<String>> header : headers.entrySet()) {
      String value = header.getValue().get();
      if (value == null) {
        return "there is no value for the header " + header.getKey();
      }
      try {
        request.setHeader(header.getKey(), value);
      } catch (IllegalArgumentException e) {
        return "the value of the header %s has a character that no header may have"
            .formatted(header.getKey());
      }
    }
    return null;
  }

  private HttpRequest complete(HttpRequest.Builder request, Body body) throws IOException {
    request.setHeader("Content-Type", encoding.contentType());
    request.setHeader("Accept", encoding.contentType());
    if (body.length < gzipFromBytes) {
      return request.POST(BodyPublishers.ofByteArray(body.bytes, 0, body.length)).build();
    }
    return request
        .setHeader("Content-Encoding", "gzip")
        .POST(BodyPublishers.ofByteArray(compressed(body)))
        .build();
  }

  private static byte[] compressed(Body body) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream(body.length / 4);
    try (GZIPOutputStream gzip = new GZIPOutputStream(bytes)) {
      gzip.write(body.bytes, 0, body.length);
    }
    return bytes.toByteArray();
  }

  private Answer understand(HttpAnswer response, int sent) {
    int status = response.status();
    if (status >= 200 && status < 300) {
      return response.isTruncated()
          ? Answer.later("HTTP " + status + " with more than 1 MiB", null) // may refuse some
          : taken(response, sent);
    }
    String said = ExportAnswer.failed(contentType(response), response.body()).problem();
    String problem = "HTTP " + status + (said.isEmpty() ? "" : ": " + said);
    return switch (status) {
      case 429, 502, 503, 504 -> Answer.later(problem, retryAfter(response));
      case 401, 403, 404, 405, 407, 410 -> Answer.broken(problem);
      default -> status >= 400 ? Answer.rejected(problem) : Answer.broken(problem);
    };
  }

  private Answer taken(HttpAnswer response, int sent) {
    String contentType = contentType(response);
    if (contentType != null && contentType.toLowerCase(Locale.ROOT).startsWith("text/html")) {
      return Answer.broken(
          "HTTP " + response.status() + " with a web page, so that is no OTLP receiver");
    }
    ExportAnswer answer = ExportAnswer.taken(contentType, response.body());
    if (answer.refused() <= 0) {
      if (!answer.problem().isEmpty() && saidWarning.compareAndSet(false, true)) {
        LOG.log(
            WARNING,
            "eventlog records taken with a warning, later ones are not logged address="
                + logs
                + " warning="
                + answer.problem()
                + "; correct what it names");
      }
      return Answer.delivered();
    }
    int refused = (int) Math.min(answer.refused(), sent);
    return Answer.partlyRefused(
        refused, "%d of %d refused: %s".formatted(refused, sent, answer.problem()));
  }

  private static @Nullable String contentType(HttpAnswer response) {
    return response.headers().firstValue("Content-Type").orElse(null);
  }

  private @Nullable Duration retryAfter(HttpAnswer response) {
    return RetryAfter.of(response.headers().firstValue("Retry-After").orElse(""), time.instant());
  }

  /**
   * Cancels the requests under way, and ends the threads and connections of this client; those of
   * an {@code HttpClient} that was given stay. Idempotent.
   */
  @Override
  public void close() {
    http.close();
  }
}
