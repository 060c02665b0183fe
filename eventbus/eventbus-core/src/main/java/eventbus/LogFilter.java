package eventbus;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * Which lines of the log are meant: those that match all that is set. Immutable.
 *
 * <pre>{@code
 * LogFilter.FAILED.type("OrderPlaced").finishedBefore(yesterday)
 * }</pre>
 *
 * @param status COMPLETED or FAILED, or null for both
 * @param type their type, or null for any
 * @param finishedFrom when they were closed at the earliest, or null
 * @param finishedBefore the moment before which they were closed, or null
 */
public record LogFilter(
    @Nullable EventStatus status,
    @Nullable String type,
    @Nullable Instant finishedFrom,
    @Nullable Instant finishedBefore) {

  /** The whole log. */
  public static final LogFilter ALL = new LogFilter(null, null, null, null);

  /** What failed. */
  public static final LogFilter FAILED = ALL.status(EventStatus.FAILED);

  /** What was completed. */
  public static final LogFilter COMPLETED = ALL.status(EventStatus.COMPLETED);

  /** The same with only this status. */
  public LogFilter status(EventStatus status) {
    return new LogFilter(status, type, finishedFrom, finishedBefore);
  }

  /** The same with only this type. */
  public LogFilter type(String type) {
    return new LogFilter(status, type, finishedFrom, finishedBefore);
  }

  /** The same with only what was closed then or later. */
  public LogFilter finishedFrom(Instant finishedFrom) {
    return new LogFilter(status, type, finishedFrom, finishedBefore);
  }

  /** The same with only what was closed before then. */
  public LogFilter finishedBefore(Instant finishedBefore) {
    return new LogFilter(status, type, finishedFrom, finishedBefore);
  }
}
