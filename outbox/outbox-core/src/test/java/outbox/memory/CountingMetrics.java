package outbox.memory;

import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import outbox.spi.MetricsExporter;

/** Counts by name. Safe for use by many threads. */
public final class CountingMetrics implements MetricsExporter {
  /** Every lag that was reported, in order. */
  public final Queue<Long> lags = new ConcurrentLinkedQueue<>();

  private final Map<String, AtomicInteger> counts = new ConcurrentHashMap<>();

  /** How often that was counted. */
  public int of(String name) {
    return counts.computeIfAbsent(name, n -> new AtomicInteger()).get();
  }

  private void count(String name) {
    counts.computeIfAbsent(name, n -> new AtomicInteger()).incrementAndGet();
  }

  @Override
  public void incrementHotEnqueued() {
    count("hot");
  }

  @Override
  public void incrementHotDropped() {
    count("dropped");
  }

  @Override
  public void incrementColdEnqueued() {
    count("cold");
  }

  @Override
  public void incrementDispatchSuccess() {
    count("success");
  }

  @Override
  public void incrementDispatchFailure() {
    count("failure");
  }

  @Override
  public void incrementDispatchDead() {
    count("dead");
  }

  @Override
  public void incrementStaleOutcomes() {
    count("stale");
  }

  @Override
  public void incrementReleased() {
    count("released");
  }

  @Override
  public void incrementUnhandled() {
    count("unhandled");
  }

  @Override
  public void recordDispatchNanos(long nanos) {
    count("timed");
  }

  @Override
  public void recordQueueDepths(int hotDepth, int coldDepth) {
    count("depths");
  }

  @Override
  public void recordOldestLagMs(long lagMs) {
    lags.add(lagMs);
  }
}
