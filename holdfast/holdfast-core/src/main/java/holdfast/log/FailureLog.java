package holdfast.log;

import static java.lang.System.Logger.Level.WARNING;

import holdfast.time.TimeSource;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The failures of listeners or handlers in the log, a series for each type of event: WARNING with
 * the stack trace at the first, then one line a minute, then INFO when the type works again. It
 * remembers 1,000 types; what fails beyond that shares one series, which says so. Safe for use by
 * many threads.
 */
public final class FailureLog {
  /** How many types are remembered: {@value}. */
  public static final int MAX_TYPES = 1_000;

  private static final Duration FORGOTTEN_AFTER = Duration.ofHours(1);

  private final System.Logger log;
  private final String subject;
  private final TimeSource time;
  private final Map<String, FailureSeries> byType = new ConcurrentHashMap<>();
  private final FailureSeries others;

  /**
   * Creates a log without failures.
   *
   * @param library the name of the logger, and the first word of each line
   * @param subject what fails: {@code listener}
   * @param time the clock
   */
  public FailureLog(String library, String subject, TimeSource time) {
    this.log = LibraryLogger.of(library);
    this.subject = library + " " + subject;
    this.time = time;
    this.others = series(" type=(others)");
  }

  /**
   * Counts a failure and writes the line that is due.
   *
   * @param type the type of the event
   * @param details what a line says besides, each label with a space before it
   * @param cause what the listener threw
   */
  public void failed(String type, String details, Throwable cause) {
    FailureSeries series = byType.get(type);
    if (series == null && hasRoom()) {
      series = byType.computeIfAbsent(type, t -> series(" type=" + t));
    }
    (series == null ? others : series).failed(details, cause);
  }

  /** Notes that an event of the type was taken; writes a line if the type has failed before. */
  public void worked(String type) {
    FailureSeries series = byType.isEmpty() ? null : byType.get(type);
    if (series != null) {
      series.worked();
    }
  }

  /** Writes the lines of failures that were not repeated; to be called regularly. */
  public void writeDue() {
    byType.values().forEach(FailureSeries::writeDue);
    others.writeDue();
  }

  private boolean hasRoom() {
    if (byType.size() >= MAX_TYPES) {
      byType.values().removeIf(series -> series.isOver(FORGOTTEN_AFTER));
    }
    return byType.size() < MAX_TYPES;
  }

  private FailureSeries series(String labels) {
    return new FailureSeries(log, WARNING, subject, labels, time);
  }
}
