package failover.spring.boot;

import failover.FailoverOutcome.Kind;
import failover.FailoverSpec;
import failover.Failovers;
import failover.Failovers.PointCounts;
import failover.observe.FailoverLifecycleListener;
import failover.observe.internal.FailoverMeter;
import failover.store.FailoverStore;
import failover.store.FailoverStore.FailoverStoreSizeAware;
import failover.store.encryption.UnreadableContentException.Reason;
import holdfast.log.LibraryLogger;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.MeterBinder;
import java.lang.System.Logger.Level;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.ObjectProvider;

/**
 * The numbers of failover in Micrometer registries, by the names in {@link FailoverMeter}. Points
 * beyond the bound have no meters. Safe for use by many threads.
 */
final class FailoverMeters implements MeterBinder, FailoverLifecycleListener {
  private static final System.Logger LOGGER = LibraryLogger.of("failover");

  /** How many ways in which writes fail are told apart. */
  private static final int WRITES_TOLD_APART = 2;

  private final ObjectProvider<Failovers> failovers;
  private final ObjectProvider<FailoverStore> store;
  private final MeterSet meters;
  private final int maxPoints;
  private final Map<String, PointMeters> points = new ConcurrentHashMap<>();
  private final Map<String, FewKinds> writes = new ConcurrentHashMap<>(); // by effective names
  private final AtomicInteger registered = new AtomicInteger();
  private final AtomicBoolean warned = new AtomicBoolean();

  FailoverMeters(
      ObjectProvider<Failovers> failovers,
      ObjectProvider<FailoverStore> store,
      StoreEncryption encryption,
      MeterSet meters,
      int maxPoints) {
    this.failovers = failovers;
    this.store = store;
    this.meters = meters;
    this.maxPoints = maxPoints;
    meters.gauge(FailoverMeter.REGISTERED, registered::get);
    meters.counted(FailoverMeter.DROPPED_EVENTS, () -> failovers.getObject().droppedEvents());
    for (Reason reason : Reason.values()) {
      meters.counted(FailoverMeter.UNREADABLE, () -> encryption.unreadable(reason), reason.code());
    }
  }

  @Override
  public void bindTo(MeterRegistry registry) {
    meters.bindTo(registry);
  }

  @Override
  public synchronized void registered(FailoverSpec<?> spec) {
    registered.incrementAndGet();
    if (points.size() >= maxPoints) {
      if (warned.compareAndSet(false, true)) {
        LOGGER.log(
            Level.WARNING,
            "failover points have no meters, there are more than"
                + " failover.observable.cardinality.max-apis="
                + maxPoints);
      }
      return;
    }
    points.put(spec.name(), new PointMeters(spec, meters));
    String name = spec.name();
    String domain = spec.effectiveName();
    writes.putIfAbsent(
        domain, new FewKinds(meters, FailoverMeter.ASYNC_FAILURES, domain, WRITES_TOLD_APART));
    meters.gauge(FailoverMeter.HEALTH, () -> count(name, PointCounts::health, 1), name, domain);
    meters.gauge(FailoverMeter.STALE_RATIO, () -> count(name, PointCounts::stale, 0), name, domain);
    meters.gauge(
        FailoverMeter.EXPIRY,
        () -> spec.expiry().lengthFrom(Instant.EPOCH).toMillis() / 1_000.0,
        name,
        domain,
        spec.expiry().unit().name());
    if (store.getIfAvailable() instanceof FailoverStoreSizeAware aware
        && aware.liveEntryCountSupported()) {
      meters.gauge(FailoverMeter.LIVE_ENTRIES, () -> aware.liveEntryCount(domain), name, domain);
    }
  }

  private double count(String name, ToDoubleFunction<PointCounts> what, double ifNone) {
    PointCounts counts = failovers.getObject().counts().get(name);
    return counts == null ? ifNone : what.applyAsDouble(counts);
  }

  private @Nullable PointMeters of(FailoverSpec<?> spec) {
    return points.get(spec.name());
  }

  @Override
  public void upstream(FailoverSpec<?> spec, boolean answered, long nanos) {
    PointMeters point = of(spec);
    if (point != null) {
      point.upstream(answered, nanos);
    }
  }

  @Override
  public void stored(FailoverSpec<?> spec, boolean kept, long nanos) {
    PointMeters point = of(spec);
    if (point != null) {
      point.stored(kept, nanos);
    }
  }

  @Override
  public void recovered(
      FailoverSpec<?> spec,
      Throwable cause,
      boolean found,
      @Nullable Throwable trouble,
      long nanos) {
    PointMeters point = of(spec);
    if (point != null) {
      point.recovered(cause, found, trouble, nanos);
    }
  }

  @Override
  public void recoveredPartially(FailoverSpec<?> spec, int missing, int total) {
    PointMeters point = of(spec);
    if (point != null) {
      point.recoveredPartially();
    }
  }

  @Override
  public void ended(FailoverSpec<?> spec, Kind kind, boolean gotValue) {
    PointMeters point = of(spec);
    if (point != null) {
      point.ended(kind == Kind.LIVE, gotValue);
    }
  }

  @Override
  public void writeFailed(String name, String operation, String why) {
    FewKinds kinds = writes.get(name);
    if (kinds != null) {
      kinds.of(List.of(operation, why)).increment();
    }
  }
}
