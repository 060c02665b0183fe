package holdfast.verification.model;

import org.jspecify.annotations.Nullable;

/** Takes the next steps from a state. */
@FunctionalInterface
interface Steps {

  /**
   * Takes one step.
   *
   * @param step what happens
   * @param fairness the step by which fairness counts it, or {@link Step#UNFAIR}
   * @param next the state after it
   * @param violation the property that the step violates; null if none
   */
  void add(int step, int fairness, State next, @Nullable Violation violation);

  default void add(int step, State next) {
    add(step, step, next, null);
  }

  default void fault(int step, State next) {
    add(step, Step.UNFAIR, next, null);
  }
}
