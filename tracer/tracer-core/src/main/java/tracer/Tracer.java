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
import java.time.Duration;
import org.jspecify.annotations.Nullable;
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
  private final Stages stages;
  private final IndexLane index;
  private final DetailLane detail;
  private final CriticalLane critical;
  private @Nullable Crashes crashes;
  private @Nullable Thread hook;

  Tracer(TracerBuilder settings) {
    this.settings = settings;
    this.time = settings.time;
    this.stages = new Stages(settings);
    this.index = new IndexLane(stages.producers, time);
    this.detail = new DetailLane(stages.producers, time);
    this.critical = new CriticalLane(stages, settings);
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
   * Begins to write what is recorded. Idempotent.
   *
   * @throws IllegalStateException if the tracer is closed
   */
  public synchronized void start() {
    if (!life.start()) {
      return;
    }
    logSizes();
    stages.drain.start();
    stages.guard.start();
    if (settings.captureCrashes) {
      crashes = Crashes.capture(critical, stages.sizing.ringBytes());
    }
    if (settings.registerShutdownHook) {
      register(Threads.daemon("tracer-shutdown").newThread(this::shutDown));
    }
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
    Sizing sizing = stages.sizing;
    LOG.log(INFO, "tracer started " + settings.toLine(sizing));
    int refused = 0;
    for (Lane lane : Lane.values()) {
      refused += stages.supply.refused(lane);
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

  /** The lane of routine events: a kind and two or three numbers. */
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
   * Waits until the sink has all that was recorded before, also what is in rings that are not full.
   *
   * @param timeout how long to wait at most
   * @return whether it has; false also if the tracer does not run
   * @throws InterruptedException if the calling thread is interrupted
   */
  public boolean flush(Duration timeout) throws InterruptedException {
    return life.isRunning() && stages.drain.flush(Deadline.after(timeout, time));
  }

  /** Returns the ledger: recorded = persisted + held + dropped, by reason. */
  public LedgerSnapshot ledger() {
    return stages.ledger();
  }

  /** The counters as they stand. */
  public TracerMetrics metrics() {
    return stages.metrics();
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
    Deadline deadline = Deadline.after(timeout, time);
    return closing.close(deadline, () -> drain(deadline));
  }

  private CloseReport drain(Deadline deadline) {
    closeLife();
    Crashes capturing = crashes;
    if (capturing != null) {
      capturing.release();
    }
    stages.supply.close();
    stages.producers.close();
    boolean inTime = stages.drain.close(deadline);
    stages.guard.close();
    stages.emergency.close();
    removeHook();
    LedgerSnapshot ledger = stages.ledger();
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
