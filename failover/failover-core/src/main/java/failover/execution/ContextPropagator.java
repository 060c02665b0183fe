package failover.execution;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

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

  /**
   * Carries what all of them carry, the first one outermost.
   *
   * @throws IllegalStateException when wrapping, if one of them gives null
   */
  static ContextPropagator all(List<? extends ContextPropagator> propagators) {
    List<ContextPropagator> inward = new ArrayList<>(propagators);
    Collections.reverse(inward);
    return task -> {
      Runnable wrapped = task;
      for (ContextPropagator propagator : inward) {
        wrapped = propagator.wrap(wrapped);
        if (wrapped == null) {
          throw new IllegalStateException(
              propagator.getClass().getName() + " must give a task but gave null");
        }
      }
      return wrapped;
    };
  }
}
