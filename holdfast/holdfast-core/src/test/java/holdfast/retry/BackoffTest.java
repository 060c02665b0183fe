package holdfast.retry;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class BackoffTest {
  private static final Duration BASE = Duration.ofMillis(200);
  private static final Duration CAP = Duration.ofSeconds(60);
  private static final Duration LONGEST = Duration.ofNanos(Long.MAX_VALUE);

  private final Backoff exact = Backoff.exponential(BASE, CAP).withJitter(() -> 1.0);

  @ParameterizedTest
  @CsvSource({"1,200", "2,400", "3,800", "9,51200", "10,60000", "11,60000", "2147483647,60000"})
  void doublesUpToTheCap(int attempt, long millis) {
    assertThat(exact.delay(attempt)).isEqualTo(Duration.ofMillis(millis));
  }

  @ParameterizedTest
  @ValueSource(ints = {0, -1, Integer.MIN_VALUE})
  void waitsForNothingBeforeTheFirstFailure(int attempt) {
    assertThat(exact.delay(attempt)).isZero();
  }

  @Test
  void everyDelayIsWithinBoundsForEveryAttempt() {
    List<Duration> lengths =
        List.of(
            Duration.ofNanos(1), Duration.ofNanos(3), BASE, CAP, LONGEST.minusNanos(1), LONGEST);
    for (Duration base : lengths) {
      for (Duration cap : lengths) {
        if (cap.compareTo(base) >= 0) {
          for (int attempt = -5; attempt <= 10_000; attempt++) {
            assertWithinBounds(base, cap, attempt);
          }
        }
      }
    }
  }

  private static void assertWithinBounds(Duration base, Duration cap, int attempt) {
    Duration delay = Backoff.exponential(base, cap).delay(attempt);
    if (attempt <= 0) {
      assertThat(delay).isZero();
    } else {
      assertThat(delay).isLessThanOrEqualTo(cap);
      // The factor is 0.5 or more; half of an odd number of nanoseconds is rounded down.
      assertThat(delay).isGreaterThanOrEqualTo(base.dividedBy(2));
    }
  }

  @Test
  void neverGrowsShorterWithMoreFailures() {
    for (int attempt = 1; attempt < 200; attempt++) {
      assertThat(exact.delay(attempt + 1)).isGreaterThanOrEqualTo(exact.delay(attempt));
    }
  }

  @Test
  void jitterScattersTheDelayAndTheCapStillHolds() {
    Backoff backoff = Backoff.exponential(BASE, CAP);
    assertThat(backoff.withJitter(() -> 0.5).delay(1)).isEqualTo(Duration.ofMillis(100));
    assertThat(backoff.withJitter(() -> 1.5).delay(1)).isEqualTo(Duration.ofMillis(300));
    assertThat(backoff.withJitter(() -> 1.5).delay(20)).isEqualTo(CAP);
    assertThat(backoff.withJitter(() -> 0.0).delay(20)).isZero();
    assertThat(backoff.withJitter(() -> Double.MAX_VALUE).delay(20)).isEqualTo(CAP);
  }

  @Test
  void theUsualJitterIsFromAHalfToOneAndAHalf() {
    Backoff backoff = Backoff.exponential(BASE, CAP);
    var delays =
        java.util.stream.IntStream.range(0, 1_000).mapToObj(i -> backoff.delay(1)).toList();
    assertThat(delays)
        .allMatch(delay -> delay.compareTo(Duration.ofMillis(100)) >= 0)
        .allMatch(delay -> delay.compareTo(Duration.ofMillis(300)) < 0);
    assertThat(delays.stream().distinct()).hasSizeGreaterThan(900);
  }

  @ParameterizedTest
  @ValueSource(doubles = {-0.1, Double.NaN, Double.POSITIVE_INFINITY})
  void refusesAFactorThatMakesNoSense(double factor) {
    assertThatThrownBy(() -> exact.withJitter(() -> factor).delay(1))
        .isInstanceOf(IllegalStateException.class)
        .hasMessage("jitter must give a finite factor of 0 or more but gave " + factor);
  }

  @Test
  void refusesABaseOfZeroWhichWouldBeAStormOfRetries() {
    assertThatThrownBy(() -> Backoff.exponential(Duration.ZERO, Duration.ofSeconds(-1)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(
            "Backoff: base must be more than zero but was PT0S;"
                + " cap must be PT0S (the base) or more but was PT-1S");
  }

  @Test
  void refusesACapThatNanosecondsCannotHold() {
    assertThatThrownBy(() -> Backoff.exponential(BASE, LONGEST.plusNanos(1)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("cap must be 292 years or less");
  }
}
