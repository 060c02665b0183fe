package eventlog.replay;

import eventlog.EventLogEntry;
import eventlog.spi.EntryReader;
import eventlog.spill.LineFormat;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Some lines of the replay file, in order.
 *
 * @param events those that are events
 * @param badLines those that are none
 * @param nextOffset where the next line begins
 */
record ReplayBatch(List<EventLogEntry> events, List<BadLine> badLines, long nextOffset) {

  /** A line that is no event, and why. */
  record BadLine(ByteBuffer bytes, String problem) {}

  /** About so many bytes are decoded at a time, however few lines that are. */
  private static final int MOST_BYTES = 4 * 1024 * 1024;

  private static final EntryReader READER = new EntryReader();

  /** The next lines; empty at the end of the file. */
  static ReplayBatch read(LineReader lines, int most) throws IOException {
    List<EventLogEntry> events = new ArrayList<>();
    List<BadLine> badLines = new ArrayList<>();
    int bytes = 0;
    while (events.size() + badLines.size() < most && bytes < MOST_BYTES && lines.next()) {
      bytes += lines.count();
      String problem = decode(lines, events);
      if (!problem.isEmpty()) {
        byte[] line = Arrays.copyOfRange(lines.array(), lines.from(), lines.from() + lines.count());
        badLines.add(new BadLine(ByteBuffer.wrap(line), problem));
      }
    }
    return new ReplayBatch(events, badLines, lines.nextOffset());
  }

  private static String decode(LineReader lines, List<EventLogEntry> events) {
    if (lines.isTooLong()) {
      return "the line is longer than any event; this is its beginning";
    }
    if (!LineFormat.isIntact(lines.array(), lines.from(), lines.count())) {
      return "the checksum does not match";
    }
    try {
      events.add(READER.read(lines.array(), lines.from(), lines.count()));
      return "";
    } catch (IllegalArgumentException e) {
      return String.valueOf(e.getMessage());
    }
  }

  int lines() {
    return events.size() + badLines.size();
  }
}
