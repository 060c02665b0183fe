package holdfast.verification.model;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Every scenario has the answer that its table expects. */
class ProtocolModelTest {

  static Stream<Scenario> all() {
    return Stream.of(
            LeaseScenarios.all(),
            FaultScenarios.all(),
            SuspectScenarios.all(),
            OrderScenarios.all(),
            GroupScenarios.all())
        .flatMap(each -> each);
  }

  static Stream<Scenario> quick() {
    return all().filter(scenario -> !scenario.slow());
  }

  static Stream<Scenario> slow() {
    return all().filter(Scenario::slow);
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("quick")
  void quickScenario(Scenario scenario) {
    check(scenario);
  }

  @Tag("long")
  @ParameterizedTest(name = "{0}")
  @MethodSource("slow")
  void slowScenario(Scenario scenario) {
    check(scenario);
  }

  @Test
  void everyScenarioHasAnIdOfItsOwn() {
    assertThat(all().map(Scenario::id)).doesNotHaveDuplicates();
  }

  private static void check(Scenario scenario) {
    Search.Result result = Search.of(scenario.setup());
    Violation violation = result.violation();
    if (scenario.id().equals(System.getProperty("model.trace"))) {
      System.out.println(describe(scenario, result));
    }
    assertThat(violation == null ? null : violation.property())
        .as(() -> describe(scenario, result))
        .isEqualTo(scenario.violated());
  }

  private static String describe(Scenario scenario, Search.Result result) {
    return "%s%n%d states, %s%n%s"
        .formatted(
            scenario, result.states(), result.violation(), String.join("\n", result.trace()));
  }
}
