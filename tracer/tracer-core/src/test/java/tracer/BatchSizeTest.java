package tracer;

import static org.assertj.core.api.Assertions.assertThat;

import holdfast.testkit.threads.Eventually;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import tracer.sink.TraceBatch;
import tracer.sink.TraceSink;

/** However large a ring is, the sink has it in batches of 256 KiB, each taken once. */
class BatchSizeTest extends TracerFixture {
  private static final int MOST_BYTES = 256 * 1024;
  private static final int EVENT_BYTES = 40;
  private static final int EVENTS = 20_000;

  /** Fails in some calls, and keeps what it has taken in the others. */
  private static final class FailingSink implements TraceSink {
    final List<Integer> sizes = new ArrayList<>();
    final List<Long> values = new ArrayList<>();
    final AtomicInteger calls = new AtomicInteger();
    private final int failsFrom;
    private final int failsUntil;

    FailingSink(int failsFrom, int failsUntil) {
      this.failsFrom = failsFrom;
      this.failsUntil = failsUntil;
    }

    @Override
    public void write(TraceBatch batch) throws IOException {
      int call = calls.getAndIncrement();
      if (call >= failsFrom && call < failsUntil) {
        throw new IOException("told to fail");
      }
      sizes.add(batch.size());
      while (batch.next()) {
        values.add(batch.length() > 0 ? -1L : batch.a());
      }
    }
  }

  /** Rings of a megabyte. */
  private Tracer largeRings(TraceSink to) {
    return withLargeRings(to).build();
  }

  private TracerBuilder withLargeRings(TraceSink to) {
    return Tracer.builder(to)
        .producers(1)
        .peakRate(100_000)
        .burstWindow(Duration.ofSeconds(1))
        .largestDetail(2 * MOST_BYTES)
        .emergencyFile(directory.resolve("emergency.log"))
        .captureCrashes(false)
        .registerShutdownHook(false);
  }

  private static void await(CountDownLatch latch) {
    try {
      assertThat(latch.await(20, TimeUnit.SECONDS)).isTrue();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  @Test
  void aBatchThatFailsComesAgainAndThoseBeforeItDoNot() {
    FailingSink failing = new FailingSink(2, 4);
    Tracer tracer = largeRings(failing);
    record(tracer, 0, EVENTS);
    tracer.start();
    Eventually.await("the sink has failed twice", () -> failing.calls.get() > 4);
    tracer.close();

    assertThat(failing.values).isEqualTo(range(0, EVENTS));
    assertThat(failing.sizes).hasSize(4).allMatch(size -> size * EVENT_BYTES <= MOST_BYTES);
    assertThat(tracer.ledger().toLine())
        .isEqualTo("tracer accepted=20000 delivered=20000 held=0 lost=0 unaccounted=0");
  }

  @Test
  void whatIsLeftOfARingIsLostIfTheSinkFailsUntilTheEnd() {
    FailingSink failing = new FailingSink(2, Integer.MAX_VALUE);
    Tracer tracer = largeRings(failing);
    record(tracer, 0, EVENTS);
    tracer.start();
    Eventually.await("the sink has failed", () -> failing.calls.get() > 2);
    tracer.close(Duration.ofMillis(100));

    Eventually.await("all is accounted for", () -> tracer.ledger().held() == 0);
    assertThat(failing.values).isEqualTo(range(0, failing.values.size()));
    assertThat(tracer.ledger().delivered()).isEqualTo(failing.values.size()).isPositive();
    assertThat(tracer.ledger().lost()).isEqualTo(EVENTS - failing.values.size());
  }

  @Test
  void anEventThatIsLargerIsABatchOfItsOwn() {
    FailingSink none = new FailingSink(0, 0);
    Tracer tracer = largeRings(none);
    tracer.detail().record(NOTE, "first");
    tracer.detail().record(NOTE, new byte[MOST_BYTES + 1]);
    tracer.detail().record(NOTE, "last");
    tracer.start();
    tracer.close();

    assertThat(none.sizes).containsExactly(1, 1, 1);
    assertThat(tracer.ledger().lost()).isZero();
  }

  @Test
  void theSinkLagsIfAllBatchesOfARingTakeLongerThanItTakesToFill() {
    CountDownLatch isSlow = new CountDownLatch(1);
    CountDownLatch goOn = new CountDownLatch(1);
    AtomicInteger calls = new AtomicInteger();
    TraceSink slow =
        batch -> {
          time.advance(Duration.ofMillis(100)); // a ring of 25,000 events takes 250 ms to fill
          if (calls.incrementAndGet() == 3) {
            isSlow.countDown();
            await(goOn);
          }
        };
    Tracer tracer = withLargeRings(slow).time(time).diskSlowAfter(Duration.ofDays(1)).build();
    record(tracer, 0, 100_000);
    assertThat(tracer.ledger().lost()).isZero();
    tracer.start();
    await(isSlow);
    record(tracer, 0, 1);
    goOn.countDown();
    tracer.close();

    assertThat(dropped(tracer, Lane.INDEX, DropReason.ENCODER_LAG)).isEqualTo(25_000);
    assertThat(tracer.ledger().lost()).isEqualTo(25_000);
  }
}
