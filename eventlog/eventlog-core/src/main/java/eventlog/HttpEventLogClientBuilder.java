package eventlog;

import holdfast.http.HttpSettings;
import holdfast.problems.Problems;
import holdfast.time.TimeSource;
import java.net.URI;
import java.net.http.HttpClient;
import java.time.Duration;
import java.util.Objects;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Settings of an {@link HttpEventLogClient}. Not safe for use by many threads. */
public final class HttpEventLogClientBuilder {
  /** The header for the API key unless configured: {@value}. */
  public static final String DEFAULT_API_KEY_HEADER = "X-API-Key";

  /** Bodies of so many bytes and more are compressed unless configured: {@value}. */
  public static final int DEFAULT_GZIP_FROM_BYTES = 8 * 1024;

  /** How long connecting may take unless configured: 5 seconds. */
  public static final Duration DEFAULT_CONNECT_TIMEOUT = Duration.ofSeconds(5);

  /** How long a request may take unless configured: 10 seconds. */
  public static final Duration DEFAULT_REQUEST_TIMEOUT = Duration.ofSeconds(10);

  final URI baseUri;
  @Nullable HttpClient httpClient;
  @Nullable Supplier<String> apiKey;
  private @Nullable String constantKey;
  @Nullable Supplier<String> bearerToken;
  String apiKeyHeader = DEFAULT_API_KEY_HEADER;
  Duration connectTimeout = DEFAULT_CONNECT_TIMEOUT;
  Duration requestTimeout = DEFAULT_REQUEST_TIMEOUT;
  int gzipFromBytes = DEFAULT_GZIP_FROM_BYTES;
  boolean allowClearText;
  TimeSource time = TimeSource.system();

  HttpEventLogClientBuilder(URI baseUri) {
    this.baseUri = Objects.requireNonNull(baseUri, "baseUri");
  }

  /** Sets the API key; sent in the header {@link #DEFAULT_API_KEY_HEADER}. */
  public HttpEventLogClientBuilder apiKey(String key) {
    this.constantKey = Objects.requireNonNull(key, "apiKey");
    this.apiKey = () -> key;
    return this;
  }

  /**
   * Sets where the API key comes from, so that it can be changed; asked for every request, on the
   * sender's thread. Replaces a key set before.
   */
  public HttpEventLogClientBuilder apiKey(Supplier<String> key) {
    this.constantKey = null;
    this.apiKey = Objects.requireNonNull(key, "apiKey");
    return this;
  }

  /** Sets the header for the API key; replaces {@link #DEFAULT_API_KEY_HEADER}. */
  public HttpEventLogClientBuilder apiKeyHeader(String header) {
    this.apiKeyHeader = Objects.requireNonNull(header, "header");
    return this;
  }

  /**
   * Sets where the bearer token comes from, so that it can be changed; asked for every request, on
   * the sender's thread.
   */
  public HttpEventLogClientBuilder bearerToken(Supplier<String> token) {
    this.bearerToken = Objects.requireNonNull(token, "bearerToken");
    return this;
  }

  /** Sets how long connecting may take; replaces 5 seconds. Not used with a given client. */
  public HttpEventLogClientBuilder connectTimeout(Duration timeout) {
    this.connectTimeout = Objects.requireNonNull(timeout, "connectTimeout");
    return this;
  }

  /**
   * Sets how long a request may take, from connecting to the last byte of its answer; replaces 10
   * seconds.
   */
  public HttpEventLogClientBuilder requestTimeout(Duration timeout) {
    this.requestTimeout = Objects.requireNonNull(timeout, "requestTimeout");
    return this;
  }

  /** Sets from how many bytes on bodies are compressed; replaces 8 KiB. */
  public HttpEventLogClientBuilder gzipFromBytes(int bytes) {
    this.gzipFromBytes = bytes;
    return this;
  }

  /**
   * Sets whether an API key or token may be sent to another machine by {@code http:}, where others
   * can read it. Default: false, and {@link #build} refuses such an address.
   */
  public HttpEventLogClientBuilder allowClearText(boolean allowClearText) {
    this.allowClearText = allowClearText;
    return this;
  }

  /** Sets the JDK's client to use, with its own proxy or TLS settings; replaces a plain one. */
  public HttpEventLogClientBuilder httpClient(HttpClient client) {
    this.httpClient = Objects.requireNonNull(client, "httpClient");
    return this;
  }

  /** Sets the clock that a {@code Retry-After} date is compared with; replaces the system's. */
  public HttpEventLogClientBuilder time(TimeSource time) {
    this.time = Objects.requireNonNull(time, "time");
    return this;
  }

  /**
   * The client.
   *
   * @return a client, safe for use by many threads
   * @throws IllegalArgumentException if a setting is out of range, naming all of them
   */
  public HttpEventLogClient build() {
    Problems problems = new Problems("HttpEventLogClient");
    HttpSettings.checkAddress(problems, "baseUri", baseUri, "apiKey or bearerToken");
    HttpSettings.checkTimeout(problems, "connectTimeout", connectTimeout);
    HttpSettings.checkTimeout(problems, "requestTimeout", requestTimeout);
    problems
        .require(gzipFromBytes >= 0, "gzipFromBytes", "be 0 or more", gzipFromBytes)
        .require(
            HttpSettings.isHeader(apiKeyHeader, "key"),
            "apiKeyHeader",
            "be the name of a header that may be set",
            apiKeyHeader);
    if (constantKey != null && !HttpSettings.isHeader(DEFAULT_API_KEY_HEADER, constantKey)) {
      // Without its value: messages end up in logs.
      problems.add(
          "apiKey must be what a header may hold but has line feeds or foreign characters; remove"
              + " them");
    }
    if (!allowClearText && (apiKey != null || bearerToken != null)) {
      HttpSettings.checkClearText(
          problems,
          "baseUri",
          baseUri,
          "an API key or token goes",
          "allowClearText(true), allowClearText of an appender, eventlog.allow-clear-text=true");
    }
    problems.throwIfAny();
    return new HttpEventLogClient(this);
  }
}
