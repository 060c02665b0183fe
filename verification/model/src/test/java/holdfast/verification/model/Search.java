package holdfast.verification.model;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Visits every state that a setup can reach, breadth first, so that a violated property comes with
 * a shortest trace. If none is violated, looks for fair cycles in which an event never ends.
 */
final class Search {
  private static final int MOST_STATES = 40_000_000;

  private final Setup setup;
  private final Protocol protocol;
  private final StateSet states;
  private final Graph graph = new Graph();
  private final IntList foundFrom = new IntList();
  private final IntList foundBy = new IntList();
  private @Nullable Violation violation;
  private List<String> trace = List.of();

  private Search(Setup setup) {
    this.setup = setup;
    protocol = new Protocol(setup);
    states = new StateSet(protocol.layout().size());
  }

  /**
   * What a search has found.
   *
   * @param violation null if all properties hold
   * @param trace the steps to the violation
   * @param states how many states were visited
   */
  record Result(@Nullable Violation violation, List<String> trace, int states) {}

  static Result of(Setup setup) {
    Search search = new Search(setup);
    search.visitAll();
    if (search.violation == null && setup.everyEventEnds) {
      search.findEndless();
    }
    return new Result(search.violation, search.trace, search.states.size());
  }

  private void visitAll() {
    number(protocol.initial(), -1, -1);
    for (int from = 0; from < states.size() && violation == null; from++) {
      if (states.size() > MOST_STATES) {
        throw new IllegalStateException("more than " + MOST_STATES + " states");
      }
      graph.beginState();
      int number = from;
      protocol.next(
          state(from), (step, fair, next, found) -> visit(number, step, fair, next, found));
    }
    graph.end();
  }

  private void visit(int from, int step, int fairness, State next, @Nullable Violation found) {
    if (violation != null) {
      return;
    }
    if (found != null) {
      violation = found;
      trace = traceTo(from);
      trace.add(Step.text(step));
      return;
    }
    int to = number(next, from, step);
    if (setup.everyEventEnds) {
      graph.add(to, step, fairness);
    }
  }

  private int number(State state, int from, int step) {
    int before = states.size();
    int number = states.add(state.bytes());
    if (number == before) {
      foundFrom.add(from);
      foundBy.add(step);
    }
    return number;
  }

  private State state(int number) {
    return new State(protocol.layout(), states.get(number));
  }

  private List<String> traceTo(int number) {
    List<String> steps = new ArrayList<>();
    for (int at = number; foundFrom.get(at) >= 0; at = foundFrom.get(at)) {
      steps.add(Step.text(foundBy.get(at)));
    }
    Collections.reverse(steps);
    return steps;
  }

  private void findEndless() {
    for (int event = 0; event < setup.events && violation == null; event++) {
      if (setup.endingEvent < 0 || event == setup.endingEvent) {
        findEndless(event);
      }
    }
  }

  private void findEndless(int event) {
    IntList open = new IntList();
    for (int number = 0; number < states.size(); number++) {
      if (protocol.mustStillEnd(state(number), event)) {
        open.add(number);
      }
    }
    FairCycles.Cycle cycle = new FairCycles(graph, states.size()).first(open);
    if (cycle != null) {
      violation =
          Property.EVERY_EVENT_ENDS.violated(
              "%s is committed and is never DONE or DEAD", Step.nameOfEvent(event));
      trace = traceTo(cycle.entry());
      trace.add("... and from here on only: " + cycle.steps());
    }
  }
}
