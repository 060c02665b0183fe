package tracer;

import static org.assertj.core.api.Assertions.assertThat;

import holdfast.ledger.LedgerSnapshot;
import holdfast.testkit.log.CapturedLog;
import holdfast.testkit.time.SettableTime;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import tracer.sink.DataLoss;
import tracer.sink.MemorySink;

/**
 * The law under random operations: whatever the sink and the clock do, and whenever the tracer is
 * closed, every event is with the sink once, in the emergency file, or counted as dropped; and the
 * ledger, the lanes and the marks say the same.
 */
@Timeout(3600)
class LawTest {
  private static final TraceEvent STEP = TraceEvent.named("law.step");
  private static final int SHORT = 100;
  private static final int LONG = 20_000;

  @TempDir Path directory;

  private final CapturedLog log = new CapturedLog("tracer");

  @AfterEach
  void stopListening() {
    log.close();
  }

  /** One life of a tracer, decided by a seed. */
  private static final class Life {
    final Random random;
    final MemorySink sink = new MemorySink();
    final SettableTime time = new SettableTime();
    final Tracer tracer;
    long index;
    long detail;
    long critical;

    Life(long seed, Path directory) {
      this.random = new Random(seed);
      int producers = 1 + random.nextInt(3);
      TracerBuilder builder =
          Tracer.builder(sink)
              .time(time)
              .producers(producers)
              .spareRings(Lane.INDEX, 1 + random.nextInt(3))
              .spareRings(Lane.DETAIL, 1 + random.nextInt(2))
              .spareRings(Lane.CRITICAL, 1 + random.nextInt(2))
              .peakRate(200 + random.nextInt(300))
              .burstWindow(Duration.ofSeconds(1))
              .largestDetail(100)
              .submitQueueCapacity(1 + random.nextInt(12))
              .diskSlowAfter(Duration.ofMillis(500))
              .emergencyFile(
                  random.nextBoolean() ? directory.resolve("emergency-" + seed) : directory)
              .emergencyWait(Duration.ofSeconds(10))
              .closeTimeout(Duration.ofSeconds(60))
              .captureCrashes(false)
              .registerShutdownHook(false);
      this.tracer = builder.build();
    }

    void operate() throws InterruptedException {
      switch (random.nextInt(12)) {
        case 0 -> tracer.start();
        case 1 -> sink.fail(random.nextBoolean());
        case 2 -> time.advance(Duration.ofMillis(random.nextInt(1500)));
        case 3 -> TracerFixture.onAnotherThread(this::record);
        case 4 -> checkNow();
        case 5 -> {
          for (int i = 0; i < 3; i++) {
            byte[] bytes = new byte[random.nextInt(100)];
            tracer.critical().record(STEP, bytes);
            critical++;
          }
        }
        default -> record();
      }
    }

    private void record() {
      int count = random.nextInt(80);
      for (int i = 0; i < count; i++) {
        if (random.nextInt(3) > 0) {
          tracer.index().record(STEP, index++, i);
        } else {
          tracer.detail().record(STEP, detail++ + ":" + "x".repeat(random.nextInt(60)));
        }
      }
    }

    /** At any moment: no more out than in. */
    private void checkNow() {
      LedgerSnapshot ledger = tracer.ledger();
      assertThat(ledger.held()).as(ledger.toLine()).isNotNegative();
      assertThat(ledger.accepted()).isEqualTo(index + detail + critical);
    }

    void run() throws InterruptedException {
      int operations = 5 + random.nextInt(60);
      for (int i = 0; i < operations; i++) {
        operate();
      }
      sink.fail(false);
      // A sink that has failed is tried again when time passes.
      Thread closing = new Thread(tracer::close);
      closing.start();
      while (closing.isAlive()) {
        time.advance(Duration.ofMillis(100));
        closing.join(1);
      }
      check();
    }

    private void check() {
      LedgerSnapshot ledger = tracer.ledger();
      String what = ledger.toLine();
      assertThat(ledger.isAccountedFor()).as(what).isTrue();
      assertThat(ledger.held()).as(what).isZero();
      assertThat(ledger.accepted()).as(what).isEqualTo(index + detail + critical);
      check(Lane.INDEX, index, true);
      check(Lane.DETAIL, detail, true);
      check(Lane.CRITICAL, critical, false);
      assertThat(sink.losses().stream().mapToLong(DataLoss::count).sum())
          .as(what)
          .isEqualTo(ledger.lost());
      assertOnce(sink.firstValues(Lane.INDEX));
      assertOnce(
          sink.texts(Lane.DETAIL).stream()
              .map(text -> Long.parseLong(text.substring(0, text.indexOf(':'))))
              .toList());
      assertThat(tracer.metrics().submitQueueSize()).isZero();
    }

    private void check(Lane lane, long recorded, boolean allWithSink) {
      LaneMetrics metrics = tracer.metrics().lane(lane);
      assertThat(metrics.eventsWritten()).isEqualTo(recorded);
      assertThat(metrics.eventsPersisted() + metrics.eventsDropped())
          .as(metrics.toString())
          .isEqualTo(recorded);
      if (allWithSink) {
        assertThat(sink.events(lane)).hasSize((int) metrics.eventsPersisted());
      }
    }

    private static void assertOnce(List<Long> numbers) {
      Set<Long> distinct = new HashSet<>(numbers);
      assertThat(distinct).hasSameSizeAs(numbers);
    }
  }

  private void live(long first, int count) throws InterruptedException {
    List<Long> seeds = new ArrayList<>();
    for (long seed = first; seed < first + count; seed++) {
      seeds.add(seed);
    }
    for (long seed : seeds) {
      try {
        new Life(seed, directory).run();
      } catch (RuntimeException | AssertionError e) {
        throw new AssertionError("seed " + seed, e);
      }
    }
  }

  @Test
  void whateverHappensNothingVanishes() throws InterruptedException {
    live(0, SHORT);
  }

  @Test
  @Tag("long")
  void whateverHappensNothingVanishesInThousandsOfLives() throws InterruptedException {
    live(System.nanoTime(), LONG);
  }
}
