package eventlog.spill;

import static java.lang.System.Logger.Level.INFO;

import eventlog.LossReason;
import eventlog.send.EventLogLedger;
import holdfast.files.PrivateFiles;
import holdfast.log.LibraryLogger;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.jspecify.annotations.Nullable;

/**
 * What an earlier process has left in a directory, put in order. Confined to one thread.
 *
 * <ul>
 *   <li>active file only: it is appended to; a torn last line is set aside and cut off first
 *   <li>replay file, with or without an active one: it is sent on from where the progress says
 *   <li>progress without a replay file: the last process died after deleting that; so it goes
 * </ul>
 */
final class Recovery {
  private static final System.Logger LOG = LibraryLogger.of("eventlog");
  private static final int NUMBER_BYTES = 64;

  private final SpillFiles files;
  private final Limits limits;
  private final Quarantine quarantine;
  private final EventLogLedger ledger;
  private final ActiveFile active;
  private final boolean own;
  private @Nullable Progress progress;
  private long replayBytes;
  private long replayLines;
  private long lastNumber;
  private boolean torn;
  private boolean tornSetAside;

  /**
   * A look still to be taken.
   *
   * @param own whether what is in quarantine there is in the ledger of this process
   */
  Recovery(
      SpillFiles files, Limits limits, Quarantine quarantine, EventLogLedger ledger, boolean own) {
    this.own = own;
    this.files = files;
    this.limits = limits;
    this.quarantine = quarantine;
    this.ledger = ledger;
    this.active = new ActiveFile(files);
  }

  /** Looks at the files, and leaves them fit for use. */
  Recovery run() throws IOException {
    long aside = own ? quarantine.recover() : 0;
    recoverReplay();
    recoverActive();
    // Only now: a look that failed half-way is taken again from the start.
    long events = active.lines() + replayLines;
    ledger.recoveredAtStartup(aside + events + (torn ? 1 : 0));
    if (torn && !tornSetAside) {
      ledger.lost(LossReason.QUARANTINE_FULL, 1);
    }
    if (events > 0) {
      LOG.log(INFO, "eventlog found events=" + events + " directory=" + files.directory());
    }
    return this;
  }

  private void recoverReplay() throws IOException {
    if (!Files.exists(files.replay())) {
      Files.deleteIfExists(files.progress());
      return;
    }
    Progress known = Progress.of(files);
    LineScan scan = LineScan.of(files.replay(), known.offset());
    progress = known;
    replayBytes = scan.size();
    replayLines = scan.pieces();
    lastNumber = Math.max(lastNumber, number(files.replay(), scan));
  }

  private void recoverActive() throws IOException {
    LineScan scan = LineScan.of(files.active(), 0);
    lastNumber = Math.max(lastNumber, number(files.active(), scan));
    if (scan.tailAt() == scan.size()) {
      active.recovered(scan.size(), scan.lines());
      return;
    }
    if (isTailIntact(scan)) {
      keepTail(scan);
    } else {
      cutTail(scan, tail(scan));
    }
  }

  private boolean isTailIntact(LineScan scan) throws IOException {
    try (FileChannel channel = PrivateFiles.open(files.active(), StandardOpenOption.READ)) {
      return LineFormat.isIntact(channel, scan.tailAt(), scan.size() - scan.tailAt());
    }
  }

  /** Only the line feed is missing. */
  private void keepTail(LineScan scan) throws IOException {
    try (FileChannel channel = PrivateFiles.open(files.active(), StandardOpenOption.WRITE)) {
      SpillFiles.writeFully(channel, ByteBuffer.wrap(new byte[] {'\n'}), scan.size());
    }
    lastNumber = Math.max(lastNumber, number(files.active(), LineScan.of(files.active(), 0)));
    active.recovered(scan.size() + 1, scan.lines() + 1);
  }

  private void cutTail(LineScan scan, byte[] tail) throws IOException {
    torn = true;
    tornSetAside =
        quarantine.add(
            tail,
            "torn_line",
            "the last process did not finish writing it, " + tail.length + " bytes");
    try (FileChannel channel = PrivateFiles.open(files.active(), StandardOpenOption.WRITE)) {
      channel.truncate(scan.tailAt());
      channel.force(true);
    }
    active.recovered(scan.tailAt(), scan.lines());
  }

  private byte[] tail(LineScan scan) throws IOException {
    long count = Math.min(limits.maxLineBytes(), scan.size() - scan.tailAt());
    return LineScan.read(files.active(), scan.tailAt(), (int) count);
  }

  private static long number(Path file, LineScan scan) throws IOException {
    if (scan.lines() == 0) {
      return 0;
    }
    byte[] start = LineScan.read(file, scan.lastLineAt(), NUMBER_BYTES);
    return LineFormat.number(start, 0, start.length);
  }

  ActiveFile active() {
    return active;
  }

  @Nullable Progress progress() {
    return progress;
  }

  long replayBytes() {
    return replayBytes;
  }

  long replayLines() {
    return replayLines;
  }

  long nextNumber() {
    return lastNumber + 1;
  }
}
