package tracer;

import static java.lang.System.Logger.Level.DEBUG;
import static java.lang.System.Logger.Level.INFO;
import static java.lang.System.Logger.Level.WARNING;

import holdfast.ledger.LedgerSnapshot;
import holdfast.lifecycle.CloseReport;
import holdfast.lifecycle.Closing;
import holdfast.lifecycle.Deadline;
import holdfast.lifecycle.Lifecycle;
import holdfast.lifecycle.Threads;
import holdfast.log.LibraryLogger;
import holdfast.time.TimeSource;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import tracer.lane.Recording;
import tracer.lane.Sizing;
import tracer.sink.TraceSink;

/**
 * Records events of any thread into bounded memory, and writes them to a sink. Recording never
 * waits: when memory is full the oldest events are dropped, and counted with a reason.
 *
 * <pre>{@code
 * private static final TraceEvent PLACED = TraceEvent.named("order.placed");
 *
 * Tracer tracer = Tracer.builder(PerfettoFiles.in(directory)).build();
 * tracer.start();
 * tracer.index().record(PLACED, orderId, cents);
 * tracer.close();
 * }</pre>
 *
 * <p>Safe for use by many threads.
 */
public final class Tracer implements AutoCloseable {
  private static final System.Logger LOG = LibraryLogger.of("tracer");
  private static final Duration AFTER_CLOSING = Duration.ofSeconds(5);

  private final Closing closing = new Closing();
  private final Lifecycle life = new Lifecycle("Tracer");
  private final TracerBuilder settings;
  private final TimeSource time;
  private final TracerParts parts;
  private final EventFilter filter;
  private final IndexLane index;
  private final DetailLane detail;
  private final CriticalLane critical;
  private final FlightRecorder recorder;
  private final RecorderBean bean;
  private final @Nullable JvmEvents jvmEvents;
  private @Nullable Crashes crashes;
  private @Nullable Thread hook;

  Tracer(TracerBuilder settings) {
    this.settings = settings;
    this.time = settings.time;
    this.parts = new TracerParts(settings, this::slow);
    this.filter = new EventFilter(settings.exclusions, settings.recordsNothing);
    this.index = new IndexLane(new Recording(parts.producers, time), filter);
    this.detail = new DetailLane(parts.producers, time, filter);
    this.critical = new CriticalLane(parts, settings);
    this.recorder = new FlightRecorder(parts.drain, critical, settings);
    this.bean = new RecorderBean(recorder);
    Duration atLeast = settings.jvmEvents;
    this.jvmEvents = atLeast == null ? null : new JvmEvents(atLeast, index, time);
  }

  /**
   * Starts a tracer's settings.
   *
   * @param sink where events go; closed by the tracer
   * @return a builder with defaults
   */
  public static TracerBuilder builder(TraceSink sink) {
    return new TracerBuilder(sink);
  }

  /**
   * Returns a tracer that records nothing and has no threads, for where a tracer is asked for and
   * none is wanted. There is one for all: it cannot be closed.
   */
  public static Tracer noop() {
    return Noop.TRACER;
  }

  /** Made when it is asked for. */
  private static final class Noop {
    static final Tracer TRACER = TracerBuilder.noop();
  }

  /**
   * Begins to write what is recorded. Idempotent.
   *
   * @throws IllegalStateException if the tracer is closed
   */
  public synchronized void start() {
    if (settings.recordsNothing || !life.start()) {
      return;
    }
    logSizes();
    parts.drain.start();
    parts.guard.start();
    if (settings.captureCrashes) {
      crashes = Crashes.capture(critical, recorder, parts.sizing.ringBytes());
    }
    if (recorder.keeps()) {
      bean.register();
    }
    if (jvmEvents != null) {
      jvmEvents.start();
    }
    if (settings.registerShutdownHook) {
      register(Threads.daemon("tracer-shutdown").newThread(this::shutDown));
    }
  }

  private void slow(TraceEvent event, long nanos) {
    recorder.dumpSoon("slow span " + event + " took " + Duration.ofNanos(nanos));
  }

  private void register(Thread shutdown) {
    try {
      Runtime.getRuntime().addShutdownHook(shutdown);
      hook = shutdown;
    } catch (IllegalStateException e) {
      LOG.log(DEBUG, "tracer was started while the JVM ends, which will not close it");
    }
  }

  private void logSizes() {
    Sizing sizing = parts.sizing;
    LOG.log(INFO, "tracer started " + settings.toLine(sizing));
    int refused = 0;
    for (Lane lane : Lane.values()) {
      refused += parts.allocator.refused(lane);
    }
    if (refused > 0) {
      LOG.log(
          WARNING,
          "tracer memoryLimit or the heap refuses "
              + refused
              + " of "
              + sizing.rings()
              + " rings; allow "
              + sizing.wantedBytes()
              + " bytes, or lower peakRate, burstWindow or producers");
    }
  }

  private void shutDown() {
    critical.record(Crashes.SHUTDOWN, "the JVM ends");
    // Another thread may be closing, and the JVM must not end before it has.
    close(settings.closeTimeout.plus(AFTER_CLOSING));
  }

  /** The lane of routine events, spans, counters and flows: a kind and up to four numbers. */
  public IndexLane index() {
    return index;
  }

  /** The lane of events with bytes. */
  public DetailLane detail() {
    return detail;
  }

  /** The lane of what explains a crash. */
  public CriticalLane critical() {
    return critical;
  }

