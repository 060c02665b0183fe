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
}
