package chaos.outbox;

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

/** The audit is shown accounts that do not fit, which it must find, and some that do. */
class AuditTest {
  private static final Duration LEASE = Duration.ofSeconds(4);
  private static final int RETRY = 2;

  private final Set<String> committed = new TreeSet<>();
  private final Set<String> rolledBack = new TreeSet<>();
  private final Set<String> business = new TreeSet<>(Set.of("e"));
  private final List<Delivery> deliveries = new ArrayList<>();
  private final List<Change> changes = new ArrayList<>();
  private final Map<String, List<Span>> troubles = new HashMap<>();

  private static Instant at(double seconds) {
    return Instant.ofEpochSecond(1_000_000).plusMillis((long) (seconds * 1_000));
  }

  private static Span span(double from, double until) {
    return new Span(at(from), at(until));
  }

  private void delivered(String event, String node, double second, boolean ok) {
    deliveries.add(new Delivery(event, node, at(second), at(second + 0.01), ok, -1, 0));
  }

  private void takenOver(String from, String to, double second, double leaseEnd) {
    changed(from, to, second, leaseEnd, 0);
  }

  private void changed(
      String from, @Nullable String to, double second, double leaseEnd, int newAttempts) {
    changes.add(new Change("e", at(second), from, to, at(leaseEnd), 0, newAttempts, RETRY));
  }

  private List<String> problems() {
    History history = new History(committed, rolledBack, 0, History.byEvent(deliveries));
    return new Audit(history, business, changes, troubles, LEASE).problems();
  }

  private void assertOnlyProblem(String start) {
    assertThat(problems()).singleElement().asString().startsWith(start);
  }

  @Test
  void oneDeliveryOfWhatWasCommittedFits() {
    committed.add("e");
    rolledBack.add("r");
    delivered("e", "a", 1, true);
    assertThat(problems()).isEmpty();
  }

  @Test
  void aCommitThatIsNotInTheDatabaseIsFound() {
    committed.add("v");
    delivered("e", "a", 1, true);
    assertOnlyProblem("acknowledged as committed, but");
  }

  @Test
  void aRollbackThatIsInTheDatabaseIsFound() {
    rolledBack.add("e");
    delivered("e", "a", 1, true);
    assertOnlyProblem("acknowledged as rolled back, but");
  }

  @Test
  void whatWasNeverDeliveredWithSuccessIsLost() {
    delivered("e", "a", 1, false);
    assertOnlyProblem("committed and never delivered");
  }

  @Test
  void whatWasDeliveredAndNotCommittedIsFound() {
    delivered("e", "a", 1, true);
    delivered("r", "a", 1, true);
    assertOnlyProblem("delivered and never committed");
  }

  @Test
  void aRepeatWithoutAnyChangeOfTheRowHasNoReason() {
    delivered("e", "a", 1, true);
    delivered("e", "b", 2, true);
    assertOnlyProblem("delivered again without a reason");
  }

  @Test
  void aRepeatAfterAMarkedFailureFits() {
    delivered("e", "a", 1, false);
    changed("a", null, 1.5, 5, 1);
    delivered("e", "b", 2, true);
    assertThat(problems()).isEmpty();
  }

  @Test
  void aSuccessThatWasMarkedAsAFailureIsFound() {
    delivered("e", "a", 1, true);
    changed("a", null, 1.5, 5, 1);
    delivered("e", "b", 2, true);
    assertOnlyProblem("delivered again without a reason");
  }

  @Test
  void aSuccessThatWasReleasedIsFound() {
    delivered("e", "a", 1, true);
    changed("a", null, 1.5, 5, 0);
    delivered("e", "b", 2, true);
    assertOnlyProblem("delivered again without a reason");
  }

  @Test
  void aRepeatAfterTheHolderWasKilledFits() {
    delivered("e", "a", 1, true);
    troubles.put("a", List.of(span(1.1, 1.1)));
    takenOver("a", "b", 5.1, 5);
    delivered("e", "b", 5.2, true);
    assertThat(problems()).isEmpty();
  }

  @Test
  void theTroubleOfAnotherNodeIsNoReason() {
    delivered("e", "a", 1, true);
    troubles.put("b", List.of(span(1.1, 1.1)));
    takenOver("a", "b", 5.1, 5);
    delivered("e", "b", 5.2, true);
    assertThat(problems()).hasSize(2);
  }

  @Test
  void aTakeoverThatTheTroubleDoesNotExplainIsFoundThoughNothingWasRepeated() {
    troubles.put("a", List.of(span(9, 9)));
    takenOver("a", "b", 5.1, 5);
    delivered("e", "b", 5.2, true);
    assertOnlyProblem("lease taken over though its holder was well");
  }

  @Test
  void aHolderKilledLongAfterItDeliveredMustHaveMarkedIt() {
    delivered("e", "a", 1, true);
    troubles.put("a", List.of(span(20, 20)));
    takenOver("a", "b", 24, 23);
    delivered("e", "b", 24.1, true);
    assertOnlyProblem("delivered again without a reason");
  }
}
