package chaos.eventbus;

import static org.assertj.core.api.Assertions.assertThat;

import chaos.Span;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** The account is shown stories that do not fit, which it must find, and some that do. */
class AccountTest {
  private static final Duration TIMEOUT = Duration.ofSeconds(5);

  private final Set<Long> published = new TreeSet<>(Set.of(1L));
  private final List<Run> runs = new ArrayList<>();
  private final List<Change> changes = new ArrayList<>();
  private final List<Closing> closings = new ArrayList<>();
  private final Map<String, Span> kills = new HashMap<>();

  private static Instant at(double seconds) {
    return Instant.ofEpochSecond(1_000_000).plusMillis((long) (seconds * 1_000));
  }

  private void claimed(@Nullable String from, String to, double second, int attempts) {
    changes.add(new Change(1, at(second), from, to, at(second), attempts));
  }

  private void ran(String node, double second, int attempts) {
    runs.add(new Run(1, attempts, node, at(second)));
  }

  private void closed(double second, int attempts) {
    closings.add(new Closing(1, at(second), attempts, "COMPLETED"));
  }

  private void killed(String node, double second) {
    kills.put(node, new Span(at(second), at(second)));
  }

  private List<String> problems() {
    return new Account(published, runs, changes, closings, kills, TIMEOUT).problems();
  }

  private void assertOnlyProblem(String start) {
    assertThat(problems()).singleElement().asString().startsWith(start);
  }

  /** Taken over by b at second 6 from a, which ran it at second 1. */
  private void takenOver() {
    claimed(null, "a", 0.9, 1);
    ran("a", 1, 1);
    claimed("a", "b", 6, 2);
    ran("b", 6.1, 2);
    closed(6.2, 2);
  }

  @Test
  void acquiredRunAndClosedOnceFits() {
    claimed(null, "a", 0.9, 1);
    ran("a", 1, 1);
    closed(1.1, 1);
    assertThat(problems()).isEmpty();
  }

  @Test
  void whatWasNeverClosedIsLost() {
    claimed(null, "a", 0.9, 1);
    ran("a", 1, 1);
    assertOnlyProblem("published and never closed");
  }

  @Test
  void whatWasClosedTwiceIsFound() {
    claimed(null, "a", 0.9, 1);
    ran("a", 1, 1);
    closed(1.1, 1);
    closed(1.2, 1);
    assertOnlyProblem("closed more than once");
  }

  @Test
  void whatWasNeverPublishedIsFound() {
    published.add(2L);
    closings.add(new Closing(2, at(1), 1, "COMPLETED"));
    runs.add(new Run(2, 1, "a", at(1)));
    changes.add(new Change(2, at(1), null, "a", at(1), 1));
    published.remove(1L);
    assertThat(problems()).isEmpty();
    runs.add(new Run(3, 1, "a", at(1)));
    assertOnlyProblem("run or closed and never published");
  }

  @Test
  void whatWasClosedAsFailedIsFound() {
    claimed(null, "a", 0.9, 1);
    ran("a", 1, 1);
    closings.add(new Closing(1, at(1.1), 1, "FAILED"));
    assertOnlyProblem("closed as failed");
  }

  @Test
  void whatWasClosedWithoutARunIsFound() {
    claimed(null, "a", 0.9, 1);
    closed(1.1, 1);
    assertOnlyProblem("closed by an acquisition that ran nothing");
  }

  @Test
  void anAcquisitionThatTheLogDoesNotCountIsFound() {
    claimed(null, "a", 0.8, 1);
    claimed(null, "a", 0.9, 2);
    ran("a", 1, 1);
    closed(1.1, 1);
    assertOnlyProblem("acquired more or less often than the log says");
  }

  @Test
  void twoRunsOfOneAcquisitionAreFound() {
    claimed(null, "a", 0.9, 1);
    killed("a", 1.2);
    ran("a", 1, 1);
    ran("a", 1.1, 1);
    closed(1.15, 1);
    assertOnlyProblem("run twice by one acquisition");
  }

  @Test
  void aRunAfterTheCloseIsFound() {
    takenOver();
    killed("a", 1.1);
    claimed(null, "a", 0.8, 1);
    closings.set(0, new Closing(1, at(5), 3, "COMPLETED"));
    ran("c", 4.9, 3);
    killed("b", 6.2);
    assertOnlyProblem("begun after it was closed");
  }

  @Test
  void aRepeatAfterAKillFits() {
    takenOver();
    killed("a", 1.1);
    assertThat(problems()).isEmpty();
  }

  @Test
  void aRepeatWithoutAKillIsFound() {
    takenOver();
    killed("b", 7);
    assertThat(problems())
        .hasSize(2)
        .anyMatch(problem -> problem.startsWith("taken over though its worker was well"))
        .anyMatch(problem -> problem.startsWith("run again though the worker before was well"));
  }

  @Test
  void aKillBeforeTheRunIsNoReason() {
    takenOver();
    killed("a", 0.1);
    assertThat(problems()).hasSize(2);
  }

  @Test
  void aWorkerKilledLongAfterTheRunMustHaveClosedIt() {
    claimed(null, "a", 0.9, 1);
    ran("a", 1, 1);
    killed("a", 20);
    claimed("a", "b", 24, 2);
    ran("b", 24.1, 2);
    closed(24.2, 2);
    assertOnlyProblem("run again though the worker before was well");
  }
}
