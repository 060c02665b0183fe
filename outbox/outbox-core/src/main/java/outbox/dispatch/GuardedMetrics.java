package outbox.dispatch;

import static java.lang.System.Logger.Level.WARNING;

import holdfast.log.LibraryLogger;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import outbox.spi.MetricsExporter;

/**
 * Counts elsewhere, and goes on if that fails: an event must not stay behind because somebody could
 * not count it. The first failure is logged. Safe for use by many threads.
 */
final class GuardedMetrics implements MetricsExporter {
  private static final System.Logger LOG = LibraryLogger.of("outbox");

  private final MetricsExporter metrics;
  private final AtomicBoolean failed = new AtomicBoolean();

  GuardedMetrics(MetricsExporter metrics) {
    this.metrics = metrics;
  }

  private void tell(Consumer<MetricsExporter> what) {
    try {
      what.accept(metrics);
    } catch (RuntimeException e) {
      if (!failed.getAndSet(true)) {
        LOG.log(WARNING, "outbox metrics failed, said once: " + metrics, e);
      }
    }
  }

  @Override
  public void incrementHotEnqueued() {
    tell(MetricsExporter::incrementHotEnqueued);
  }

  @Override
  public void incrementHotDropped() {
    tell(MetricsExporter::incrementHotDropped);
  }

  @Override
  public void incrementColdEnqueued() {
    tell(MetricsExporter::incrementColdEnqueued);
  }

  @Override
  public void incrementDispatchSuccess() {
    tell(MetricsExporter::incrementDispatchSuccess);
  }

  @Override
  public void incrementDispatchFailure() {
    tell(MetricsExporter::incrementDispatchFailure);
  }

  @Override
  public void incrementDispatchDead() {
    tell(MetricsExporter::incrementDispatchDead);
  }

  @Override
  public void recordQueueDepths(int hotDepth, int coldDepth) {
    tell(m -> m.recordQueueDepths(hotDepth, coldDepth));
  }

  @Override
  public void recordOldestLagMs(long lagMs) {
    tell(m -> m.recordOldestLagMs(lagMs));
  }

  @Override
  public void incrementStaleOutcomes() {
    tell(MetricsExporter::incrementStaleOutcomes);
  }

  @Override
  public void incrementLapsedClaims() {
    tell(MetricsExporter::incrementLapsedClaims);
  }

  @Override
  public void incrementReleased() {
    tell(MetricsExporter::incrementReleased);
  }

  @Override
  public void incrementUnhandled() {
    tell(MetricsExporter::incrementUnhandled);
  }

  @Override
  public void recordDispatchNanos(long nanos) {
    tell(m -> m.recordDispatchNanos(nanos));
  }
}
