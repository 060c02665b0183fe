package tracer;

import static java.lang.System.Logger.Level.WARNING;
import static tracer.ArgumentType.INTERNED_STRING;

import holdfast.log.LibraryLogger;
import holdfast.time.TimeSource;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import jdk.jfr.consumer.RecordedClass;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordedThread;
import jdk.jfr.consumer.RecordingStream;
import org.jspecify.annotations.Nullable;

/**
 * Garbage collections, safepoints and parked threads, as the flight recorder of the JVM reports
 * them: about a second later, with the times at which they began and ended. They become
 * asynchronous spans, as they were not on the thread that records them. One thread of the JVM calls
 * it.
 */
final class JvmEventStream implements AutoCloseable {
  static final TraceEvent COLLECTION =
      TraceEvent.named("jvm.gc")
          .arg("collector", INTERNED_STRING)
          .arg("cause", INTERNED_STRING)
          .arg("paused_us", ArgumentType.LONG);
  static final TraceEvent SAFEPOINT =
      TraceEvent.named("jvm.safepoint")
          .arg("operation", INTERNED_STRING)
          .arg("reached_after_us", ArgumentType.LONG);
  static final TraceEvent PARKED =
      TraceEvent.named("jvm.park").arg("thread", INTERNED_STRING).arg("blocker", INTERNED_STRING);

  private static final System.Logger LOG = LibraryLogger.of("tracer");
  private static final Duration LAST_WAIT = Duration.ofSeconds(1);
  private static final String OWN_THREADS = "tracer-";
  private static final String OTHER = "other";

  /** Strings are kept for good and others need them, too; an application may name many threads. */
  private static final int MOST_THREADS = 1_000;

  private static final int MOST_READINGS = 10;
  private static final long CLOSE_ENOUGH = Duration.ofNanos(100_000).toNanos();
  private static final long MOST_BYTES_ON_DISK = 16L * 1024 * 1024;

  private final Duration atLeast;
  private final IndexLane index;
  private final TimeSource time;
  private final RecordingStream stream;
  private final AtomicBoolean hasFailed = new AtomicBoolean();
  private final Set<String> threads = new HashSet<>();
  private long spans;

  /** The safepoint that was reached last; only one can be. */
  private long safepoint = -1;

  private @Nullable Instant safepointBegan;
  private Duration reachedAfter = Duration.ZERO;
  private String operation = "";

  /**
   * Opens the flight recorder of the JVM.
   *
   * @throws RuntimeException if it cannot be used in this JVM
   */
  JvmEventStream(Duration atLeast, IndexLane index, TimeSource time) {
    this.atLeast = atLeast;
    this.index = index;
    this.time = time;
    this.stream = new RecordingStream();
    stream.setMaxSize(MOST_BYTES_ON_DISK);
    stream.enable("jdk.GarbageCollection").withThreshold(atLeast);
    // Begin and end are events of their own: what is between them is compared with atLeast.
    stream.enable("jdk.SafepointBegin").withThreshold(Duration.ZERO);
    stream.enable("jdk.ExecuteVMOperation").withThreshold(Duration.ZERO);
    stream.enable("jdk.SafepointEnd").withThreshold(Duration.ZERO);
    stream.enable("jdk.ThreadPark").withThreshold(atLeast).withoutStackTrace();
    stream.onEvent("jdk.GarbageCollection", this::collected);
    stream.onEvent("jdk.SafepointBegin", this::safepointBegan);
    stream.onEvent("jdk.ExecuteVMOperation", this::operated);
    stream.onEvent("jdk.SafepointEnd", this::safepointEnded);
    stream.onEvent("jdk.ThreadPark", this::parked);
    stream.onError(this::failed);
  }

  void start() {
    stream.startAsync();
  }

  /**
   * Ends it, and waits a moment for an event that is being recorded: both its begin and its end.
   */
  @Override
  public void close() {
    stream.close();
    try {
      stream.awaitTermination(LAST_WAIT);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void failed(Throwable cause) {
    if (hasFailed.compareAndSet(false, true)) {
      LOG.log(
          WARNING, "tracer could not record an event of the JVM; later failures are silent", cause);
    }
  }

  private void collected(RecordedEvent event) {
    record(
        COLLECTION,
        event.getStartTime(),
        event.getEndTime(),
        TraceValue.of(event.getString("name")),
        TraceValue.of(event.getString("cause")),
        micros(event.getDuration("sumOfPauses")));
  }

  private void safepointBegan(RecordedEvent event) {
    safepoint = event.getLong("safepointId");
    safepointBegan = event.getStartTime();
    reachedAfter = event.getDuration();
    operation = "";
  }

  private void operated(RecordedEvent event) {
    if (event.getBoolean("safepoint") && event.getLong("safepointId") == safepoint) {
      operation = event.getString("operation");
    }
  }

  private void safepointEnded(RecordedEvent event) {
    Instant began = safepointBegan;
    if (began == null || event.getLong("safepointId") != safepoint) {
      return; // it began before this stream did
    }
    safepointBegan = null;
    if (Duration.between(began, event.getEndTime()).compareTo(atLeast) >= 0) {
      record(SAFEPOINT, began, event.getEndTime(), TraceValue.of(operation), micros(reachedAfter));
    }
  }

  private void parked(RecordedEvent event) {
    RecordedThread thread = event.getThread();
    String name = thread == null || thread.getJavaName() == null ? "" : thread.getJavaName();
    if (name.startsWith(OWN_THREADS)) {
      return; // they wait for something to do
    }
    RecordedClass blocker = event.getClass("parkedClass");
    record(
        PARKED,
        event.getStartTime(),
        event.getEndTime(),
        TraceValue.of(known(name)),
        TraceValue.of(blocker == null ? "" : blocker.getName()));
  }

  private String known(String thread) {
    if (threads.contains(thread)) {
      return thread;
    }
    return threads.size() < MOST_THREADS && threads.add(thread) ? thread : OTHER;
  }

  /** The JVM tells the time of day, which may be set; so it is compared with what it is now. */
  private void record(TraceEvent kind, Instant began, Instant ended, long... values) {
    long now = index.now();
    Instant today = time.instant();
    // A pause of this thread between the two clocks would move the span by as much.
    for (int i = 0; i < MOST_READINGS && index.now() - now > CLOSE_ENOUGH; i++) {
      now = index.now();
      today = time.instant();
    }
    spans++;
    index.recordAsync(kind, spans, at(began, today, now), at(ended, today, now), values);
  }

  private static long at(Instant then, Instant today, long now) {
    return now - ChronoUnit.NANOS.between(then, today);
  }

  private static long micros(Duration duration) {
    return duration.toNanos() / 1_000;
  }
}
