package eventlog.appender;

/**
 * Where an appender reports to its framework: the status messages of Logback, the status logger of
 * Log4j 2. Must be safe for use by many threads, and must not log lines.
 */
public interface AppenderReport {

  /** Reports something that works as it should. */
  void info(String message);

  /** Reports something that a person should look at. */
  void warn(String message);
}
