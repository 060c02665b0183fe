package holdfast.time;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import holdfast.Together;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;

class SystemTimeTest {
  private static final Duration LONG = Duration.ofMinutes(1);

  private final TimeSource time = TimeSource.system();
  private final Alarm alarm = time.newAlarm();

  @Test
  void showsTheTimeOfDay() {
    Instant before = Instant.now();
    assertThat(time.instant()).isBetween(before, Instant.now());
  }

  @Test
  void countsForward() {
    long before = time.nanoTime();
    assertThat(time.nanoTime() - before).isNotNegative();
  }

  @Test
  void anAlarmThatNobodyRingsEndsWithTheTime() throws InterruptedException {
    long before = System.nanoTime();
    assertThat(alarm.await(Duration.ofMillis(20))).isFalse();
    assertThat(System.nanoTime() - before).isGreaterThanOrEqualTo(20_000_000);
  }

  @Test
  void aRingBeforeTheWaitIsRemembered() throws InterruptedException {
    alarm.ring();
    assertThat(alarm.await(LONG)).isTrue();
  }

  @Test
  void manyRingsCountAsOne() throws InterruptedException {
    for (int i = 0; i < 3; i++) {
      alarm.ring();
    }
    assertThat(alarm.await(LONG)).isTrue();
    assertThat(alarm.await(Duration.ZERO)).isFalse();
  }

  @Test
  void aRingFromAnotherThreadEndsTheWait() throws Exception {
    Together.run(
        2,
        thread -> {
          if (thread == 0) {
            alarm.ring();
          } else {
            assertThat(alarm.await(LONG)).isTrue();
          }
        });
  }

  @Test
  void aDurationBeyondAllNanosecondsIsNoMistake() throws InterruptedException {
    alarm.ring();
    assertThat(alarm.await(Duration.ofSeconds(Long.MAX_VALUE))).isTrue();
  }

  @Test
  void anInterruptEndsTheWait() {
    Thread.currentThread().interrupt();
    assertThatThrownBy(() -> alarm.await(LONG)).isInstanceOf(InterruptedException.class);
  }
}
