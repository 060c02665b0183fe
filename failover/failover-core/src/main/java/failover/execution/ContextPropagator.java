package failover.execution;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.function.Supplier;

/**
 * Carries what hangs on a thread, such as a trace or a log context, to the threads on which a call
 * goes on: those of calls with a timeout, also when they end after their callers have left, of
 * reads and writes of the store, of publishers, and of stages that end later. Safe for use by many
 * threads.
 */
@FunctionalInterface
public interface ContextPropagator {

  /**
   * The task with what hangs on the current thread now, also if that is nothing. It is put on the
   * thread that runs the task, in the place of what hangs there; that is put back when the task
   * ends, also with an exception or an {@link Error}.
   */
  Runnable wrap(Runnable task);

  /** The same for a task that gives something; it may be run again and again, by one thread. */
  default <T> Supplier<T> wrapSupplier(Supplier<T> task) {
    List<T> given = new ArrayList<>(1);
    Runnable wrapped =
        wrap(
            () -> {
              given.clear();
              given.add(task.get());
            });
    return () -> {
      wrapped.run();
      return given.remove(0);
    };
  }

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
