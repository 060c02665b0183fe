/** A Log4j 2 appender: log lines through the event log. */
@SuppressWarnings("module") // its name ends as that of Log4j 2 does
module io.holdfast.eventlog.log4j2 {
  requires transitive io.holdfast.core;
  requires transitive org.apache.logging.log4j;
  requires transitive org.apache.logging.log4j.core;
  requires io.holdfast.eventlog;
  requires static org.jspecify;

  exports eventlog.log4j2;

  opens eventlog.log4j2 to
      org.apache.logging.log4j.core;
}
