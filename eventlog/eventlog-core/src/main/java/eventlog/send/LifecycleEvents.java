package eventlog.send;

import eventlog.EventLogLifecycleListener;
import holdfast.log.ListenerCalls;
import holdfast.time.TimeSource;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;

/** Calls the lifecycle listener, once for each change. Safe for use by many threads. */
public final class LifecycleEvents {
  private final EventLogLifecycleListener listener;
  private final ListenerCalls calls;
  private final AtomicBoolean spilling = new AtomicBoolean();
  private final AtomicLong replayed = new AtomicLong();

  /** Calls that listener. */
  public LifecycleEvents(EventLogLifecycleListener listener, TimeSource time) {
    this.listener = listener;
    this.calls = new ListenerCalls("eventlog", time);
  }

  /** Calls nobody. */
  public static LifecycleEvents none() {
    return new LifecycleEvents(EventLogLifecycleListener.NONE, TimeSource.system());
  }

  /** Events were written to disk, or were found there. */
  public void spilled() {
    if (!spilling.get() && spilling.compareAndSet(false, true)) {
      calls.run(listener::onSpillBegan);
    }
  }

  /**
   * A directory has no more events.
   *
   * @param total how many events from disk were ever sent
   */
  public void replayed(long total) {
    long events = total - replayed.getAndSet(total);
    if (events > 0) {
      calls.run(() -> listener.onReplayFinished(events));
    }
  }

  /** No directory has events any more. */
  public void emptied() {
    if (spilling.get() && spilling.compareAndSet(true, false)) {
      calls.run(listener::onSpillEnded);
    }
  }

  void circuitOpened(String problem) {
    calls.run(() -> listener.onCircuitOpened(problem));
  }

  void circuitClosed() {
    calls.run(listener::onCircuitClosed);
  }

  /** The disk fails from now on. */
  public void diskFails(Exception cause) {
    calls.run(() -> listener.onDiskFailing(cause));
  }

  /** The disk works again. */
  public void diskWorks() {
    calls.run(listener::onDiskWorking);
  }
}
