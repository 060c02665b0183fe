package outbox.spring.boot;

import java.time.Duration;
import org.springframework.context.SmartLifecycle;
import outbox.jdbc.JdbcOutbox;

/**
 * Starts the outbox late and stops it early: before the data source goes, but after the web server
 * and the consumers of messages, whose last requests may publish. Safe for use by many threads.
 */
final class OutboxLifecycle implements SmartLifecycle {
  /** Below the web server, so that it starts after and stops before it. */
  static final int PHASE = Integer.MAX_VALUE - 4096;

  private final JdbcOutbox outbox;
  private final boolean polls;
  private final Duration drainTimeout;
  private State state = State.NEW;

  private enum State {
    NEW,
    RUNNING,
    STOPPED
  }

  OutboxLifecycle(JdbcOutbox outbox, boolean polls, Duration drainTimeout) {
    this.outbox = outbox;
    this.polls = polls;
    this.drainTimeout = drainTimeout;
  }

  @Override
  public synchronized void start() {
    if (state == State.STOPPED) {
      throw new IllegalStateException(
          "the outbox must not have been stopped but it has, and what was drained cannot be"
              + " started again; close the application context and make a new one");
    }
    if (polls) {
      outbox.start();
    }
    state = State.RUNNING;
  }

  @Override
  public synchronized void stop() {
    state = State.STOPPED;
    outbox.close(drainTimeout);
  }

  @Override
  public synchronized boolean isRunning() {
    return state == State.RUNNING;
  }

  @Override
  public int getPhase() {
    return PHASE;
  }

  /** A context that is only paused, between tests say, goes on delivering. */
  @Override
  public boolean isPauseable() {
    return false;
  }
}
