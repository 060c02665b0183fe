package failover.observe;

/** Tells publishers how the points are configured. Safe for use by many threads. */
@FunctionalInterface
public interface FailoverObserver {

  /** Publishes one event for each point. */
  void observe();
}
