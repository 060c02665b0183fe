package tour;

import static org.assertj.core.api.Assertions.assertThat;

import holdfast.testkit.process.ChildJvm;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The tour does what the README says, also on the newest H2. */
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

    assertThat(lines.get(0)).isEqualTo("Holdfast: five libraries, one outage, on H2");
    for (String library : List.of("FAILOVER", "EVENTLOG", "OUTBOX", "EVENTBUS")) {
      assertThat(lines).anyMatch(line -> line.contains(library));
    }
    for (String library :
        List.of("orders", "outbox", "eventbus", "eventlog", "failover", "tracer")) {
      assertThat(lines)
          .anyMatch(line -> line.matches(library + "( +[\\d,]+){3} +0 +[\\d,]+ +0( .*)?"));
    }
    assertThat(lines)
        .anyMatch(line -> line.matches("Priced by stored answers: [1-9].*"))
        .contains("Every event is accounted for. Nothing that was promised is lost.");
    assertThat(lines.get(lines.size() - 1)).startsWith("The trace opens in");
  }
}
