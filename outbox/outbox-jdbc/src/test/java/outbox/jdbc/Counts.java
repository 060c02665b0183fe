package outbox.jdbc;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import outbox.spi.MetricsExporter;

/** Counts what happens, for tests to read. Safe for use by many threads. */
class Counts implements MetricsExporter {
  final AtomicInteger hotEnqueued = new AtomicInteger();
  final AtomicInteger hotDropped = new AtomicInteger();
  final AtomicInteger coldEnqueued = new AtomicInteger();
  final AtomicInteger success = new AtomicInteger();
  final AtomicInteger failure = new AtomicInteger();
  final AtomicInteger dead = new AtomicInteger();
  final AtomicInteger stale = new AtomicInteger();
  final AtomicInteger lapsed = new AtomicInteger();
  final AtomicInteger released = new AtomicInteger();
  final AtomicInteger deepestCold = new AtomicInteger();
  final AtomicLong lagMs = new AtomicLong(-1);
  final AtomicInteger lagRecords = new AtomicInteger();

  @Override
  public void incrementHotEnqueued() {
    hotEnqueued.incrementAndGet();
  }

  @Override
  public void incrementHotDropped() {
    hotDropped.incrementAndGet();
  }

  @Override
  public void incrementColdEnqueued() {
    coldEnqueued.incrementAndGet();
  }

  @Override
  public void incrementDispatchSuccess() {
    success.incrementAndGet();
  }

  @Override
  public void incrementDispatchFailure() {
    failure.incrementAndGet();
  }

  @Override
  public void incrementDispatchDead() {
    dead.incrementAndGet();
  }

  @Override
  public void recordQueueDepths(int hotDepth, int coldDepth) {
    deepestCold.accumulateAndGet(coldDepth, Math::max);
  }

  @Override
  public void recordOldestLagMs(long ms) {
    lagMs.set(ms);
    lagRecords.incrementAndGet();
  }

  @Override
  public void incrementStaleOutcomes() {
    stale.incrementAndGet();
  }

  @Override
  public void incrementLapsedClaims() {
    lapsed.incrementAndGet();
  }

  @Override
  public void incrementReleased() {
    released.incrementAndGet();
  }
}
