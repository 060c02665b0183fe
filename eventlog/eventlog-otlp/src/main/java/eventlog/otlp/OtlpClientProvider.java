package eventlog.otlp;

import eventlog.appender.AppenderClientProvider;
import eventlog.appender.ClientSettings;
import eventlog.spi.EventLogClient;
import java.util.Arrays;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Makes the client of an appender whose protocol is {@code http/protobuf} or {@code http/json}.
 * Stateless.
 */
public final class OtlpClientProvider implements AppenderClientProvider {

  /** A provider; the JDK's service loader makes it. */
  public OtlpClientProvider() {}

  @Override
  public Set<String> protocols() {
    return Arrays.stream(OtlpEncoding.values())
        .map(OtlpEncoding::protocol)
        .collect(Collectors.toUnmodifiableSet());
  }

  @Override
  public EventLogClient create(ClientSettings settings) {
    OtlpEventLogClientBuilder client =
        OtlpEventLogClient.builder(settings.baseUri()).allowClearText(settings.allowClearText());
    for (OtlpEncoding encoding : OtlpEncoding.values()) {
      if (encoding.protocol().equals(settings.protocol())) {
        client.encoding(encoding);
      }
    }
    String key = settings.apiKey();
    if (key != null) {
      String header = settings.apiKeyHeader();
      client.header(header == null ? "X-API-Key" : header, () -> key);
    }
    String token = settings.bearerToken();
    if (token != null) {
      client.header("Authorization", () -> "Bearer " + token);
    }
    if (settings.connectTimeout() != null) {
      client.connectTimeout(settings.connectTimeout());
    }
    if (settings.requestTimeout() != null) {
      client.requestTimeout(settings.requestTimeout());
    }
    if (settings.gzipFromBytes() != null) {
      client.gzipFromBytes(settings.gzipFromBytes());
    }
    return client.build();
  }
}
