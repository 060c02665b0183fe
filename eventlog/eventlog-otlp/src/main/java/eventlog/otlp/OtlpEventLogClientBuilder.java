package eventlog.otlp;

import holdfast.problems.Problems;
import holdfast.time.TimeSource;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
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

  private static final Duration LONGEST_TIMEOUT = Duration.ofDays(365);
  private static final Set<String> SCHEMES = Set.of("http", "https");
  private static final int LEAST_REQUEST_BYTES = 1024;
  private static final int LAST_PORT = 65_535;

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
    this.httpClient = client;
    return this;
  }

  /** Sets the clock that a {@code Retry-After} date is compared with. Default: the system's. */
  public OtlpEventLogClientBuilder time(TimeSource time) {
    this.time = time;
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
    checkAddress(problems);
    checkTimeout(problems, "connectTimeout", connectTimeout);
    checkTimeout(problems, "requestTimeout", requestTimeout);
    problems
        .require(gzipFromBytes >= 0, "gzipFromBytes", "be 0 or more", gzipFromBytes)
        .require(
            maxRequestBytes >= LEAST_REQUEST_BYTES,
            "maxRequestBytes",
            "be " + LEAST_REQUEST_BYTES + " or more",
            maxRequestBytes);
    headers.keySet().forEach(name -> checkHeader(problems, name));
    checkClearText(problems);
    problems.throwIfAny();
    return new OtlpEventLogClient(this);
  }

  private void checkAddress(Problems problems) {
    String scheme = String.valueOf(baseUri.getScheme());
    if (!SCHEMES.contains(scheme)) {
      problems.require(false, "baseUri", "begin with http: or https:", baseUri);
    } else if (baseUri.getRawUserInfo() != null
        || baseUri.getRawQuery() != null
        || baseUri.getRawFragment() != null) {
      // Without its value: it may be a secret.
      problems.add("baseUri must have no user, query or fragment but has one; use header");
    } else {
      boolean somewhere = baseUri.getHost() != null && baseUri.getPort() <= LAST_PORT;
      problems.require(somewhere, "baseUri", "have a host, and no port above 65535,", baseUri);
    }
  }

  private static void checkTimeout(Problems problems, String setting, Duration timeout) {
    boolean sensible =
        timeout.compareTo(Duration.ZERO) > 0 && timeout.compareTo(LONGEST_TIMEOUT) <= 0;
    problems.require(sensible, setting, "be above zero, and 365 days at most,", timeout);
  }

  private static void checkHeader(Problems problems, String name) {
    try {
      HttpRequest.newBuilder().header(name, "value");
    } catch (IllegalArgumentException e) {
      problems.require(false, "header", "be the name of a header that may be set", name);
    }
  }

  private void checkClearText(Problems problems) {
    String host = baseUri.getHost();
    if (!headers.isEmpty()
        && !allowClearText
        && "http".equals(baseUri.getScheme())
        && host != null
        && !isThisMachine(host)) {
      problems.add(
          ("baseUri must begin with https: where headers go to another machine but was http://%s;"
                  + " use an address that begins with https:, or allow clear text"
                  + " (allowClearText)")
              .formatted(host));
    }
  }

  private static boolean isThisMachine(String host) {
    return host.equals("localhost") || host.matches("127(\\.\\d+){3}") || host.equals("[::1]");
  }
}
