package eventlog.otlp;

import holdfast.http.HttpSettings;
import holdfast.problems.Problems;
import holdfast.time.TimeSource;
import java.net.URI;
import java.net.http.HttpClient;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Settings of an {@link OtlpEventLogClient}. Not safe for use by many threads. */
public final class OtlpEventLogClientBuilder {
  /** The default of gzipFromBytes: {@value}. */
  public static final int DEFAULT_GZIP_FROM_BYTES = 8 * 1024;

  /** The default of maxRequestBytes: {@value}. */
  public static final int DEFAULT_MAX_REQUEST_BYTES = 16 * 1024 * 1024;

  /** The default of connectTimeout: 5 seconds. */
  public static final Duration DEFAULT_CONNECT_TIMEOUT = Duration.ofSeconds(5);

  /** The default of requestTimeout: 10 seconds. */
  public static final Duration DEFAULT_REQUEST_TIMEOUT = Duration.ofSeconds(10);

  private static final int LEAST_REQUEST_BYTES = 1024;

  final URI baseUri;
  final Map<String, Supplier<String>> headers = new LinkedHashMap<>();
  @Nullable HttpClient httpClient;
  OtlpEncoding encoding = OtlpEncoding.PROTOBUF;
  Duration connectTimeout = DEFAULT_CONNECT_TIMEOUT;
  Duration requestTimeout = DEFAULT_REQUEST_TIMEOUT;
  int gzipFromBytes = DEFAULT_GZIP_FROM_BYTES;
  int maxRequestBytes = DEFAULT_MAX_REQUEST_BYTES;
  boolean allowClearText;
  TimeSource time = TimeSource.system();

  OtlpEventLogClientBuilder(URI baseUri) {
    this.baseUri = Objects.requireNonNull(baseUri, "baseUri");
  }

  /** Sets how requests are written. Default: {@link OtlpEncoding#PROTOBUF}. */
  public OtlpEventLogClientBuilder encoding(OtlpEncoding encoding) {
    this.encoding = Objects.requireNonNull(encoding, "encoding");
    return this;
  }

  /**
   * Sets a header of every request, such as a key or token; replaces one of that name. The value is
   * asked for each request, on the sender's thread, so that it can be changed.
   */
  public OtlpEventLogClientBuilder header(String name, Supplier<String> value) {
    headers.put(Objects.requireNonNull(name, "name"), Objects.requireNonNull(value, "value"));
    return this;
  }

  /** Sets how long connecting may take. Default: 5 seconds. Not used with a given client. */
  public OtlpEventLogClientBuilder connectTimeout(Duration timeout) {
    this.connectTimeout = Objects.requireNonNull(timeout, "timeout");
    return this;
  }

  /**
   * Sets how long a request may take, from connecting to the last byte of its answer. Default: 10
   * seconds.
   */
  public OtlpEventLogClientBuilder requestTimeout(Duration timeout) {
    this.requestTimeout = Objects.requireNonNull(timeout, "timeout");
    return this;
  }

  /** Sets from how many bytes on requests are compressed. Default: 8 KiB. */
  public OtlpEventLogClientBuilder gzipFromBytes(int bytes) {
    this.gzipFromBytes = bytes;
    return this;
  }

  /**
   * Sets how many bytes a request may have before it is compressed. Default: 16 MiB. The events of
   * a larger one are sent in halves; an event that is too large alone is set aside.
   */
  public OtlpEventLogClientBuilder maxRequestBytes(int bytes) {
    this.maxRequestBytes = bytes;
    return this;
  }

  /**
   * Sets whether headers may be sent to another machine by {@code http:}, where others can read
   * them. Default: false, and {@link #build} refuses such an address.
   */
  public OtlpEventLogClientBuilder allowClearText(boolean allowClearText) {
    this.allowClearText = allowClearText;
    return this;
  }

  /** Sets the JDK's client to use, with its own proxy or TLS settings. Default: a plain one. */
  public OtlpEventLogClientBuilder httpClient(HttpClient client) {
    this.httpClient = Objects.requireNonNull(client, "httpClient");
    return this;
  }

  /** Sets the clock that a {@code Retry-After} date is compared with. Default: the system's. */
  public OtlpEventLogClientBuilder time(TimeSource time) {
    this.time = Objects.requireNonNull(time, "time");
    return this;
  }

  /**
   * Builds the client.
   *
   * @return a client, safe for use by many threads
   * @throws IllegalArgumentException if a setting is out of range, naming all of them
   */
  public OtlpEventLogClient build() {
    Problems problems = new Problems("OtlpEventLogClient");
    HttpSettings.checkAddress(problems, "baseUri", baseUri, "header");
    HttpSettings.checkTimeout(problems, "connectTimeout", connectTimeout);
    HttpSettings.checkTimeout(problems, "requestTimeout", requestTimeout);
    problems
        .require(gzipFromBytes >= 0, "gzipFromBytes", "be 0 or more", gzipFromBytes)
        .require(
            maxRequestBytes >= LEAST_REQUEST_BYTES,
            "maxRequestBytes",
            "be " + LEAST_REQUEST_BYTES + " or more",
            maxRequestBytes);
    for (String name : headers.keySet()) {
      boolean header = HttpSettings.isHeader(name, "value");
      problems.require(header, "header", "be the name of a header that may be set", name);
    }
    if (!allowClearText && !headers.isEmpty()) {
      HttpSettings.checkClearText(
          problems,
          "baseUri",
          baseUri,
          "headers go",
          "allowClearText(true), allowClearText of an appender");
    }
    problems.throwIfAny();
    return new OtlpEventLogClient(this);
  }
}
