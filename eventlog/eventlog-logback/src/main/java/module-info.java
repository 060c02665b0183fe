/** A Logback appender: log lines through the event log. */
module io.holdfast.eventlog.logback {
  requires transitive ch.qos.logback.classic;
  requires transitive ch.qos.logback.core;
  requires transitive io.holdfast.core;
  requires io.holdfast.eventlog;
  requires org.slf4j;
  requires static org.jspecify;

  exports eventlog.logback;
}
