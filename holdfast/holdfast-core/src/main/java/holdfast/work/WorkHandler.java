package holdfast.work;

/**
 * Runs the application's handlers for one event.
 *
 * @param <T> what the library claims
 */
@FunctionalInterface
public interface WorkHandler<T extends WorkItem> {

  /**
   * Runs them.
   *
   * @param item the event
   * @return {@link Outcome#DONE}, or an outcome without any handler
   * @throws Throwable what a handler threw
   */
  Outcome handle(T item) throws Throwable;
}
