package holdfast.work;

import holdfast.log.Outage;
import java.time.Duration;
import java.util.Set;

/**
 * What a node knows of all nodes that share its table: whether others are there to take events, and
 * which types are paused. Must be safe for use by many threads.
 */
public interface Nodes {
  /** Stands for all types among those that are paused: {@value}. */
  String ALL_TYPES = "*";

  /** A node that never hears of others: it works for itself, and nothing is paused. */
  Nodes ALONE =
      new Nodes() {
        @Override
        public void claiming(boolean claims) {}

        @Override
        public void leave() {}

        @Override
        public Duration refresh() {
          return Duration.ofDays(1);
        }

        @Override
        public boolean hasOthers() {
          return false;
        }

        @Override
        public Set<String> pausedTypes() {
          return Set.of();
        }

        @Override
        public void connect(Outage outage, Runnable onPauseChanged) {}
      };

  /** Notes whether this node takes events from the table, and so is there for the others. */
  void claiming(boolean claims);

  /** Tells the others that this node is no longer there; a failure is logged, not thrown. */
  void leave();

  /**
   * If it is time to, tells the others that this node is there, and reads what it must know of
   * them. A failure is logged, not thrown; what was known stays.
   *
   * @return how long until it is time again
   */
  Duration refresh();

  /** Returns whether another node was there of late that takes events from the table. */
  boolean hasOthers();

  /** Returns the types that no node may handle events of; {@link #ALL_TYPES} stands for all. */
  Set<String> pausedTypes();

  /**
   * Connects this with its engine; called once.
   *
   * @param outage the state of the database, for all threads of the node
   * @param onPauseChanged is called when other types are paused than before; must not throw
   */
  void connect(Outage outage, Runnable onPauseChanged);

  /** Returns whether no node may handle events of a type. */
  default boolean isPaused(String type) {
    Set<String> paused = pausedTypes();
    return !paused.isEmpty() && (paused.contains(type) || paused.contains(ALL_TYPES));
  }

  /** Returns whether no node may handle any event. */
  default boolean isAllPaused() {
    return pausedTypes().contains(ALL_TYPES);
  }
}
