package tracer;

import static java.lang.System.Logger.Level.DEBUG;
import static java.lang.System.Logger.Level.INFO;
import static java.lang.System.Logger.Level.WARNING;

import holdfast.ledger.LedgerSnapshot;
import holdfast.lifecycle.Deadline;
import holdfast.lifecycle.Lifecycle;
import holdfast.lifecycle.Threads;
import holdfast.time.TimeSource;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
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
  private static final System.Logger LOG = System.getLogger("tracer");
  private static final Duration AFTER_CLOSING = Duration.ofSeconds(5);

  private final CountDownLatch closed = new CountDownLatch(1);
  private final Lifecycle life = new Lifecycle("Tracer");
  private final TracerBuilder settings;
  private final TimeSource time;
  private final Stages stages;
  private final IndexLane index;
  private final DetailLane detail;
  private final CriticalLane critical;
  private @Nullable Crashes crashes;
  private @Nullable Thread hook;
  private volatile boolean inTime;

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
   * Begins to write what is recorded; does nothing the second time.
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
    close();
    try { // somebody else may be at it, and the JVM must not end before
      Deadline.after(settings.closeTimeout.plus(AFTER_CLOSING), time).await(closed);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
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

  /** Calls {@link #shutdown()}. */
  @Override
  public void close() {
    shutdown();
  }

  /**
   * Takes no more events, writes what is left within the close timeout, drops the rest with a
   * reason, closes the sink and ends. Does nothing the second time. An interrupted caller waits a
   * second at most.
   *
   * @return what was left; for a second caller, what is at that moment
   */
  public CloseReport shutdown() {
    if (closeLife()) {
      Deadline deadline = Deadline.after(settings.closeTimeout, time);
      Crashes capturing = crashes;
      if (capturing != null) {
        capturing.release();
      }
      stages.supply.close();
      stages.producers.close();
      inTime = stages.drain.close(deadline);
      stages.guard.close();
      stages.emergency.close();
      removeHook();
      LOG.log(INFO, "tracer closed " + stages.ledger().toLine());
      closed.countDown();
    }
    return new CloseReport(inTime, stages.ledger());
  }

  /** Not in the middle of a start. */
  private synchronized boolean closeLife() {
    return life.close();
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
