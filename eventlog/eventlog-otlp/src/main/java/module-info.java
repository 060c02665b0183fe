/** The event log's way to an OpenTelemetry collector: OTLP over HTTP. */
module io.holdfast.eventlog.otlp {
  requires transitive io.holdfast.eventlog;
  requires transitive java.net.http;
  requires tools.jackson.core;
  requires static org.jspecify;

  exports eventlog.otlp;

  provides eventlog.appender.AppenderClientProvider with
      eventlog.otlp.OtlpClientProvider;
}
