package chaos.outbox;

import java.time.Duration;

/**
 * How much is asked of the nodes.
 *
 * @param publishers publishing threads of each node
 * @param pause how long each of them waits between transactions
 * @param eventsPerNode how many events each node publishes before it only delivers
 * @param failing how many deliveries in a hundred fail
 * @param aggregates how many aggregates have ordered events; zero for events without an order
 * @param versions how many events each of them gets
 * @param stuck the aggregate whose listener always fails; -1 for none
 */
record Load(
    int publishers,
    Duration pause,
    int eventsPerNode,
    int failing,
    int aggregates,
    int versions,
    int stuck) {

  /** As fast as it goes, until each node has published its share. */
  static Load share(int eventsPerNode) {
    return new Load(2, Duration.ZERO, eventsPerNode, 0, 0, 0, -1);
  }

  /** At an even pace until the nodes are told to stop. */
  static Load untilStopped() {
    return new Load(2, Duration.ofMillis(5), Integer.MAX_VALUE, 0, 0, 0, -1);
  }

  /** Ordered events until each aggregate is full. */
  static Load ordered(int aggregates, int versions) {
    return new Load(2, Duration.ofMillis(5), Integer.MAX_VALUE, 0, aggregates, versions, -1);
  }

  Load failing(int percent) {
    return new Load(publishers, pause, eventsPerNode, percent, aggregates, versions, stuck);
  }

  Load stuck(int aggregate) {
    return new Load(publishers, pause, eventsPerNode, failing, aggregates, versions, aggregate);
  }
}
