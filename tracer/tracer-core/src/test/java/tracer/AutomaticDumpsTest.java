package tracer;

import static org.assertj.core.api.Assertions.assertThat;

import holdfast.time.Alarm;
import holdfast.time.TimeSource;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import tracer.sink.MemorySink;

/** A flight recorder that several threads have dump at the same moment dumps once. */
@Timeout(60)
class AutomaticDumpsTest {
  private static final TraceEvent CHECKOUT = TraceEvent.named("test.checkout");
  private static final Duration SLOW = Duration.ofSeconds(2);
  private static final int ROUNDS = 300;
  private static final int THREADS = 3;

  /** A clock that stands still, and that threads read without waiting for each other. */
  private static final class StandingTime implements TimeSource {
    private static final long LATE = Duration.ofDays(400).toNanos(); // over any pause since zero

    private volatile long nanos = LATE;

    @Override
    public Instant instant() {
      return Instant.EPOCH.plusNanos(nanos);
    }

    @Override
    public long nanoTime() {
      return nanos;
    }

    @Override
    public Alarm newAlarm() {
      return TimeSource.system().newAlarm();
    }
  }

  @Test
  void threadsWhoseSpansAreSlowAtTheSameMomentDumpOnce() throws Exception {
    ExecutorService threads = Executors.newFixedThreadPool(THREADS);
    try {
      for (int round = 0; round < ROUNDS; round++) {
        assertThat(dumpsOfSlowSpans(threads)).as("round %d", round).hasSize(1);
      }
    } finally {
      threads.shutdownNow();
    }
  }

  /** The reasons of all dumps of a tracer that a slow span has asked for. */
  private static List<String> dumpsOfSlowSpans(ExecutorService threads) throws Exception {
    StandingTime time = new StandingTime();
    MemorySink dumped = new MemorySink();
    Tracer tracer =
        Tracer.builder(dumped)
            .time(time)
            .producers(2) // the third thread shares
            .peakRate(400)
            .burstWindow(Duration.ofSeconds(1))
            .largestDetail(100)
            .keepLast(Duration.ofDays(1))
            .dumpPause(Duration.ofDays(300))
            .dumpWhenSlower(CHECKOUT, SLOW)
            .captureCrashes(false)
            .registerShutdownHook(false)
            .build();
    tracer.start();
    AtomicInteger open = new AtomicInteger();
    List<Future<Integer>> done = new ArrayList<>();
    for (int i = 0; i < THREADS; i++) {
      done.add(threads.submit(() -> beSlow(tracer, time, open)));
    }
    for (Future<Integer> one : done) {
      one.get(20, TimeUnit.SECONDS);
    }
    tracer.close();
    return dumped.dumps().values().stream()
        .flatMap(dump -> dump.texts(Lane.CRITICAL).stream())
        .filter(reason -> reason.startsWith("slow span"))
        .toList();
  }

  /** Ends a span that is too slow, at the moment at which the others do. */
  private static int beSlow(Tracer tracer, StandingTime time, AtomicInteger open) {
    TraceSpan span = tracer.index().span(CHECKOUT);
    if (open.incrementAndGet() == THREADS) {
      time.nanos += SLOW.toNanos() + 1;
    }
    long until = System.nanoTime() + SLOW.toNanos();
    while (time.nanos == StandingTime.LATE && System.nanoTime() < until) {
      Thread.onSpinWait(); // those that wait in another way do not end at the same moment
    }
    span.close();
    return 0;
  }
}
