package tracer;

import static org.assertj.core.api.Assertions.assertThat;

import holdfast.testkit.threads.Eventually;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.logging.Level;
import org.junit.jupiter.api.Test;

/** Bursts, and the two watermarks. */
class PressureTest extends TracerFixture {

  @Test
  void aBurstOfRateTimesWindowFitsAndOneMoreDropsARing() throws InterruptedException {
    Tracer tracer = stopped();
    record(tracer, 0, 40);
    assertThat(tracer.ledger().lost()).isZero();
    record(tracer, 40, 1);
    assertThat(tracer.ledger().lost()).isEqualTo(10);

    tracer.start();
    flush(tracer);
    record(tracer, 41, 40);
    flush(tracer);
    assertThat(tracer.ledger().lost()).isEqualTo(10);
    assertThat(lane(tracer, Lane.INDEX).poolFree()).isEqualTo(3);
  }

  @Test
  void thePeakRateIsRemembered() throws InterruptedException {
    Tracer tracer = started();
    time.awaitSleepers(2);
    record(tracer, 0, 40);
    passASecond();
    double burst = tracer.metrics().eventsPerSecond();
    passASecond();

    assertThat(burst).isGreaterThan(0);
    assertThat(tracer.metrics().eventsPerSecond()).isZero();
    assertThat(tracer.metrics().peakEventsPerSecond()).isEqualTo(burst);
    assertThat(lane(tracer, Lane.INDEX).poolFreeMinimum()).isLessThan(4);
  }

  private void passASecond() throws InterruptedException {
    time.awaitSleepers(2);
    time.advance(Duration.ofSeconds(1));
    time.awaitSleepers(2);
  }

  /** Eleven rings; one in use, so ten are outside: a tenth each. */
  private Tracer tenths(TracerLifecycleListener listener) {
    return stopped(
        settings ->
            settings
                .peakRate(110)
                .spareRings(Lane.INDEX, 10)
                .highWatermark(80)
                .lowWatermark(50)
                .lifecycleListener(listener));
  }

  @Test
  void pressureBeginsAtTheHighMarkEndsAtTheLowOneAndNeverFlapsBetween()
      throws InterruptedException {
    List<String> told = Collections.synchronizedList(new ArrayList<>());
    Tracer tracer =
        tenths(
            new TracerLifecycleListener() {
              @Override
              public void pressureRaised(Lane lane) {
                told.add("raised " + lane);
              }

              @Override
              public void pressureCleared(Lane lane) {
                told.add("cleared " + lane);
              }
            });
    record(tracer, 0, 71); // 7 sealed: 70 %
    assertThat(lane(tracer, Lane.INDEX).fillPercent()).isEqualTo(70);
    assertThat(lane(tracer, Lane.INDEX).highWatermarkCrossings()).isZero();
    record(tracer, 71, 10); // 80 %
    assertThat(lane(tracer, Lane.INDEX).highWatermarkCrossings()).isEqualTo(1);
    record(tracer, 81, 500); // 100 %, with drops: no second warning
    assertThat(lane(tracer, Lane.INDEX).highWatermarkCrossings()).isEqualTo(1);
    assertThat(lane(tracer, Lane.INDEX).lowWatermarkCrossings()).isZero();

    tracer.start();
    flush(tracer);
    assertThat(lane(tracer, Lane.INDEX).lowWatermarkCrossings()).isEqualTo(1);
    Eventually.await("both were told", () -> told.size() == 2);
    assertThat(told).containsExactly("raised INDEX", "cleared INDEX");
    assertThat(log.messages(Level.WARNING)).hasSize(1);
  }

  @Test
  void theWarningComesAlsoWhileTheSinkHangs() throws InterruptedException {
    sink.hang();
    Tracer tracer = started();
    record(tracer, 0, 50);

    Eventually.await(
        "the warning", () -> log.messages(Level.WARNING).toString().contains("lane=INDEX"));
    assertThat(lane(tracer, Lane.INDEX).highWatermarkCrossings()).isEqualTo(1);
  }
}
