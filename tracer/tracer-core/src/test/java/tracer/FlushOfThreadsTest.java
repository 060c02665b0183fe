package tracer;

import static org.assertj.core.api.Assertions.assertThat;

import holdfast.lifecycle.Threads;
import holdfast.testkit.threads.Together;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import tracer.sink.TraceBatch;
import tracer.sink.TraceSink;

/** After a flush the sink has what any thread recorded before, whatever became of the thread. */
class FlushOfThreadsTest extends TracerFixture {

  /** Keeps the first value of each event. */
  private static final class Values implements TraceSink {
    private final Set<Long> seen = ConcurrentHashMap.newKeySet();

    @Override
    public void write(TraceBatch batch) {
      while (batch.next()) {
        seen.add(batch.value(0));
      }
    }
  }

  private final Values values = new Values();

  /** A tracer with room for all, of whose threads so many have rings of their own. */
  private Tracer tracer(int producers) {
    Tracer tracer =
        Tracer.builder(values)
            .producers(producers)
            .captureCrashes(false)
            .registerShutdownHook(false)
            .build();
    tracer.start();
    return tracer;
  }

  private void assertWritten(Tracer tracer, long value) throws InterruptedException {
    flush(tracer);
    assertThat(values.seen).contains(value);
  }

  @Test
  void ofThreadsThatAreJustEnding() throws Exception {
    try (Tracer tracer = tracer(2)) {
      for (int i = 0; i < 1_000; i++) {
        long value = i;
        CountDownLatch recorded = new CountDownLatch(1);
        Runnable work =
            () -> {
              tracer.index().record(STEP, value);
              recorded.countDown();
            };
        (i % 4 == 0 ? Threads.virtualIfAvailable("virtual") : Threads.daemon("ending"))
            .newThread(work)
            .start();
        assertThat(recorded.await(20, TimeUnit.SECONDS)).isTrue();
        assertWritten(tracer, value); // the thread may have ended or not
      }
      assertThat(tracer.ledger().lost()).isZero();
    }
  }

  @Test
  void ofThreadsThatShareRings() throws Exception {
    AtomicLong next = new AtomicLong();
    try (Tracer tracer = tracer(1)) {
      tracer.index().record(STEP, -1); // has the only rings of its own
      Together.runAll(
          8,
          () -> {
            for (int i = 0; i < 200; i++) {
              long value = next.getAndIncrement();
              tracer.index().record(STEP, value);
              assertWritten(tracer, value);
            }
          });
      assertThat(values.seen).hasSize(1_601);
      assertThat(tracer.ledger().lost()).isZero();
    }
  }

  @Test
  void ofThreadsWhoseRingsFillUpMeanwhile() throws Exception {
    AtomicLong next = new AtomicLong();
    try (Tracer tracer = tracer(2)) {
      Together.runAll(
          4, // some with rings of their own, some without
          () -> {
            for (int i = 0; i < 100; i++) {
              long last = 0;
              for (int j = 0; j < 1_000; j++) {
                last = next.getAndIncrement();
                tracer.index().record(STEP, last);
              }
              assertWritten(tracer, last);
            }
          });
      assertThat(values.seen).hasSize(400_000);
      assertThat(tracer.ledger().lost()).isZero();
    }
  }
}
