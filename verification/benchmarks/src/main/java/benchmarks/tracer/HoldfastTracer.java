package benchmarks.tracer;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import tracer.TraceEvent;
import tracer.Tracer;
import tracer.sink.TraceBatch;
import tracer.sink.TraceSink;

/** The tracer with a sink that reads everything. */
final class HoldfastTracer implements Recorder {
  private static final TraceEvent STEP = TraceEvent.named("benchmark.step");

  private final AtomicLong taken = new AtomicLong();
  private final Tracer tracer;
  private final boolean drained;
  private long sum;

  private HoldfastTracer(int producers, int capacity, boolean drained) {
    this.drained = drained;
    this.tracer =
        Tracer.builder((TraceSink) this::read)
            .producers(producers)
            .peakRate(capacity)
            .burstWindow(Duration.ofSeconds(1))
            .largestDetail(100)
            .captureCrashes(false)
            .registerShutdownHook(false)
            .build();
    if (drained) {
      tracer.start();
    }
  }

  /** A tracer for so many threads whose drain runs. */
  static HoldfastTracer drained(int producers, int capacity) {
    return new HoldfastTracer(producers, capacity, true);
  }

  /** A tracer whose drain does not run. */
  static HoldfastTracer stopped(int capacity) {
    return new HoldfastTracer(1, capacity, false);
  }

  private void read(TraceBatch batch) {
    long all = 0;
    while (batch.next()) {
      all += batch.time() + batch.threadId() + batch.eventId() + batch.a() + batch.b();
    }
    sum += all;
    taken.setRelease(taken.getPlain() + batch.size());
  }

  @Override
  public void record(long a, long b) {
    tracer.index().record(STEP, a, b);
  }

  @Override
  public long taken() {
    return taken.get();
  }

  @Override
  public void close() {
    tracer.close();
    long dropped = tracer.ledger().lost();
    Sums.keep(sum);
    if (drained && dropped > 0) {
      throw new IllegalStateException("%d events were dropped".formatted(dropped));
    }
  }
}
