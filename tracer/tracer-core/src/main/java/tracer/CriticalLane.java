package tracer;

import static java.lang.System.Logger.Level.ERROR;

import holdfast.lifecycle.Deadline;
import holdfast.time.TimeSource;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HexFormat;
import java.util.Objects;
import tracer.drain.EmergencyFile;
import tracer.drain.Persisted;
import tracer.drain.Telling;
import tracer.lane.Drops;
import tracer.lane.Writer;
import tracer.ring.RecordFormat;

/**
 * Records what explains a crash. An event goes to the rings of its own lane; if they are full, to
 * rings of lower lanes, whose events are dropped; if none can be had, to the emergency file, for
 * which the caller waits a little. Only when that fails too it is lost, and said to be. Safe for
 * use by many threads.
 */
public final class CriticalLane {
  private static final System.Logger LOG = System.getLogger("tracer");

  /** What the emergency file takes; an event with more is lost if no ring has room for it. */
  private static final int MOST_BYTES = 16 * 1024 * 1024;

  private final Writer writer;
  private final EmergencyFile emergency;
  private final Duration wait;
  private final Drops drops;
  private final Persisted persisted;
  private final TracerListener listener;
  private final TimeSource time;

  CriticalLane(Stages stages, TracerBuilder settings) {
    this.writer = stages.producers.critical();
    this.emergency = stages.emergency;
    this.wait = settings.emergencyWait;
    this.drops = stages.drops;
    this.persisted = stages.persisted;
    this.listener = settings.listener;
    this.time = settings.time;
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
    Thread thread = Thread.currentThread();
    long header = RecordFormat.header(RecordFormat.BYTES, event.id(), thread.getId());
    long now = time.nanoTime();
    synchronized (writer) { // a monitor, since a lock may stay locked where the stack ends
      if (writer.bytes(header, now, bytes, 0, bytes.length)) {
        return true;
      }
    }
    return toEmergencyFile(event, bytes, now);
  }

  private boolean toEmergencyFile(TraceEvent event, byte[] bytes, long now) {
    boolean written =
        bytes.length <= MOST_BYTES
            && emergency.write(line(event, bytes), Deadline.after(wait, time));
    synchronized (writer) {
      writer.countElsewhere();
    }
    if (written) {
      persisted.add(Lane.CRITICAL, 1);
      return true;
    }
    DropReason reason = writer.lastReason(now);
    drops.count(Lane.CRITICAL, reason, 1, now, now);
    LOG.log(ERROR, "tracer lost a critical event event=" + event + " reason=" + reason.code());
    Telling.tell(() -> listener.criticalLost(event, reason));
    return false;
  }

  /**
   * Time, thread, event, and the bytes: as hexadecimal digits, since nobody knows what they are.
   */
  private byte[] line(TraceEvent event, byte[] bytes) {
    String line =
        time.instant()
            + " thread="
            + Thread.currentThread().getId()
            + " event="
            + event.name().replaceAll("\\s", "_")
            + " length="
            + bytes.length
            + " bytes="
            + HexFormat.of().formatHex(bytes)
            + "\n";
    return line.getBytes(StandardCharsets.UTF_8);
  }
}
