package holdfast.spring;

import java.util.concurrent.atomic.AtomicReference;
import org.springframework.context.SmartLifecycle;

/**
 * Starts a library late and stops it early: before the data source goes, but after the web server
 * and the consumers of messages, whose last requests may still need it. Safe for use by many
 * threads.
 */
public final class LibraryLifecycle implements SmartLifecycle {
  /** Below the web server, so that it stops after it. */
  public static final int PHASE = Integer.MAX_VALUE - 4096;

  private final String library;
  private final Runnable start;
  private final Runnable stop;
  private final AtomicReference<State> state = new AtomicReference<>(State.NEW);

  private enum State {
    NEW,
    RUNNING,
    STOPPED
  }

  /**
   * Starts nothing yet.
   *
   * @param library what it is, to be read in a sentence: {@code "the outbox"}
   * @param start what to do when the application has started
   * @param stop what to do when it ends; waits for what must be waited for
   */
  public LibraryLifecycle(String library, Runnable start, Runnable stop) {
    this.library = library;
    this.start = start;
    this.stop = stop;
  }

  @Override
  public void start() {
    if (state.get() == State.STOPPED) {
      throw new IllegalStateException(
          library
              + " must not have been stopped but it has, and what was drained cannot be started"
              + " again; close the application context and make a new one");
    }
    start.run();
    state.compareAndSet(State.NEW, State.RUNNING);
  }

  @Override
  public void stop() {
    state.set(State.STOPPED);
    stop.run();
  }

  @Override
  public boolean isRunning() {
    return state.get() == State.RUNNING;
  }

  @Override
  public int getPhase() {
    return PHASE;
  }

  /** A context that is only paused, between tests say, goes on working. */
  @Override
  public boolean isPauseable() {
    return false;
  }
}
