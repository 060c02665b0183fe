package eventbus.spring.boot;

import eventbus.EventBus;
import java.time.Duration;
import org.springframework.context.SmartLifecycle;

/**
 * Starts the workers late and stops them early: before the data source goes, but after the web
 * server, whose last requests may publish. Safe for use by many threads.
 */
final class EventBusLifecycle implements SmartLifecycle {
  /** Below the web server, so that it stops after it. */
  static final int PHASE = Integer.MAX_VALUE - 4096;

  private final EventBus bus;
  private final boolean works;
  private final Duration closeTimeout;
  private State state = State.NEW;

  private enum State {
    NEW,
    RUNNING,
    STOPPED
  }

  EventBusLifecycle(EventBus bus, boolean works, Duration closeTimeout) {
    this.bus = bus;
    this.works = works;
    this.closeTimeout = closeTimeout;
  }

  @Override
  public synchronized void start() {
    if (state == State.STOPPED) {
      throw new IllegalStateException(
          "the event bus must not have been stopped but it has, and cannot be started again; close"
              + " the application context and make a new one");
    }
    if (works) {
      bus.start();
    }
    state = State.RUNNING;
  }

  @Override
  public synchronized void stop() {
    state = State.STOPPED;
    bus.close(closeTimeout);
  }

  @Override
  public synchronized boolean isRunning() {
    return state == State.RUNNING;
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