  /**
   * Replaces the exclusions. Events of the kinds they contain are neither recorded nor counted on
   * {@link #index()} and {@link #detail()} from now on; other threads see the change within
   * moments.
   */
  public void exclude(Exclusions exclusions) {
    filter.exclude(Objects.requireNonNull(exclusions, "exclusions"));
  }

  /**
   * Has events of a category recorded no longer on {@link #index()} and {@link #detail()}; the same
   * as adding it to the exclusions. Spans that are open end as they would have.
   *
   * @param category the part before the first dot of their names
   */
  public void disableCategory(String category) {
    filter.change(before -> before.category(category));
  }

  /** Has events of a category recorded again, as far as they are not excluded by name. */
  public void enableCategory(String category) {
    filter.change(before -> before.withoutCategory(category));
  }

  /** Returns the exclusions as they are. */
  public Exclusions exclusions() {
    return filter.exclusions();
  }

  /**
   * Waits until the sink has all that was recorded before, also what is in rings that are not full.
   *
   * @param timeout how long to wait at most
   * @return whether it has; false also if the tracer does not run, and from a flight recorder
   * @throws InterruptedException if the calling thread is interrupted
   */
  public boolean flush(Duration timeout) throws InterruptedException {
    return settings.recordsNothing
        || (life.isRunning() && parts.drain.flush(Deadline.after(timeout, time)));
  }

  /**
   * Writes what a flight recorder has in memory to a file, with the reason as a critical event, and
   * waits for it, no longer than {@code closeTimeout}. Each event is in one dump: the next has what
   * came after, and files joined with {@code cat} are one trace.
   *
   * @param file the file to make
   * @param reason why; it is recorded in the file
   * @return what was written
   * @throws IOException if the file is there already, or cannot be written; what is not written
   *     stays in memory
   * @throws InterruptedException if the calling thread is interrupted
   * @throws IllegalStateException if the tracer was not built with {@code keepLast}, or does not
   *     run
   */
  public TraceDump dump(Path file, String reason) throws IOException, InterruptedException {
    Objects.requireNonNull(file, "file");
    return dumped(file, reason);
  }

  /**
   * Writes what a flight recorder has in memory, as {@link #dump(Path, String)} does, to a file
   * that the sink names: with {@code PerfettoFiles}, beside its other traces.
   *
   * @param reason why; it is recorded in the file
   * @return what was written
   * @throws IOException if it cannot be written; what is not written stays in memory
   * @throws InterruptedException if the calling thread is interrupted
   * @throws IllegalStateException if the tracer was not built with {@code keepLast}, or does not
   *     run
   */
  public TraceDump dump(String reason) throws IOException, InterruptedException {
    return dumped(null, reason);
  }

  /** Returns whether events stay in memory until a dump, as {@code keepLast} has it. */
  public boolean isFlightRecorder() {
    return recorder.keeps();
  }

  private TraceDump dumped(@Nullable Path file, String reason)
      throws IOException, InterruptedException {
    if (recorder.keeps() && !life.isRunning()) {
      throw new IllegalStateException(
          "dump needs a tracer that runs, but this one is not started or is closed");
    }
    return recorder.dump(file, reason);
  }

  /** Returns the ledger: recorded = persisted + held + dropped, by reason. */
  public LedgerSnapshot ledger() {
    return parts.ledger();
  }

  /** The counters as they stand. */
  public TracerMetrics metrics() {
    return parts.metrics();
  }

  /** Closes within the time the tracer was built with; see {@link #close(Duration)}. */
  @Override
  public void close() {
    close(settings.closeTimeout);
  }

  /**
   * Takes no more events, writes what is left within the time given, drops the rest with a reason,
   * closes the sink and ends. Idempotent; a concurrent second call waits for the first. An
   * interrupted caller waits a second at most.
   *
   * @param timeout the time for all of it
   * @return what was left behind: {@code stillRunning} is 1 if the sink did not answer in time, and
   *     {@code unwritten} how many events it was given last
   */
  public CloseReport close(Duration timeout) {
    if (settings.recordsNothing) {
      return CloseReport.CLEAN;
    }
    Deadline deadline = Deadline.after(timeout, time);
    return closing.close(deadline, () -> drain(deadline));
  }

  private CloseReport drain(Deadline deadline) {
    closeLife();
    bean.unregister();
    Crashes capturing = crashes;
    if (capturing != null) {
      capturing.release();
    }
    if (jvmEvents != null) {
      jvmEvents.close(deadline);
    }
    parts.allocator.close();
    parts.producers.close();
    boolean inTime = parts.drain.close(deadline);
    parts.guard.close();
    parts.emergency.close();
    removeHook();
    LedgerSnapshot ledger = parts.ledger();
    LOG.log(INFO, "tracer closed " + ledger.toLine());
    return inTime ? CloseReport.CLEAN : new CloseReport(0, 1, ledger.held());
  }

  Duration closeTimeout() {
    return settings.closeTimeout;
  }

  /** Not in the middle of a start. */
  private synchronized void closeLife() {
    life.close();
  }

  private void removeHook() {
    Thread registered = hook;
    if (registered == null || registered.equals(Thread.currentThread())) {
      return;
    }
    try {
      Runtime.getRuntime().removeShutdownHook(registered);
    } catch (IllegalStateException e) {
      // The JVM is ending; the hook runs anyway and finds nothing left to do.
    }
  }
}
