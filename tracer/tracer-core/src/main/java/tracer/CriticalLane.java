package tracer;

import holdfast.lifecycle.Deadline;
import holdfast.time.TimeSource;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Objects;
import tracer.drain.EmergencySave;
import tracer.lane.ThreadNames;
import tracer.lane.Writer;
import tracer.ring.RecordFormat;

/**
 * Records what explains a crash. An event goes to the rings of its own lane; if they are full, to
 * rings of lower lanes, whose events are dropped; if none can be had, to the emergency file, for
 * which the caller waits a little. Only when that fails too it is lost, and said to be. Safe for
 * use by many threads.
 */
public final class CriticalLane {
  private final ThreadNames names;
  private final Writer writer;
  private final EmergencySave emergencySave;
  private final Duration wait;
  private final TimeSource time;
  private final boolean recordsNothing;

  CriticalLane(TracerParts parts, TracerBuilder settings) {
    this.names = parts.producers.names();
    this.writer = parts.producers.critical();
    this.emergencySave = parts.emergencySave;
    this.wait = settings.emergencyWait;
    this.time = settings.time;
    this.recordsNothing = settings.recordsNothing;
  }

  /**
   * Records an event with the bytes of a text in UTF-8.
   *
   * @return whether it is kept
   */
  public boolean record(TraceEvent event, String text) {
    return record(event, text.getBytes(StandardCharsets.UTF_8));
  }

  /**
   * Records an event with bytes, which are copied.
   *
   * @return whether it is kept, in memory or in the emergency file
   */
  public boolean record(TraceEvent event, byte[] bytes) {
    Objects.requireNonNull(event, "event");
    if (recordsNothing) {
      return false;
    }
    Thread thread = Thread.currentThread();
    long header =
        names.mark(thread, RecordFormat.header(RecordFormat.BYTES, event.id(), thread.getId()));
    long now = time.nanoTime();
    synchronized (writer) { // a monitor, since a lock may stay locked where the stack ends
      if (writer.bytes(header, now, bytes, 0, bytes.length)) {
        return true;
      }
    }
    return emergencySave.save(
        event, bytes, writer.lastReason(now), Deadline.after(wait, time), this::countElsewhere);
  }

  private void countElsewhere() {
    synchronized (writer) {
      writer.countElsewhere();
    }
  }
}
