package failover.execution;

/**
 * Carries what hangs on a thread, such as a trace or a log context, to the thread on which a call
 * goes on. Safe for use by many threads.
 */
@FunctionalInterface
public interface ContextPropagator {

  /**
   * The task with what hangs on the current thread now; it is put on the thread that runs the task
   * and taken off again.
   */
  Runnable wrap(Runnable task);

  /** Carries nothing. */
  static ContextPropagator noOp() {
    return task -> task;
  }
}
