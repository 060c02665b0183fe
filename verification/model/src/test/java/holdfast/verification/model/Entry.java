package holdfast.verification.model;

/**
 * An event inside a node, on the hot path (0: from the commit) or the cold one (1: from a claim).
 *
 * @param offset where its fields begin in a state
 */
record Entry(int node, int event, int path, int offset) {
  static final int HOT = 0;
  static final int COLD = 1;

  boolean isHot() {
    return path == HOT;
  }
}
