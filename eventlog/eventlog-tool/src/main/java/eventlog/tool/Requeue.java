package eventlog.tool;

import eventlog.EventLogEntry;
import eventlog.replay.LineReader;
import eventlog.send.EventLogLedger;
import eventlog.send.Redactor;
import eventlog.spill.SpillDirectory;
import eventlog.spill.SpillFiles;
import holdfast.files.PrivateFiles;
import holdfast.time.TimeSource;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Brings lines of the quarantine back. Confined to one thread.
 *
 * <p>Events are in the spillover file, and forced, before the quarantine is replaced by what is
 * left of it. A crash between leaves them in both; brought back once more, they are sent twice, and
 * their idempotency key tells the API.
 */
final class Requeue {
  private final List<String> reasons;
  private final Terminal terminal;
  private final Map<String, Long> stuck = new TreeMap<>();
  private long requeued;
  private long left;

  /**
   * A requeue.
   *
   * @param reasons only lines with these; all if there are none
   */
  Requeue(List<String> reasons, Terminal terminal) {
    this.reasons = List.copyOf(reasons);
    this.terminal = terminal;
  }

  Exit of(Path root) throws IOException {
    TimeSource time = TimeSource.system();
    EventLogLedger ledger = new EventLogLedger(null, () -> 0, Redactor.none());
    try (LockedDirectories locked = LockedDirectories.of(root, ledger, time)) {
      for (SpillDirectory directory : locked.all()) {
        requeue(directory);
      }
    }
    terminal.out().println("requeued " + requeued + ", left in quarantine " + left);
    stuck.forEach(
        (reason, count) ->
            terminal.out().println("  " + reason + " " + count + ": not readable as an event"));
    return stuck.isEmpty() ? Exit.DONE : Exit.NOT_ALL;
  }

  private void requeue(SpillDirectory directory) throws IOException {
    SpillFiles files = directory.files();
    Path rest = files.quarantine().resolveSibling("eventlog-spillover.quarantine.rest");
    try (LineReader lines = new LineReader(files.quarantine(), 0, QuarantineLine.MOST_BYTES);
        FileChannel kept =
            PrivateFiles.open(
                rest,
                StandardOpenOption.CREATE,
                StandardOpenOption.TRUNCATE_EXISTING,
                StandardOpenOption.WRITE)) {
      while (lines.next()) {
        byte[] line = lines.copy();
        if (bringBack(line, directory)) {
          requeued++;
        } else {
          left++;
          write(kept, line);
          write(kept, new byte[] {'\n'});
        }
      }
      directory.force();
      kept.force(true);
    } catch (NoSuchFileException e) {
      Files.deleteIfExists(rest);
      return; // nothing was set aside
    }
    Files.move(rest, files.quarantine(), StandardCopyOption.ATOMIC_MOVE);
    if (Files.size(files.quarantine()) == 0) {
      Files.delete(files.quarantine());
    }
    files.forceDirectory();
  }

  private boolean bringBack(byte[] bytes, SpillDirectory directory) throws IOException {
    QuarantineLine line = QuarantineLine.of(bytes);
    if (!reasons.isEmpty() && !reasons.contains(line.reason())) {
      return false;
    }
    EventLogEntry event = line.event();
    if (event == null || !directory.append(List.of(event)).refused().isEmpty()) {
      stuck.merge(line.reason(), 1L, Long::sum);
      return false;
    }
    return true;
  }

  private static void write(FileChannel channel, byte[] bytes) throws IOException {
    ByteBuffer buffer = ByteBuffer.wrap(bytes);
    while (buffer.hasRemaining()) {
      channel.write(buffer);
    }
  }
}
