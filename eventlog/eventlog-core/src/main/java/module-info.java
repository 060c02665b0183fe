/** The event log: events to a remote API, on disk while it is down. */
module io.holdfast.eventlog {
  requires transitive io.holdfast.core;
  requires java.net.http;
  requires tools.jackson.core;
  requires tools.jackson.databind;
  requires static org.jspecify;

  exports eventlog;
  exports eventlog.appender;
  exports eventlog.spi;

  uses eventlog.appender.AppenderClientProvider;
}
