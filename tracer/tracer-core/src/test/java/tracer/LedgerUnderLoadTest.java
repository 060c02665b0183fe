package tracer;

import static org.assertj.core.api.Assertions.assertThat;

import holdfast.ledger.LedgerSnapshot;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import tracer.sink.TraceSink;

/** While events move, the ledger is off by no more than it says, and that is bounded. */
@Timeout(120)
class LedgerUnderLoadTest {
  private static final TraceEvent STEP = TraceEvent.named("load.step");
  private static final int THREADS = 4;

  /** What may move during one reading, as the page on the tracer says. */
  private static final long DURING_A_READING = 1000;

  /** The least bytes of an event, and the usual ones. */
  private static final long LEAST_BYTES = 16;

  private static final long VALUE_BYTES = 40;

  private volatile boolean stopping;

  private List<Thread> recording(Tracer tracer) {
    List<Thread> threads = new ArrayList<>();
    for (int i = 0; i < THREADS; i++) {
      byte[] bytes = new byte[40];
      Thread thread =
          new Thread(
              () -> {
                for (long k = 0; !stopping; k++) {
                  tracer.index().record(STEP, k, k);
                  if (k % 16 == 0) {
                    tracer.detail().record(STEP, bytes);
                  }
                }
              });
      thread.start();
      threads.add(thread);
    }
    return threads;
  }

  private void readUnderLoad(TraceSink sink, long peakRate, int readings) throws Exception {
    Tracer tracer =
        Tracer.builder(sink)
            .producers(2) // so that some of them share
            .peakRate(peakRate)
            .burstWindow(Duration.ofSeconds(1))
            .largestDetail(100)
            .flushInterval(Duration.ofMillis(1))
            .captureCrashes(false)
            .registerShutdownHook(false)
            .build();
    tracer.start();
    // The rings that are being moved: one of the drain, and one of each thread that records.
    long ringBytes = (peakRate / (4 * 2) + 1) * VALUE_BYTES;
    long most = DURING_A_READING + (1 + THREADS) * (ringBytes / LEAST_BYTES);
    List<Thread> threads = recording(tracer);
    try {
      for (int i = 0; i < readings; i++) {
        LedgerSnapshot ledger = tracer.ledger();
        assertThat(Math.abs(ledger.unaccounted()))
            .as(ledger.toLine())
            .isLessThanOrEqualTo(ledger.inTransit() + THREADS);
        assertThat(ledger.inTransit()).as(ledger.toLine()).isBetween(0L, most);
        assertThat(ledger.held()).as(ledger.toLine()).isNotNegative();
      }
    } finally {
      stopping = true;
      for (Thread thread : threads) {
        thread.join();
      }
      tracer.close();
    }
    LedgerSnapshot end = tracer.ledger();
    assertThat(end.isAccountedFor()).as(end.toLine()).isTrue();
    assertThat(end.inTransit()).isZero();
  }

  @Test
  void whatIsOffIsInTransit() throws Exception {
    readUnderLoad(batch -> {}, 400_000, 3000);
  }

  @Test
  void alsoWithRingsThatAreFullInAnInstant() throws Exception {
    readUnderLoad(batch -> {}, 200, 3000);
  }

  @Test
  void alsoWhileASlowSinkHasMostDropped() throws Exception {
    TraceSink slow =
        batch -> {
          long sum = 0;
          while (batch.next()) {
            sum += Long.toString(batch.time()).hashCode();
          }
          assertThat(sum).isNotEqualTo(1);
        };
    readUnderLoad(slow, 40_000, 3000);
  }
}
