package tracer;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import tracer.drain.Rates;
import tracer.sink.TraceBatch;
import tracer.sink.TraceSink;

/** The numbers a tracer shows, and the one it must not need: bytes allocated by recording. */
class MetricsTest extends TracerFixture {

  @Test
  void thereWereNeverMoreRingsFreeThanThereAre() {
    Tracer tracer = stopped();
    record(tracer, 0, 1);
    assertThat(lane(tracer, Lane.INDEX).poolFree()).isEqualTo(3);
    assertThat(lane(tracer, Lane.INDEX).poolFreeMinimum()).isEqualTo(3);
  }

  @Test
  void everyLaneCountsForItself() throws InterruptedException {
    Tracer tracer = started();
    record(tracer, 0, 5);
    tracer.detail().record(NOTE, "a");
    tracer.detail().record(NOTE, "bc".getBytes(StandardCharsets.UTF_8), 1, 1);
    tracer.critical().record(CRASH, "x");
    flush(tracer);

    assertThat(lane(tracer, Lane.INDEX).eventsWritten()).isEqualTo(5);
    assertThat(lane(tracer, Lane.INDEX).eventsPersisted()).isEqualTo(5);
    assertThat(lane(tracer, Lane.DETAIL).eventsWritten()).isEqualTo(2);
    assertThat(lane(tracer, Lane.CRITICAL).eventsPersisted()).isEqualTo(1);
    assertThat(sink.texts(Lane.DETAIL)).containsExactly("a", "c");
    assertThat(lane(tracer, Lane.INDEX).dropsByReason()).containsOnlyKeys(DropReason.values());
  }

  @Test
  void encoderLatencyHasPercentiles() throws InterruptedException {
    class SlowSink implements TraceSink {
      private int batches;

      @Override
      public void write(TraceBatch batch) {
        time.advance(Duration.ofMillis(batches++ < 90 ? 1 : 100));
      }
    }

    Tracer tracer =
        Tracer.builder(new SlowSink())
            .time(time)
            .producers(1)
            .peakRate(40)
            .burstWindow(Duration.ofSeconds(1))
            .largestDetail(100)
            .captureCrashes(false)
            .registerShutdownHook(false)
            .build();
    tracer.start();
    try {
      for (int i = 0; i < 100; i++) {
        record(tracer, i, 1);
        flush(tracer);
      }
      TracerMetrics metrics = tracer.metrics();
      assertThat(metrics.encoderLatencyP50Nanos()).isBetween(1_000_000L, 1_070_000L);
      assertThat(metrics.encoderLatencyP95Nanos()).isBetween(100_000_000L, 107_000_000L);
      assertThat(metrics.encoderLatencyP99Nanos()).isBetween(100_000_000L, 107_000_000L);
    } finally {
      tracer.close();
    }
  }

  @Test
  void everyNumberIsAMeter() throws InterruptedException {
    Tracer tracer = stopped();
    record(tracer, 0, 45);
    TracerMetrics metrics = tracer.metrics();
    LaneMetrics lane = metrics.lane(Lane.INDEX);

    assertThat(LaneMeter.EVENTS_WRITTEN.value(lane)).isEqualTo(45);
    assertThat(LaneMeter.EVENTS_DROPPED.value(lane)).isEqualTo(10);
    assertThat(LaneMeter.POOL_EXHAUSTED.value(lane)).isEqualTo(1);
    assertThat(LaneMeter.WATERMARK_HIGH.value(lane)).isEqualTo(1);
    assertThat(LaneMeter.FILL.value(lane)).isEqualTo(100);
    assertThat(TracerMeter.SUBMIT_QUEUE_SIZE.value(metrics)).isEqualTo(3);
    assertThat(
            Stream.concat(
                Arrays.stream(LaneMeter.values()).map(LaneMeter::meterName),
                Arrays.stream(TracerMeter.values()).map(TracerMeter::meterName)))
        .allMatch(name -> name.matches("tracer(\\.[a-z0-9]+)+"))
        .doesNotHaveDuplicates();
  }

  @Test
  void beforeAnythingHappensAllIsZero() {
    TracerMetrics metrics = stopped().metrics();

    assertThat(metrics.eventsPerSecond()).isZero();
    assertThat(metrics.encoderLatencyP99Nanos()).isZero();
    assertThat(metrics.diskBytesPerSecond()).isZero();
    assertThat(metrics.lane(Lane.INDEX).poolFree()).isEqualTo(4);
    assertThat(metrics.lane(Lane.INDEX).fillPercent()).isZero();
  }

  @Test
  void anIntervalOfNoLengthHasNoRate() {
    Rates rates = new Rates(new Rates.Counts(0, 0, 0), 1000);
    rates.sample(new Rates.Counts(500, 10, 4000), 1000);
    assertThat(rates.last()).isEqualTo(new Rates.PerSecond(0, 0, 0, 0));
    rates.sample(new Rates.Counts(500, 10, 4000), 1000 + 500_000_000);
    assertThat(rates.last()).isEqualTo(new Rates.PerSecond(1000, 20, 8000, 1000));
    rates.sample(new Rates.Counts(500, 10, 4000), 1000 + 1_500_000_000);
    assertThat(rates.last()).isEqualTo(new Rates.PerSecond(0, 0, 0, 1000));
  }

  @Test
  void recordingAllocatesNothing() {
    Tracer tracer = stopped(settings -> settings.peakRate(400_000));
    ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    long least = Long.MAX_VALUE;
    // Compilers and the first use of classes may allocate on this thread; one clean run is proof.
    for (int round = 0; round < 20 && least > 0; round++) {
      long before = threads.getThreadAllocatedBytes(Thread.currentThread().getId());
      for (int i = 0; i < 100_000; i++) {
        tracer.index().record(STEP, i, round);
      }
      least =
          Math.min(least, threads.getThreadAllocatedBytes(Thread.currentThread().getId()) - before);
    }

    // A hundred thousand events, and one ring that is full: finding the next takes a few objects.
    assertThat(least).isLessThan(1_000);
  }
}
