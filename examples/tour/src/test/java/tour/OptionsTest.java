package tour;

import static org.assertj.core.api.Assertions.assertThat;

import holdfast.testkit.process.ChildJvm;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** What the tour does with its options, and its exit codes. */
class OptionsTest {
  private static final Duration LONG = Duration.ofMinutes(4);

  @Test
  void anOrderWithoutItsEventIsFoundByTheLedger() throws Exception {
    try (ChildJvm tour = ChildJvm.of(Tour.class, "--fast", "--sabotage").start()) {
      assertThat(tour.awaitExit(LONG)).as(tour.errors()).isOne();
      assertThat(tour.lines())
          .contains("NOT SO: every event of orders must be accounted for")
          .contains("NOT SO: each order must be on the bus once")
          .doesNotContain("Every event is accounted for. Nothing that was promised is lost.");
    }
  }

  @Test
  void anUnknownOptionIsRefusedWithTheKnownOnes() throws Exception {
    try (ChildJvm tour = ChildJvm.of(Tour.class, "--quick").start()) {
      assertThat(tour.awaitExit(LONG)).isEqualTo(2);
      assertThat(tour.errors()).contains("'--quick'").contains("--sabotage");
    }
  }
}
