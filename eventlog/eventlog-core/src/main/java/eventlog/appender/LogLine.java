package eventlog.appender;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * One line of a log framework. Immutable, as far as the values in its maps are.
 *
 * @param time when it was logged
 * @param level its level, as the framework names it
 * @param severity what the level means
 * @param logger the name of the logger
 * @param thread the name of the thread that logged it
 * @param message the formatted message
 * @param mdc the entries of the MDC, or of Log4j's thread context
 * @param markers the names of its markers
 * @param keyValues its key-value pairs
 * @param exception its exception
 */
public record LogLine(
    Instant time,
    String level,
    Severity severity,
    String logger,
    String thread,
    @Nullable String message,
    Map<String, String> mdc,
    List<String> markers,
    Map<String, Object> keyValues,
    @Nullable LoggedException exception) {

  /** What a level means. */
  public enum Severity {
    /** For information: INFO and below. */
    NORMAL,
    /** A warning. */
    WARNING,
    /** An error, or worse. */
    ERROR
  }

  /**
   * An exception as texts. Immutable.
   *
   * @param type the name of its class
   * @param message its message
   * @param stackTrace its stack trace and those of its causes
   */
  public record LoggedException(String type, @Nullable String message, String stackTrace) {}
}
