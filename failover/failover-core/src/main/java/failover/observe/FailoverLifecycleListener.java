package failover.observe;

import failover.FailoverOutcome.Kind;
import failover.FailoverSpec;
import org.jspecify.annotations.Nullable;

/**
 * Somebody who is told what happens, on the thread on which it happens. Safe for use by many
 * threads, and quick: calls wait for it. What it throws is counted and goes no further.
 */
public interface FailoverLifecycleListener {

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
   * A call has ended.
   *
   * @param spec the point
   * @param kind how
   * @param gotValue whether its caller got something, be it a default
   */
  default void ended(FailoverSpec<?> spec, Kind kind, boolean gotValue) {}

  /**
   * A write behind the back of callers failed or was dropped.
   *
   * @param name the effective name
   * @param operation store or delete
   * @param why the class of what the store threw, or {@code dropped}
   */
  default void writeFailed(String name, String operation, String why) {}
}
