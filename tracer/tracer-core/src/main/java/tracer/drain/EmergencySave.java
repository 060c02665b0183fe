package tracer.drain;

import static java.lang.System.Logger.Level.ERROR;

import holdfast.lifecycle.Deadline;
import holdfast.log.LibraryLogger;
import holdfast.log.ListenerCalls;
import holdfast.time.TimeSource;
import java.io.ByteArrayOutputStream;
import java.util.ArrayList;
import java.util.List;
import tracer.DropReason;
import tracer.Lane;
import tracer.TraceEvent;
import tracer.TracerLifecycleListener;
import tracer.lane.Drops;
import tracer.lane.Drops.Dropped;
import tracer.ring.RingOrigin;
import tracer.sink.TraceBatch;

/**
 * The end of critical events: those that the sink will not take any more go to the emergency file;
 * only what that does not take either is lost, and said to be. Safe for use by many threads.
 */
public final class EmergencySave {
  private static final System.Logger LOG = LibraryLogger.of("tracer");
  private static final int SLICE_BYTES = 1024 * 1024;

  private final EmergencyFile file;
  private final PersistedCounters persisted;
  private final Drops drops;
  private final TracerLifecycleListener listener;
  private final ListenerCalls calls;
  private final TimeSource time;

  /** A way to that file. */
  public EmergencySave(
      EmergencyFile file,
      PersistedCounters persisted,
      Drops drops,
      TracerLifecycleListener listener,
      TimeSource time) {
    this.file = file;
    this.persisted = persisted;
    this.drops = drops;
    this.listener = listener;
    this.calls = new ListenerCalls("tracer", time);
    this.time = time;
  }

  /**
   * Writes one event of the current thread.
   *
   * @param enter counts it in, before it is counted out
   * @return false if it is lost
   */
  public boolean save(
      TraceEvent event, byte[] bytes, DropReason ifNot, Deadline deadline, Runnable enter) {
    long now = time.nanoTime();
    long thread = Thread.currentThread().getId();
    int saved =
        bytes.length <= EmergencyFile.MOST_BYTES
            ? file.write(EmergencyFile.line(time.instant(), thread, event, bytes), deadline)
            : 0;
    enter.run();
    settle(saved, List.of(event), ifNot, now);
    return saved == 1;
  }

  /** Writes all events of a batch. */
  void save(TraceBatch batch, DropReason ifNot, Deadline deadline) {
    long now = time.nanoTime();
    ByteArrayOutputStream lines = new ByteArrayOutputStream();
    List<TraceEvent> events = new ArrayList<>();
    while (batch.next()) {
      byte[] bytes = new byte[batch.length()];
      batch.copyBytes(bytes, 0);
      lines.writeBytes(
          EmergencyFile.line(
              time.instant().minusNanos(now - batch.time()),
              batch.threadId(),
              batch.event(),
              bytes));
      events.add(batch.event());
      if (lines.size() >= SLICE_BYTES) {
        settle(file.write(lines.toByteArray(), deadline), events, ifNot, batch.time());
        lines.reset();
        events.clear();
      }
    }
    if (!events.isEmpty()) {
      settle(file.write(lines.toByteArray(), deadline), events, ifNot, now);
    }
  }

  /** Counts events: the first ones are saved, the others lost. */
  private void settle(int saved, List<TraceEvent> events, DropReason ifNot, long at) {
    persisted.add(Lane.CRITICAL, saved);
    List<TraceEvent> lost = events.subList(saved, events.size());
    if (lost.isEmpty()) {
      return;
    }
    drops.count(Lane.CRITICAL, ifNot, new Dropped(RingOrigin.SHARED, lost.size(), at, at, -1));
    for (TraceEvent event : lost) {
      LOG.log(ERROR, "tracer lost a critical event event=" + event + " reason=" + ifNot.code());
      calls.run(() -> listener.criticalLost(event, ifNot));
    }
  }
}
