package eventlog.appender;

import eventlog.HttpEventLogClient;
import eventlog.HttpEventLogClientBuilder;
import eventlog.spi.EventLogClient;
import java.util.Set;

/** Makes the client of the Event Log API. Stateless. */
final class HttpClientProvider implements AppenderClientProvider {
  static final String PROTOCOL = "eventlog";

  @Override
  public Set<String> protocols() {
    return Set.of(PROTOCOL);
  }

  @Override
  public EventLogClient create(ClientSettings s) {
    HttpEventLogClientBuilder client =
        HttpEventLogClient.builder(s.baseUri()).allowClearText(s.allowClearText());
    if (s.apiKey() != null) {
      client.apiKey(s.apiKey());
    }
    if (s.apiKeyHeader() != null) {
      client.apiKeyHeader(s.apiKeyHeader());
    }
    String token = s.bearerToken();
    if (token != null) {
      client.bearerToken(() -> token);
    }
    if (s.connectTimeout() != null) {
      client.connectTimeout(s.connectTimeout());
    }
    if (s.requestTimeout() != null) {
      client.requestTimeout(s.requestTimeout());
    }
    if (s.gzipFromBytes() != null) {
      client.gzipFromBytes(s.gzipFromBytes());
    }
    return client.build();
  }
}
