package eventlog.appender;

import java.util.List;

/**
 * Tells the lines that logging an event causes: each would cause another event, without end.
 * Stateless.
 */
final class OwnLines {
  /** The event log, the shared modules below it, and the JDK's HTTP client. */
  private static final List<String> LOGGERS =
      List.of("eventlog", "holdfast", "jdk.httpclient", "jdk.internal.httpclient");

  /** How the names of all threads of the event log begin. */
  private static final String THREADS = "eventlog-";

  private OwnLines() {}

  static boolean has(String logger, String thread) {
    if (thread.startsWith(THREADS)) {
      return true;
    }
    for (String own : LOGGERS) {
      if (logger.startsWith(own)
          && (logger.length() == own.length() || logger.charAt(own.length()) == '.')) {
        return true;
      }
    }
    return false;
  }
}
