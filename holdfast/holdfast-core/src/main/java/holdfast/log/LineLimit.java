package holdfast.log;

import holdfast.time.TimeSource;
import java.time.Duration;

/**
 * Keeps a line that many threads would write to one a minute. Safe for use by many threads.
 *
 * <pre>{@code
 * long count = limit.next();
 * if (count > 0) {
 *   LOG.log(WARNING, "outbox hot queue full events=" + count);
 * }
 * }</pre>
 */
public final class LineLimit {
  /** How long to wait after a line before the next is written. */
  public static final Duration EVERY = Duration.ofMinutes(1);

  private final TimeSource time;
  private long unwritten;
  private long writtenAt;
  private boolean written;

  /** Creates a limit whose first line is written at once. */
  public LineLimit(TimeSource time) {
    this.time = time;
  }

  /**
   * Counts an occurrence.
   *
   * @return how many occurrences a line stands for now, this one included; 0 if none is to be
   *     written
   */
  public synchronized long next() {
    unwritten++;
    long now = time.nanoTime();
    if (written && now - writtenAt < EVERY.toNanos()) {
      return 0;
    }
    long count = unwritten;
    unwritten = 0;
    written = true;
    writtenAt = now;
    return count;
  }
}
