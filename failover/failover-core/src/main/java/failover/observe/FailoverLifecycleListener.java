package failover.observe;

import failover.FailoverOutcome.Kind;
import failover.FailoverSpec;
import org.jspecify.annotations.Nullable;

/**
 * A listener for what happens to calls. It is called on the thread on which that happens, and must
 * be quick and safe for use by many threads. What it throws is counted and goes no further.
 */
public interface FailoverLifecycleListener {
  /** Does nothing. */
  FailoverLifecycleListener NONE = new FailoverLifecycleListener() {};

  /** A point is there. */
  default void registered(FailoverSpec<?> spec) {}

  /**
   * A source has ended.
   *
   * @param spec the point
   * @param answered whether it answered
   * @param nanos how long it took
   */
  default void upstream(FailoverSpec<?> spec, boolean answered, long nanos) {}

  /**
   * A live answer was handed to the store.
   *
   * @param spec the point
   * @param kept whether the store took it
   * @param nanos how long that took
   */
  default void stored(FailoverSpec<?> spec, boolean kept, long nanos) {}

  /**
   * A stored answer was looked for.
   *
   * @param spec the point
   * @param cause the failure of the source
   * @param found whether there was one
   * @param trouble what the store or codec threw, or null
   * @param nanos how long that took
   */
  default void recovered(
      FailoverSpec<?> spec,
      Throwable cause,
      boolean found,
      @Nullable Throwable trouble,
      long nanos) {}

  /**
   * A stored answer is given of which some slices were not found.
   *
   * @param spec the point
   * @param missing how many slices
   * @param total of how many
   */
  default void recoveredPartially(FailoverSpec<?> spec, int missing, int total) {}

  /**
   * A call has ended.
   *
   * @param spec the point
   * @param kind how
   * @param gotValue whether its caller got something, be it a default
   */
  default void ended(FailoverSpec<?> spec, Kind kind, boolean gotValue) {}

  /**
   * An asynchronous write failed or was dropped.
   *
   * @param name the effective name
   * @param operation store or delete
   * @param why the class of what the store threw, or a {@link
   *     failover.store.FailoverStore.DropReason#code}
   */
  default void writeFailed(String name, String operation, String why) {}
}
