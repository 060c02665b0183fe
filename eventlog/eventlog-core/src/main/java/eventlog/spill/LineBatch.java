package eventlog.spill;

import eventlog.EventLogEntry;
import eventlog.LossReason;
import eventlog.spi.EntryWriter;
import eventlog.spi.JsonBuffer;
import eventlog.spi.UnwritableEntryException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Events as lines, as many as are written at a time, within the limits. Confined to one thread. */
final class LineBatch {
  /** About so many bytes are handed to the system at a time. */
  private static final int CHUNK = 256 * 1024;

  /** A buffer that one long event has blown up is not kept. */
  private static final int LARGEST_KEPT = 8 * CHUNK;

  private final Limits limits;
  private final EntryWriter writer;
  private JsonBuffer buffer = new JsonBuffer(2 * CHUNK);
  private List<SpillDirectory.Refused> refused = new ArrayList<>();
  private int lines;

  LineBatch(Limits limits) {
    this.limits = limits;
    this.writer = new EntryWriter(limits.maxEntryBytes());
  }

  /**
   * Writes the first of the events into the buffer, and forgets what was there.
   *
   * @param events the events
   * @param firstNumber the number of the first line
   * @param linesOnDisk how many lines count against the limit already
   * @param bytesOnDisk how many bytes count against the limit already
   * @return how many events were dealt with: are lines, or were refused
   */
  int encode(List<EventLogEntry> events, long firstNumber, long linesOnDisk, long bytesOnDisk) {
    if (buffer.array().length > LARGEST_KEPT) {
      buffer = new JsonBuffer(2 * CHUNK);
    }
    buffer.truncate(0);
    refused = new ArrayList<>();
    lines = 0;
    int count = 0;
    while (count < events.size() && buffer.length() < CHUNK) {
      EventLogEntry entry = events.get(count++);
      LossReason reason =
          linesOnDisk + lines >= limits.maxEvents()
              ? LossReason.SPILLOVER_MAX_EVENTS
              : encode(entry, firstNumber + lines, bytesOnDisk);
      if (reason == null) {
        lines++;
      } else {
        refused.add(new SpillDirectory.Refused(entry, reason));
      }
    }
    return count;
  }

  private @Nullable LossReason encode(EventLogEntry entry, long number, long bytesOnDisk) {
    int start = buffer.length();
    try {
      LineFormat.write(entry, number, writer, buffer);
    } catch (UnwritableEntryException e) {
      return e.reason();
    }
    if (bytesOnDisk + buffer.length() > limits.maxBytes()) {
      buffer.truncate(start);
      return LossReason.SPILLOVER_MAX_SIZE;
    }
    return null;
  }

  ByteBuffer bytes() {
    return ByteBuffer.wrap(buffer.array(), 0, buffer.length());
  }

  int lines() {
    return lines;
  }

  List<SpillDirectory.Refused> refused() {
    return refused;
  }
}
