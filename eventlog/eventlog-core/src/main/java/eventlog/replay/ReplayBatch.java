package eventlog.replay;

import eventlog.EventLogEntry;
import eventlog.LossReason;
import eventlog.send.Redactor;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;

/**
 * Some lines of the replay file, in order.
 *
 * @param events those that are events
 * @param badLines those that are none; who sets them aside takes them out
 * @param nextOffset where the next line begins
 */
record ReplayBatch(List<EventLogEntry> events, Deque<BadLine> badLines, long nextOffset) {

  /** A line that is no event, or none that may be sent, and why. */
  record BadLine(ByteBuffer bytes, String reason, String problem) {}

  private static final String UNREADABLE = "unreadable_line";

  /**
   * The next lines, their events redacted; empty at the end of the file.
   *
   * @param most how many lines at most
   * @param mostBytes how many bytes they have at most, or one line
   */
  static ReplayBatch read(LineReader lines, int most, int mostBytes, Redactor redactor)
      throws IOException {
    List<EventLogEntry> events = new ArrayList<>();
    Deque<BadLine> badLines = new ArrayDeque<>();
    long bytes = 0;
    while (events.size() + badLines.size() < most && lines.next()) {
      if (bytes > 0 && bytes + lines.count() > mostBytes) {
        lines.holdBack();
        break;
      }
      bytes += lines.count() + 1L;
      try {
        EventLogEntry redacted = redactor.redact(lines.event());
        if (redacted == null) {
          badLines.add(bad(lines, LossReason.REDACTION_FAILED.code(), "the redaction failed"));
        } else {
          events.add(redacted);
        }
      } catch (IllegalArgumentException e) {
        badLines.add(bad(lines, UNREADABLE, String.valueOf(e.getMessage())));
      }
    }
    return new ReplayBatch(events, badLines, lines.nextOffset());
  }

  private static BadLine bad(LineReader lines, String reason, String problem) {
    return new BadLine(ByteBuffer.wrap(lines.copy()), reason, problem);
  }

  int lines() {
    return events.size() + badLines.size();
  }
}
