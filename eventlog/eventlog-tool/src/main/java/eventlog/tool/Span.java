package eventlog.tool;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** The earliest and the latest of some moments. Not safe for use by many threads. */
final class Span {
  private @Nullable Instant oldest;
  private @Nullable Instant newest;

  void add(Instant moment) {
    if (oldest == null || moment.isBefore(oldest)) {
      oldest = moment;
    }
    if (newest == null || moment.isAfter(newest)) {
      newest = moment;
    }
  }

  @Nullable Instant oldest() {
    return oldest;
  }

  @Nullable Instant newest() {
    return newest;
  }
}
