package eventlog;

import eventlog.spi.Answer;
import eventlog.spi.EntryWriter;
import eventlog.spi.EventLogClient;
import eventlog.spi.JsonBuffer;
import eventlog.spi.RetryAfter;
import eventlog.spi.UnwritableEntryException;
import holdfast.http.BoundedHttpClient;
import holdfast.http.HttpAnswer;
import holdfast.lifecycle.Threads;
import holdfast.time.TimeSource;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.function.Supplier;
import java.util.zip.GZIPOutputStream;
import org.jspecify.annotations.Nullable;

/**
 * The way to the Event Log API over HTTP: one event to {@code POST /v1/events}, several to {@code
 * POST /v1/events/batch}. Safe for use by many threads.
 *
 * <p>A request that is not answered to the last byte within {@code requestTimeout} has failed. Of
 * an answer at most {@value #MAX_ANSWER_BYTES} bytes are read; a longer one to events that were
 * taken has failed as well, because it may name events that were not.
 *
 * <p>Whoever builds a client closes it, after the loggers that use it.
 */
public final class HttpEventLogClient implements EventLogClient, AutoCloseable {
  private static final byte[] EVENTS = "{\"events\":".getBytes(StandardCharsets.US_ASCII);
  private static final int BYTES_PER_EVENT = 512;
  private static final int MAX_ANSWER_BYTES = 1024 * 1024;

  private final EntryWriter writer = new EntryWriter(Integer.MAX_VALUE);
  private final BoundedHttpClient http;
  private final String address;
  private final URI single;
  private final URI batch;
  private final @Nullable Supplier<String> apiKey;
  private final @Nullable Supplier<String> bearerToken;
  private final String apiKeyHeader;
  private final Duration requestTimeout;
  private final int gzipFromBytes;
  private final TimeSource time;

  HttpEventLogClient(HttpEventLogClientBuilder b) {
    this.http =
        b.httpClient != null
            ? BoundedHttpClient.using(b.httpClient, MAX_ANSWER_BYTES)
            : BoundedHttpClient.create(
                Threads.daemon("eventlog-http"), b.connectTimeout, MAX_ANSWER_BYTES);
    String base = b.baseUri.toString();
    String root = base.endsWith("/") ? base.substring(0, base.length() - 1) : base;
    this.address = root; // has no user, which the builder refuses
    this.single = URI.create(root + "/v1/events");
    this.batch = URI.create(root + "/v1/events/batch");
    this.apiKey = b.apiKey;
    this.bearerToken = b.bearerToken;
    this.apiKeyHeader = b.apiKeyHeader;
    this.requestTimeout = b.requestTimeout;
    this.gzipFromBytes = b.gzipFromBytes;
    this.time = b.time;
  }

  /**
   * Starts a client's settings.
   *
   * @param baseUri where the API is, without {@code /v1}
   * @return a builder with the defaults
   */
  public static HttpEventLogClientBuilder builder(URI baseUri) {
    return new HttpEventLogClientBuilder(baseUri);
  }

  @Override
  public Answer send(List<EventLogEntry> events) throws IOException, InterruptedException {
    JsonBuffer body = new JsonBuffer(BYTES_PER_EVENT * events.size());
    try {
      if (events.size() == 1) {
        writer.write(events.get(0), body);
      } else {
        writeAll(events, body);
      }
    } catch (UnwritableEntryException e) {
      return Answer.rejected(String.valueOf(e.getMessage()));
    }
    HttpRequest.Builder request = HttpRequest.newBuilder(events.size() == 1 ? single : batch);
    String problem = identify(request);
    return problem != null
        ? Answer.broken(problem)
        : understand(http.send(complete(request, body), requestTimeout));
  }

  @Override
  public String address() {
    return address;
  }

  private void writeAll(List<EventLogEntry> events, JsonBuffer body) {
    char separator = '[';
    body.raw(EVENTS);
    for (EventLogEntry event : events) {
      writer.write(event, body.raw(separator));
      separator = ',';
    }
    body.raw(']').raw('}');
  }

  /** Says who sends; gives what is wrong if that cannot be said, without quoting the secret. */
  private @Nullable String identify(HttpRequest.Builder request) {
    String key = apiKey == null ? "" : apiKey.get();
    String token = bearerToken == null ? "" : bearerToken.get();
    if (key == null || token == null) {
      return key == null ? "there is no API key" : "there is no bearer token";
    }
    try {
      if (apiKey != null) {
        request.header(apiKeyHeader, key);
      }
      if (bearerToken != null) {
        request.header("Authorization", "Bearer " + token);
      }
      return null;
    } catch (IllegalArgumentException e) {
      return "the API key or bearer token has a character that no header may have";
    }
  }

  private HttpRequest complete(HttpRequest.Builder request, JsonBuffer body) throws IOException {
    request.header("Content-Type", "application/json").header("Accept", "application/json");
    if (body.length() < gzipFromBytes) {
      return request.POST(BodyPublishers.ofByteArray(body.array(), 0, body.length())).build();
    }
    return request
        .header("Content-Encoding", "gzip")
        .POST(BodyPublishers.ofByteArray(compressed(body)))
        .build();
  }

  private static byte[] compressed(JsonBuffer body) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream(body.length() / 4);
    try (GZIPOutputStream gzip = new GZIPOutputStream(bytes)) {
      gzip.write(body.array(), 0, body.length());
    }
    return bytes.toByteArray();
  }

  private Answer understand(HttpAnswer response) {
    int status = response.status();
    String problem = "HTTP " + status;
    if (status >= 200 && status < 300) {
      if (response.isTruncated()) {
        return Answer.later(problem + " with more than " + MAX_ANSWER_BYTES + " bytes", null);
      }
      return BatchAnswer.read(response.body());
    }
    return switch (status) {
      case 408, 425, 429 -> Answer.later(problem, retryAfter(response));
      case 401, 403, 404, 405, 407, 410 -> Answer.broken(problem);
      default -> {
        if (status >= 500) {
          yield Answer.later(problem, retryAfter(response));
        }
        yield status >= 400 ? Answer.rejected(problem) : Answer.broken(problem);
      }
    };
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
