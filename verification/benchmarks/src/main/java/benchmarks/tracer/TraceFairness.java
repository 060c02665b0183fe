package benchmarks.tracer;

import holdfast.ledger.LedgerSnapshot;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import tracer.TraceEvent;
import tracer.Tracer;
import tracer.sink.TraceBatch;
import tracer.sink.TraceSink;

/**
 * Whose events survive when 64 threads record more than the sink takes: first all as much, then one
 * a hundred times as much as the others. For one thread.
 */
final class TraceFairness {
  private static final int THREADS = 64;
  private static final int PER_TICK = 20;
  private static final int GREED = 100;
  private static final long TICK = TimeUnit.MILLISECONDS.toNanos(2);
  private static final TraceEvent STEP = TraceEvent.named("benchmark.step");

  private final Duration length;

  TraceFairness(Duration length) {
    this.length = length;
  }

  /** Takes about a third of what is offered. */
  private static final class SlowSink implements TraceSink {
    private final long[] taken = new long[THREADS];
    private final long nanosPerEvent;

    SlowSink(long nanosPerEvent) {
      this.nanosPerEvent = nanosPerEvent;
    }

    @Override
    public void write(TraceBatch batch) {
      long until = System.nanoTime() + batch.size() * nanosPerEvent;
      while (batch.next()) {
        taken[(int) batch.a()]++;
      }
      for (long wait = until - System.nanoTime(); wait > 0; wait = until - System.nanoTime()) {
        LockSupport.parkNanos(wait);
      }
    }
  }

  String run() throws InterruptedException {
    return measured("all alike", 1) + measured("one a hundred times as much", GREED);
  }

  private String measured(String what, int greed) throws InterruptedException {
    long perSecond = TimeUnit.SECONDS.toNanos(1) / TICK * PER_TICK * (THREADS - 1 + greed);
    SlowSink sink = new SlowSink(3 * TimeUnit.SECONDS.toNanos(1) / perSecond);
    Tracer tracer =
        Tracer.builder(sink)
            .producers(THREADS)
            .peakRate(perSecond / 4)
            .burstWindow(Duration.ofSeconds(1))
            .largestDetail(100)
            .captureCrashes(false)
            .registerShutdownHook(false)
            .build();
    tracer.start();
    long[] offered = new long[THREADS];
    List<Thread> threads = new ArrayList<>();
    for (int i = 0; i < THREADS; i++) {
      int number = i;
      int perTick = i == 0 ? PER_TICK * greed : PER_TICK;
      Thread thread = new Thread(() -> offered[number] = offer(tracer, number, perTick));
      threads.add(thread);
      thread.start();
    }
    for (Thread thread : threads) {
      thread.join();
    }
    tracer.close();
    LedgerSnapshot ledger = tracer.ledger();
    double[] shares = new double[THREADS];
    Arrays.setAll(shares, i -> (double) sink.taken[i] / offered[i]);
    double[] modest = Arrays.copyOfRange(shares, 1, THREADS);
    Arrays.sort(modest);
    return "%s: offered %,d, dropped %.0f %%; Jain %.3f of all, %.3f of threads 2 to 64, of which %.0f %% to %.0f %% arrived; of thread 1 %.0f %%%n"
        .formatted(
            what,
            ledger.accepted(),
            100.0 * ledger.lost() / ledger.accepted(),
            jain(shares),
            jain(modest),
            100 * modest[0],
            100 * modest[modest.length - 1],
            100 * shares[0]);
  }

  private long offer(Tracer tracer, int number, int perTick) {
    long ticks = length.toNanos() / TICK;
    long startedAt = System.nanoTime();
    for (long tick = 0; tick < ticks; tick++) {
      long due = startedAt + tick * TICK;
      for (long wait = due - System.nanoTime(); wait > 0; wait = due - System.nanoTime()) {
        LockSupport.parkNanos(wait);
      }
      for (int i = 0; i < perTick; i++) {
        tracer.index().record(STEP, number, tick);
      }
    }
    return ticks * perTick;
  }

  /** One if all have the same, 1/n if one has everything. */
  private static double jain(double[] shares) {
    double sum = Arrays.stream(shares).sum();
    double squares = Arrays.stream(shares).map(share -> share * share).sum();
    return sum * sum / (shares.length * squares);
  }
}
