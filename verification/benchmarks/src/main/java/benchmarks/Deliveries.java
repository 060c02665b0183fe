package benchmarks;

/** What a contender's listener calls for every event it is given. Safe for use by many threads. */
@FunctionalInterface
public interface Deliveries {

  /**
   * The event with that number has reached its listener.
   *
   * @param number identifies the event
   */
  void arrived(long number);
}
