package tracer;

import holdfast.lifecycle.Deadline;
import holdfast.time.TimeSource;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import tracer.drain.Drain;

/**
 * Dumps what a tracer keeps in memory: when asked, and by itself when something went wrong. Safe
 * for use by many threads.
 */
final class FlightRecorder implements FlightRecorderMXBean {
  static final TraceEvent DUMP = TraceEvent.named("tracer.dump");

  private final boolean keeps;
  private final Drain drain;
  private final CriticalLane critical;
  private final TimeSource time;
  private final Duration timeout;
  private final long pause;
  private final AtomicLong lastByItself;

  FlightRecorder(Drain drain, CriticalLane critical, TracerBuilder settings) {
    this.keeps = settings.keeps();
    this.drain = drain;
    this.critical = critical;
    this.time = settings.time;
    this.timeout = settings.closeTimeout;
    this.pause = settings.dumpPause.toNanos();
    this.lastByItself = new AtomicLong(time.nanoTime() - pause); // the first need not wait
  }

  /** Whether events stay in memory until a dump. */
  boolean keeps() {
    return keeps;
  }

  /** Writes what is in memory, and waits for it. */
  TraceDump dump(@Nullable Path file, String reason) throws IOException, InterruptedException {
    Objects.requireNonNull(reason, "reason");
    if (!keeps) {
      throw new IllegalStateException(
          "dump needs a tracer that keeps events in memory, but this one writes them to its sink"
              + " as they come; build it with keepLast(...)");
    }
    critical.record(DUMP, reason);
    return drain.dump(file, reason, Deadline.after(timeout, time));
  }

  /**
   * Has what is in memory written soon, if this is a flight recorder, and it did not dump by itself
   * within the pause. Does not wait.
   */
  void dumpSoon(String reason) {
    if (keeps && isAllowed()) {
      critical.record(DUMP, reason);
      drain.dumpSoon(reason);
    }
  }

  /** Of threads that ask at the same moment one alone is allowed to. */
  private boolean isAllowed() {
    long now = time.nanoTime();
    long last = lastByItself.get();
    return now - last >= pause && lastByItself.compareAndSet(last, now);
  }

  @Override
  public String dump(String file, String reason) throws IOException, InterruptedException {
    Path given = file.isBlank() ? null : Path.of(file);
    return dump(given, reason).file().toString();
  }
}
