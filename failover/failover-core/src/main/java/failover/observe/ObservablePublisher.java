package failover.observe;

/** Somebody who is told all events. Safe for use by many threads, and quick: calls wait for it. */
@FunctionalInterface
public interface ObservablePublisher {

  /** Takes an event. What it throws is counted and goes no further. */
  void publish(Metrics metrics);
}
