package tracer;

import static java.lang.System.Logger.Level.INFO;
import static java.lang.System.Logger.Level.WARNING;

import holdfast.log.LibraryLogger;
import java.time.Duration;

/**
 * Logs pressure on a lane when it begins and when it is over, and not in between: it is over when
 * there was none for a while, so bursts that follow each other are one story and not many. Confined
 * to one thread.
 */
final class PressureLog {
  /** How long there must have been no pressure for it to be over. */
  static final Duration QUIET = Duration.ofSeconds(10);

  private static final System.Logger LOG = LibraryLogger.of("tracer");

  private final Lane lane;
  private boolean said;
  private long times;
  private long lastSeen;

  PressureLog(Lane lane) {
    this.lane = lane;
  }

  /** The high watermark was crossed. */
  void raised(long now) {
    times++;
    lastSeen = now;
    if (!said) {
      said = true;
      LOG.log(WARNING, "tracer pressure lane=" + lane + " rings fill faster than they are drained");
    }
  }

  /** How it stands now. */
  void look(boolean isHigh, long now) {
    if (isHigh) {
      lastSeen = now;
    } else if (said && now - lastSeen >= QUIET.toNanos()) {
      said = false;
      LOG.log(INFO, "tracer pressure is over lane=" + lane + " times=" + times);
      times = 0;
    }
  }
}
