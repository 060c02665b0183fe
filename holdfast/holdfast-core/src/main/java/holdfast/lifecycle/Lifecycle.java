package holdfast.lifecycle;

import java.util.concurrent.atomic.AtomicReference;

/**
 * The life of a library: made, started once, closed once, never started again.
 *
 * <p>It only decides who does the work: of many threads that start or close at the same time,
 * exactly one is told to. Safe for use by many threads.
 */
public final class Lifecycle {
  private enum State {
    MADE,
    STARTED,
    CLOSED
  }

  private final String subject;
  private final AtomicReference<State> state = new AtomicReference<>(State.MADE);

  /**
   * A life that has not been started.
   *
   * @param subject whose life it is, the first word of error messages
   */
  public Lifecycle(String subject) {
    this.subject = subject;
  }

  /**
   * Starts the life.
   *
   * @return true for the one caller that must do the starting; false if it was started before
   * @throws IllegalStateException if it is closed
   */
  public boolean start() {
    State before = state.compareAndExchange(State.MADE, State.STARTED);
    if (before == State.CLOSED) {
      throw new IllegalStateException(subject + " is closed and cannot be started; make a new one");
    }
    return before == State.MADE;
  }

  /**
   * Ends the life, started or not.
   *
   * @return true for the one caller that must do the closing; false if it was closed before
   */
  public boolean close() {
    return state.getAndSet(State.CLOSED) != State.CLOSED;
  }

  /** Whether it was neither started nor closed. */
  public boolean isNew() {
    return state.get() == State.MADE;
  }

  /** Whether it was started and not closed. */
  public boolean isRunning() {
    return state.get() == State.STARTED;
  }

  /** Whether it was closed. */
  public boolean isClosed() {
    return state.get() == State.CLOSED;
  }
}
