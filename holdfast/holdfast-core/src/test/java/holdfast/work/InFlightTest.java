package holdfast.work;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class InFlightTest {
  private final InFlight<TestItem> inFlight = new InFlight<>(10, (item, current) -> {});

  @Test
  void anEventThatComesBackWhileItsHandlerRunsCountsOnce() {
    TestItem before = TestItem.of("a");
    TestItem again = TestItem.of("a");
    inFlight.add(before);
    inFlight.add(again);
    assertThat(inFlight.count("T")).isEqualTo(1);
    assertThat(inFlight.room()).isEqualTo(9);
    inFlight.remove(before);
    assertThat(inFlight.contains(again)).isTrue();
    assertThat(inFlight.count("T")).isEqualTo(1);
    inFlight.remove(again);
    assertThat(inFlight.count("T")).isZero();
    assertThat(inFlight.room()).isEqualTo(10);
  }

  @Test
  void noMoreIsAskedForThanTwiceWhatFitsByTheSizeOfLate() {
    assertThat(inFlight.eventsWithin(Long.MAX_VALUE)).isEqualTo(Integer.MAX_VALUE - 1);
    for (int i = 0; i < 10; i++) {
      inFlight.add(TestItem.ofBytes("large " + i, 1_000));
    }
    assertThat(inFlight.eventsWithin(1)).isEqualTo(1);
    assertThat(inFlight.eventsWithin(5_000)).isEqualTo(10);
    for (int i = 0; i < 100; i++) {
      inFlight.add(TestItem.ofBytes("small " + i, 10));
    }
    assertThat(inFlight.eventsWithin(5_000)).isGreaterThan(100);
  }
}
