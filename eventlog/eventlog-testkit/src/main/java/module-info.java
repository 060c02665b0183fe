/** An Event Log API for tests. */
module io.holdfast.eventlog.testkit {
  requires io.holdfast.core;
  requires jdk.httpserver;
  requires static org.jspecify;

  exports eventlog.testkit;
}
