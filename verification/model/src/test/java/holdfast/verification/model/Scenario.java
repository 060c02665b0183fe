package holdfast.verification.model;

import org.jspecify.annotations.Nullable;

/**
 * A question and its expected answer.
 *
 * @param id a letter for the topic and a number; an r at its end stands for the repair of a draft
 * @param violated the property that is violated; null if all hold
 * @param slow whether it takes more than a second or two
 */
record Scenario(
    String id, String question, Setup setup, @Nullable Property violated, boolean slow) {

  static Scenario holds(String id, String question, Setup setup) {
    return new Scenario(id, question, setup, null, false);
  }

  static Scenario violates(Property property, String id, String question, Setup setup) {
    return new Scenario(id, question, setup, property, false);
  }

  Scenario inLongRuns() {
    return new Scenario(id, question, setup, violated, true);
  }

  @Override
  public String toString() {
    return id + ": " + question + ": " + (violated == null ? "HOLDS" : "VIOLATES " + violated);
  }
}
