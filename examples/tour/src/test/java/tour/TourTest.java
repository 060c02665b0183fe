package tour;

import static org.assertj.core.api.Assertions.assertThat;

import holdfast.testkit.process.ChildJvm;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * The tour does what the README says, and its exit code tells whether every event is accounted for.
 */
class TourTest {
  private static final Duration LONG = Duration.ofMinutes(4);

  private static int run(List<String> lines, String... args) throws InterruptedException {
    try (ChildJvm tour = ChildJvm.of(Tour.class, args).start()) {
      int exit = tour.awaitExit(LONG);
      lines.addAll(tour.lines());
      return exit;
    }
  }

  @Test
  void everyLibraryRecoversAndEveryEventIsAccountedFor() throws Exception {
    List<String> lines = new ArrayList<>();

    assertThat(run(lines, "--fast")).as("%s", lines).isZero();

    assertThat(lines.get(0)).isEqualTo("Holdfast: five rooms, one outage, on H2");
    for (String room : List.of("FAILOVER", "EVENTLOG", "OUTBOX", "EVENTBUS")) {
      assertThat(lines).anyMatch(line -> line.contains(room));
    }
    for (String room : List.of("orders", "outbox", "eventbus", "eventlog", "failover", "tracer")) {
      assertThat(lines)
          .anyMatch(line -> line.matches(room + "( +[\\d,]+){3} +0 +[\\d,]+ +0( .*)?"));
    }
    assertThat(lines)
        .anyMatch(line -> line.matches("Priced by stored answers: [1-9].*"))
        .contains("Every event is accounted for. Nothing that was promised is lost.");
    assertThat(lines.get(lines.size() - 1)).startsWith("The trace opens in");
  }

  @Test
  void anOrderWithoutItsEventIsFoundByTheLedger() throws Exception {
    List<String> lines = new ArrayList<>();

    assertThat(run(lines, "--fast", "--sabotage")).isOne();

    assertThat(lines)
        .contains("NOT SO: every event of orders must be accounted for")
        .contains("NOT SO: each order must be on the bus once")
        .doesNotContain("Every event is accounted for. Nothing that was promised is lost.");
  }

  @Test
  void anUnknownOptionIsRefusedWithTheKnownOnes() throws Exception {
    try (ChildJvm tour = ChildJvm.of(Tour.class, "--quick").start()) {
      assertThat(tour.awaitExit(LONG)).isEqualTo(2);
      assertThat(tour.errors()).contains("'--quick'").contains("--sabotage");
    }
  }
}
