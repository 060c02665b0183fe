package holdfast.verification.model;

/** Steps as numbers: action, node, event, hot or cold path, and further events of the step. */
@SuppressWarnings("EnumOrdinal") // a number lives no longer than its search
final class Step {
  /** Steps that no fairness demands: faults and what users do. */
  static final int UNFAIR = -1;

  /** How many numbers steps have, further events left out. */
  static final int KINDS = Action.values().length << 5;

  private static final Action[] ACTIONS = Action.values();
  private static final int MORE_EVENTS = 16;

  private Step() {}

  static int of(Action action) {
    return of(action, 0);
  }

  static int of(Action action, int node) {
    return of(action, node, 0, 0);
  }

  static int of(Action action, int node, int event, int path) {
    return ((action.ordinal() * 4 + node) * 4 + event) * 2 + path;
  }

  static int of(Action action, Entry entry) {
    return of(action, entry.node(), entry.event(), entry.path());
  }

  /** The same step with more events, one bit for each. */
  static int together(int step, int events) {
    return step | events << MORE_EVENTS;
  }

  /** Whether it happens if it can happen again and again, and not only if it can all the time. */
  static boolean isStronglyFair(int step) {
    return switch (action(step)) {
      case CLAIM, CHECK, RELEASE, WAIT_TOO_LONG -> true;
      default -> false;
    };
  }

  static String nameOfNode(int node) {
    return "node " + (char) ('A' + node);
  }

  static String nameOfEvent(int event) {
    return "e" + (event + 1);
  }

  static String text(int step) {
    Action action = action(step);
    String node = nameOfNode(step >> 3 & 3) + ": " + action.text;
    return switch (action.names) {
      case NOTHING -> action.text;
      case NODE -> node;
      case EVENT_ONLY -> action.text + " " + events(step);
      case EVENT -> node + " " + events(step);
      case ENTRY -> node + " " + events(step) + ((step & 1) == 0 ? " (hot)" : " (cold)");
    };
  }

  private static String events(int step) {
    int more = step >> MORE_EVENTS;
    if (more == 0) {
      return nameOfEvent(step >> 1 & 3);
    }
    StringBuilder names = new StringBuilder();
    for (int event = 0; more >> event != 0; event++) {
      if ((more >> event & 1) == 1) {
        names.append(names.isEmpty() ? "" : ", ").append(nameOfEvent(event));
      }
    }
    return names.toString();
  }

  private static Action action(int step) {
    return ACTIONS[(step & (1 << MORE_EVENTS) - 1) >> 5];
  }
}
