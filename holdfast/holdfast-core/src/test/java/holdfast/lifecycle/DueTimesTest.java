package holdfast.lifecycle;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** The moments a loop remembers. */
class DueTimesTest {
  private static final long SECOND = 1_000_000_000;

  private final DueTimes times = new DueTimes();

  @Test
  void theEarliestIsTheNextToCome() {
    assertThat(times.earliest(9 * SECOND)).isEqualTo(9 * SECOND);
    times.add(5 * SECOND);
    times.add(3 * SECOND);
    assertThat(times.earliest(9 * SECOND)).isEqualTo(3 * SECOND);
    assertThat(times.earliest(SECOND)).isEqualTo(SECOND);
    assertThat(times.removeUntil(3 * SECOND - 1)).isFalse();
    assertThat(times.removeUntil(3 * SECOND)).isTrue();
    assertThat(times.earliest(9 * SECOND)).isEqualTo(5 * SECOND);
  }

  @Test
  void momentsCloseTogetherCountOnceAndNeverTooEarly() {
    times.add(SECOND);
    times.add(SECOND - 1_000);
    assertThat(times.removeUntil(SECOND - 1)).as("the later one stands for both").isFalse();
    assertThat(times.removeUntil(SECOND)).isTrue();
    assertThat(times.removeUntil(2 * SECOND)).isFalse();
  }

  @Test
  void readingsMayRunOverTheLargestNumber() {
    long now = Long.MAX_VALUE - SECOND;
    times.add(now + 3 * SECOND);
    times.add(now + SECOND / 2);
    assertThat(times.earliest(now + 9 * SECOND)).isEqualTo(now + SECOND / 2);
    assertThat(times.removeUntil(now + SECOND)).isTrue();
    assertThat(times.earliest(now + 9 * SECOND)).isEqualTo(now + 3 * SECOND);
  }
}
