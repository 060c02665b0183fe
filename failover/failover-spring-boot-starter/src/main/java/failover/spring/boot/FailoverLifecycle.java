package failover.spring.boot;

import failover.Failovers;
import java.time.Duration;
import org.springframework.context.SmartLifecycle;

/**
 * Starts sweeps late and closes the door early: before the data source goes, but after the web
 * server, whose last requests may need it. Safe for use by many threads.
 */
final class FailoverLifecycle implements SmartLifecycle {
  /** Below the web server, so that it stops after it. */
  static final int PHASE = Integer.MAX_VALUE - 4096;

  private final Failovers failovers;
  private final boolean sweeps;
  private final Duration drainTimeout;
  private boolean running;

  FailoverLifecycle(Failovers failovers, boolean sweeps, Duration drainTimeout) {
    this.failovers = failovers;
    this.sweeps = sweeps;
    this.drainTimeout = drainTimeout;
  }

  @Override
  public synchronized void start() {
    if (sweeps) {
      failovers.start();
    }
    running = true;
  }

  @Override
  public synchronized void stop() {
    running = false;
    failovers.close(drainTimeout);
  }

  @Override
  public synchronized boolean isRunning() {
    return running;
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
