package eventlog;

import holdfast.problems.Problems;
import holdfast.time.TimeSource;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.time.Duration;
import java.util.Objects;
import java.util.Set;
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

  private static final Duration LONGEST_TIMEOUT = Duration.ofDays(365);
  private static final String TIMEOUT_RULE = "be above zero, and 365 days at most,";
  private static final int LAST_PORT = 65_535;

  final URI baseUri;
  final Set<String> schemes = Set.of("http", "https");
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
    checkAddress(problems);
    problems
        .require(isSensible(connectTimeout), "connectTimeout", TIMEOUT_RULE, connectTimeout)
        .require(isSensible(requestTimeout), "requestTimeout", TIMEOUT_RULE, requestTimeout)
        .require(gzipFromBytes >= 0, "gzipFromBytes", "be 0 or more", gzipFromBytes)
        .require(
            isHeader(apiKeyHeader, "key"),
            "apiKeyHeader",
            "be the name of a header that may be set",
            apiKeyHeader);
    if (constantKey != null && !isHeader(DEFAULT_API_KEY_HEADER, constantKey)) {
      // Without its value: messages end up in logs.
      problems.add(
          "apiKey must be what a header may hold but has line feeds or foreign characters; remove"
              + " them");
    }
    checkClearText(problems);
    problems.throwIfAny();
    return new HttpEventLogClient(this);
  }

  private void checkClearText(Problems problems) {
    boolean hasSecret = apiKey != null || bearerToken != null;
    String host = baseUri.getHost();
    if (hasSecret
        && !allowClearText
        && "http".equals(baseUri.getScheme())
        && host != null
        && !isThisMachine(host)) {
      problems.add(
          ("baseUri must begin with https: where an API key or token goes to another machine but"
                  + " was http://%s; use an address that begins with https:, or allow clear text"
                  + " (allowClearText(true), eventlog.allow-clear-text=true)")
              .formatted(host)); // not the whole address: it may hold a secret
    }
  }

  private static boolean isThisMachine(String host) {
    return host.equals("localhost") || host.matches("127(\\.\\d+){3}") || host.equals("[::1]");
  }

  private String unwantedPart() {
    if (baseUri.getRawUserInfo() != null) {
      return "a user";
    }
    return baseUri.getRawQuery() != null ? "a query" : "a fragment";
  }

  private void checkAddress(Problems problems) {
    if (!schemes.contains(String.valueOf(baseUri.getScheme()))) {
      problems.require(false, "baseUri", "begin with http: or https:", baseUri);
    } else if (baseUri.getRawUserInfo() != null
        || baseUri.getRawQuery() != null
        || baseUri.getRawFragment() != null) {
      // Without its value: it may be a secret.
      problems.add(
          "baseUri must have no user, query or fragment but has %s; use apiKey or bearerToken"
              .formatted(unwantedPart()));
    } else {
      boolean somewhere = baseUri.getHost() != null && baseUri.getPort() <= LAST_PORT;
      problems.require(somewhere, "baseUri", "have a host, and no port above 65535,", baseUri);
    }
  }

  private static boolean isSensible(Duration timeout) {
    return timeout.compareTo(Duration.ZERO) > 0 && timeout.compareTo(LONGEST_TIMEOUT) <= 0;
  }

  /** The JDK's own opinion, which is asked for every request. */
  private static boolean isHeader(String name, @Nullable String value) {
    try {
      HttpRequest.newBuilder().header(name, value == null ? "\n" : value);
      return true;
    } catch (IllegalArgumentException e) {
      return false;
    }
  }
}
