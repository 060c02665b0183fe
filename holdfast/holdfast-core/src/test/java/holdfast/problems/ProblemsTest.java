package holdfast.problems;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class ProblemsTest {

  @Test
  void nothingWrongThrowsNothing() {
    Problems problems = new Problems("Outbox").require(true, "workers", "be 1 or more", 4);
    problems.throwIfAny();
    assertThat(problems.found()).isEmpty();
  }

  @Test
  void everyMistakeIsNamedInOneException() {
    Problems problems =
        new Problems("Outbox")
            .require(false, "workers", "be 1 or more", 0)
            .require(true, "interval", "be positive", 1)
            .require(false, "table", "be a name", "a b")
            .require(false, "clock", "be set", null)
            .add("two listeners have the id 'x'; rename one");
    assertThatThrownBy(problems::throwIfAny)
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(
            "Outbox: workers must be 1 or more but was 0; table must be a name but was 'a b';"
                + " clock must be set but was null; two listeners have the id 'x'; rename one");
  }

  @Test
  void theListOfProblemsIsACopy() {
    Problems problems = new Problems("Outbox").add("one");
    var before = problems.found();
    problems.add("two");
    assertThat(before).containsExactly("one");
    assertThat(problems.found()).containsExactly("one", "two");
  }
}
