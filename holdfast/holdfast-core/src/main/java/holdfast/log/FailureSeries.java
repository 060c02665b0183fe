package holdfast.log;

import static java.lang.System.Logger.Level.INFO;

import holdfast.time.TimeSource;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import org.jspecify.annotations.Nullable;

/**
 * One failure that repeats: the first with its stack trace, then one line a minute with the number
 * of failures and the newest cause, then one line when it is over. What failed in the last minute
 * and neither fails nor works any more is written by {@link #writeDue}. Safe for use by many
 * threads.
 *
 * <p>What fails and works in turn is one series: after a recovery was logged, a failure within a
 * minute goes on with the old series, which again writes one line a minute at most.
 */
public final class FailureSeries {
  private final System.Logger log;
  private final Level level;
  private final String subject;
  private final String labels;
  private final TimeSource time;
  private volatile boolean failing;
  private boolean recovered;
  private long failures;
  private long unwritten;
  private long beganAt;
  private long failedAt;
  private long writtenAt;
  private String newestDetails = "";
  private @Nullable Throwable newestCause; // of a failure that no line tells of yet

  /**
   * Creates a series without failures.
   *
   * @param log where to write
   * @param level the level of failures
   * @param subject what fails, the first words of each line
   * @param labels what all lines say, each label with a space before it
   * @param time the clock
   */
  public FailureSeries(
      System.Logger log, Level level, String subject, String labels, TimeSource time) {
    this.log = log;
    this.level = level;
    this.subject = subject;
    this.labels = labels;
    this.time = time;
  }

  /**
   * Counts a failure and writes the line that is due.
   *
   * @param details what a line says besides, each label with a space before it
   * @param cause what failed
   */
  public void failed(String details, Throwable cause) {
    Line line = lineOfFailure(details, cause);
    if (line != null) {
      log.log(level, line.text(), line.isFirst() ? cause : null);
    }
  }

  private record Line(String text, boolean isFirst) {}

  private synchronized @Nullable Line lineOfFailure(String details, Throwable cause) {
    long now = time.nanoTime();
    boolean isNew = failures == 0 || (!failing && isDue(now));
    if (isNew) {
      failures = 0;
      unwritten = 0;
      recovered = false;
      beganAt = now;
    }
    failing = true;
    failedAt = now;
    failures++;
    unwritten++;
    newestDetails = details;
    newestCause = cause;
    if (!isNew && !isDue(now)) {
      return null;
    }
    return new Line(isNew ? text(" failed", "", cause) : summary(cause), isNew);
  }

  private String summary(Throwable cause) {
    String counts = " failures=" + unwritten + " total=" + failures + lasting(failedAt);
    return text(" still fails", counts, cause);
  }

  private String text(String verb, String counts, Throwable cause) {
    unwritten = 0;
    writtenAt = time.nanoTime();
    newestCause = null;
    return subject + verb + labels + newestDetails + counts + " error=" + LogText.line(cause);
  }

  /** Writes the failures since the last line if that is a minute old; to be called regularly. */
  public void writeDue() {
    String line = lineOfRest();
    if (line != null) {
      log.log(level, line);
    }
  }

  private synchronized @Nullable String lineOfRest() {
    Throwable cause = newestCause;
    if (cause == null || !isDue(time.nanoTime())) {
      return null;
    }
    return summary(cause);
  }

  /** Writes that it works again, if it failed before. */
  public void worked() {
    if (!failing) {
      return;
    }
    String line = lineOfRecovery();
    if (line != null) {
      log.log(INFO, line);
    }
  }

  private synchronized @Nullable String lineOfRecovery() {
    long now = time.nanoTime();
    if (!failing || (recovered && !isDue(now))) {
      return null;
    }
    failing = false;
    recovered = true;
    writtenAt = now;
    newestCause = null;
    return subject + " works again" + labels + " failures=" + failures + lasting(now);
  }

  /** Returns whether the last word in the log is that it fails. */
  boolean isFailing() {
    return failing;
  }

  /** Returns whether nothing has happened for so long, or it works for a minute. */
  synchronized boolean isOver(Duration idle) {
    long now = time.nanoTime();
    return (!failing && isDue(now)) || now - failedAt >= idle.toNanos();
  }

  private boolean isDue(long now) {
    return now - writtenAt >= LineLimit.EVERY.toNanos();
  }

  private String lasting(long now) {
    return " for=" + Duration.ofNanos(now - beganAt).truncatedTo(ChronoUnit.MILLIS);
  }
}
