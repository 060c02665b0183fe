package holdfast.verification.model;

import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.TreeSet;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Looks for cycles, inside a set of states, that fairness allows: a step that is possible all the
 * time is taken; a strongly fair one also if it is possible again and again. A state without a way
 * on counts as a cycle.
 *
 * <p>A strongly connected component is a fair cycle unless it lacks such a step. If it lacks only
 * strongly fair ones, its states that allow them are left out and the rest is looked at again.
 */
final class FairCycles {
  private final Graph graph;
  private final int[] component;
  private final Components components;
  private final Deque<int[]> toSearch = new ArrayDeque<>();
  private @Nullable Cycle first;

  FairCycles(Graph graph, int states) {
    this.graph = graph;
    this.component = new int[states];
    this.components = new Components(graph, component);
  }

  /**
   * A fair cycle.
   *
   * @param entry its state that was found first
   * @param steps the texts of its steps
   */
  record Cycle(int entry, String steps) {}

  /** Returns the cycle whose entry was found first; null if there is none. */
  @Nullable Cycle first(IntList set) {
    toSearch.add(toArray(set));
    while (!toSearch.isEmpty()) {
      int[] members = toSearch.remove();
      components.of(members, this::examine);
      components.leave(members);
    }
    return first;
  }

  private void examine(int[] members) {
    if (members.length == 1 && !hasLoop(members[0])) {
      if (isDeadEnd(members[0])) {
        offer(members[0], "nothing at all");
      }
      return;
    }
    Fairness fairness = new Fairness(members);
    if (!fairness.neglectsWeak()) {
      boolean[] neglected = fairness.neglectedStrong();
      if (neglected == null) {
        offer(Arrays.stream(members).min().orElseThrow(), fairness.texts());
      } else {
        int[] rest = Arrays.stream(members).filter(x -> !allows(x, neglected)).toArray();
        if (rest.length > 0) {
          toSearch.add(rest);
        }
      }
    }
  }

  private void offer(int entry, String steps) {
    if (first == null || entry < first.entry()) {
      first = new Cycle(entry, steps);
    }
  }

  private boolean hasLoop(int state) {
    for (int edge = graph.firstEdge(state); edge < graph.endOfEdges(state); edge++) {
      if (graph.target(edge) == state) {
        return true;
      }
    }
    return false;
  }

  /** Whether only faults lead on. */
  private boolean isDeadEnd(int state) {
    for (int edge = graph.firstEdge(state); edge < graph.endOfEdges(state); edge++) {
      if (graph.fairness(edge) >= 0) {
        return false;
      }
    }
    return true;
  }

  private boolean allows(int state, boolean[] steps) {
    for (int edge = graph.firstEdge(state); edge < graph.endOfEdges(state); edge++) {
      int fair = graph.fairness(edge);
      if (fair >= 0 && steps[fair]) {
        return true;
      }
    }
    return false;
  }

  private static int[] toArray(IntList list) {
    int[] array = new int[list.size()];
    Arrays.setAll(array, list::get);
    return array;
  }

  /** Which steps a component allows and takes. */
  private final class Fairness {
    private final int[] members;
    private final int[] allowedIn = new int[Step.KINDS];
    private final boolean[] taken = new boolean[Step.KINDS];

    Fairness(int[] members) {
      this.members = members;
      int[] lastSeenIn = new int[Step.KINDS];
      for (int i = 0; i < members.length; i++) {
        count(members[i], i + 1, lastSeenIn);
      }
    }

    private void count(int state, int turn, int[] lastSeenIn) {
      for (int edge = graph.firstEdge(state); edge < graph.endOfEdges(state); edge++) {
        int fair = graph.fairness(edge);
        boolean inside = component[graph.target(edge)] == component[state];
        if (fair >= 0) {
          taken[fair] |= inside;
          if (lastSeenIn[fair] != turn) {
            lastSeenIn[fair] = turn;
            allowedIn[fair]++;
          }
        }
      }
    }

    boolean neglectsWeak() {
      for (int fair = 0; fair < Step.KINDS; fair++) {
        if (allowedIn[fair] == members.length && !taken[fair]) {
          return true;
        }
      }
      return false;
    }

    boolean @Nullable [] neglectedStrong() {
      boolean[] neglected = new boolean[Step.KINDS];
      boolean any = false;
      for (int fair = 0; fair < Step.KINDS; fair++) {
        neglected[fair] = allowedIn[fair] > 0 && !taken[fair] && Step.isStronglyFair(fair);
        any |= neglected[fair];
      }
      return any ? neglected : null;
    }

    String texts() {
      TreeSet<String> texts = new TreeSet<>();
      for (int state : members) {
        for (int edge = graph.firstEdge(state); edge < graph.endOfEdges(state); edge++) {
          if (component[graph.target(edge)] == component[state]) {
            texts.add(Step.text(graph.step(edge)));
          }
        }
      }
      return String.join("; ", texts);
    }
  }

  /** Strongly connected components by Tarjan's algorithm, with a stack of its own. */
  private static final class Components {
    private static final int OUTSIDE = 0;
    private static final int INSIDE = -1;

    private final Graph graph;
    private final int[] component;
    private final int[] order;
    private final int[] low;
    private final int[] nextEdge;
    private int[] path = new int[0];
    private int[] open = new int[0];
    private int opened;
    private int visited;
    private int last;

    Components(Graph graph, int[] component) {
      this.graph = graph;
      this.component = component;
      this.order = new int[component.length];
      this.low = new int[component.length];
      this.nextEdge = new int[component.length];
    }

    /** Numbers the components of the set, from 1 on, and hands on the members of each. */
    void of(int[] members, Consumer<int[]> found) {
      path = new int[members.length];
      open = new int[members.length];
      visited = 0;
      for (int state : members) {
        component[state] = INSIDE;
        order[state] = 0;
      }
      for (int state : members) {
        if (order[state] == 0) {
          visitFrom(state, found);
        }
      }
    }

    void leave(int[] members) {
      for (int state : members) {
        component[state] = OUTSIDE;
      }
    }

    private void visitFrom(int root, Consumer<int[]> found) {
      int depth = 0;
      path[depth++] = enter(root);
      while (depth > 0) {
        int state = path[depth - 1];
        if (nextEdge[state] < graph.endOfEdges(state)) {
          int next = graph.target(nextEdge[state]++);
          if (component[next] == INSIDE && order[next] == 0) {
            path[depth++] = enter(next);
          } else if (component[next] == INSIDE) {
            low[state] = Math.min(low[state], order[next]);
          }
        } else {
          depth--;
          if (depth > 0) {
            low[path[depth - 1]] = Math.min(low[path[depth - 1]], low[state]);
          }
          if (low[state] == order[state]) {
            found.accept(complete(state));
          }
        }
      }
    }

    private int enter(int state) {
      order[state] = low[state] = ++visited;
      open[opened++] = state;
      nextEdge[state] = graph.firstEdge(state);
      return state;
    }

    private int[] complete(int root) {
      int top = opened;
      last++;
      int state;
      do {
        state = open[--opened];
        component[state] = last;
      } while (state != root);
      return Arrays.copyOfRange(open, opened, top);
    }
  }
}
