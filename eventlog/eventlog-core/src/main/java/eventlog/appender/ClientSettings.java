package eventlog.appender;

import java.net.URI;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * The settings of an appender that are its client's. What is null was not set. Immutable.
 *
 * @param protocol the protocol, as the configuration names it
 * @param baseUri where events are sent to
 * @param apiKey the API key
 * @param apiKeyHeader the header for the API key
 * @param bearerToken the token
 * @param allowClearText whether a key or token may be sent to another machine by {@code http:}
 * @param connectTimeout how long connecting may take
 * @param requestTimeout how long a request may take
 * @param gzipFromBytes from how many bytes on bodies are compressed
 */
public record ClientSettings(
    String protocol,
    URI baseUri,
    @Nullable String apiKey,
    @Nullable String apiKeyHeader,
    @Nullable String bearerToken,
    boolean allowClearText,
    @Nullable Duration connectTimeout,
    @Nullable Duration requestTimeout,
    @Nullable Integer gzipFromBytes) {

  /** The protocol and the address; never a key or token. */
  @Override
  public String toString() {
    return "ClientSettings[" + protocol + " " + baseUri.getHost() + "]";
  }
}
