package holdfast.verification.model;

/** The steps between numbered states. */
final class Graph {
  private final IntList firstEdge = new IntList();
  private final IntList target = new IntList();
  private final IntList step = new IntList();
  private final IntList fairness = new IntList();

  /** The steps added from now on lead from the next state. */
  void beginState() {
    firstEdge.add(target.size());
  }

  void end() {
    firstEdge.add(target.size());
  }

  void add(int to, int label, int fair) {
    target.add(to);
    step.add(label);
    fairness.add(fair);
  }

  int firstEdge(int state) {
    return firstEdge.get(state);
  }

  int endOfEdges(int state) {
    return firstEdge.get(state + 1);
  }

  int target(int edge) {
    return target.get(edge);
  }

  int step(int edge) {
    return step.get(edge);
  }

  int fairness(int edge) {
    return fairness.get(edge);
  }
}
