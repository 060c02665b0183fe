package eventlog.spill;

import static java.lang.System.Logger.Level.WARNING;

import eventlog.EventLogEntry;
import eventlog.LossReason;
import eventlog.send.EventLogLedger;
import holdfast.files.PrivateFiles;
import holdfast.log.LibraryLogger;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.StandardCopyOption;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One locked directory with its two files. Safe for use by many threads. Its lock is held while the
 * disk works, so its counts are read without it: a disk that hangs holds up nobody who only looks.
 *
 * <p>The active file is appended to. Rotation makes it the replay file: it is forced, renamed, and
 * the directory is forced. The replay file is sent and deleted, then the note of progress. A crash
 * can come between any two of these steps; {@link Recovery} finds its way from all of them.
 */
public final class SpillDirectory implements AutoCloseable {
  private static final System.Logger LOG = LibraryLogger.of("eventlog");

  private final SpillFiles files;
  private final DirectoryLock lock;
  private final Limits limits;
  private final EventLogLedger ledger;
  private final Quarantine quarantine;
  private final ActiveFile active;
  private @Nullable Progress progress;
  private boolean progressFails;
  private long replayBytes;
  private long replayLines;
  private long replayNumber;

  /** The counts after the last change; replaced with the lock, read without. */
  private volatile Counts counts;

  private record Counts(
      long lines, long bytes, long replayBytes, long replayOffset, long replayNumber) {}

  // Confined to the thread that appends.
  private final LineBatch batch;
  private long nextNumber;

  SpillDirectory(
      SpillFiles files,
      DirectoryLock lock,
      Limits limits,
      EventLogLedger ledger,
      Quarantine quarantine,
      Recovery found) {
    this.files = files;
    this.lock = lock;
    this.limits = limits;
    this.ledger = ledger;
    this.batch = new LineBatch(limits);
    this.quarantine = quarantine;
    this.active = found.active();
    this.progress = found.progress();
    this.replayBytes = found.replayBytes();
    this.replayLines = found.replayLines();
    this.nextNumber = found.nextNumber();
    this.counts = count();
  }

  private Counts count() {
    return new Counts(
        active.lines() + replayLines,
        active.length() + replayBytes,
        replayBytes,
        progress == null ? 0 : progress.offset(),
        replayNumber);
  }

  /** The files. */
  public SpillFiles files() {
    return files;
  }

  /** The limits. */
  public Limits limits() {
    return limits;
  }

  /** How many events are on disk and not yet answered for. */
  public long unanswered() {
    return counts.lines;
  }

  /** How many bytes the two files have together. */
  public long bytes() {
    return counts.bytes;
  }

  /** How many bytes the replay file has; 0 if there is none. */
  public long replayBytes() {
    return counts.replayBytes;
  }

  /** How many lines were set aside. */
  public long quarantined() {
    return quarantine.lines();
  }

  /**
   * What became of events that were to be appended.
   *
   * @param count so many are dealt with
   * @param refused those of them that are not on disk
   */
  public record Appended(int count, List<Refused> refused) {}

  /**
   * An event that is not on disk.
   *
   * @param entry the event
   * @param reason why not
   */
  public record Refused(EventLogEntry entry, LossReason reason) {}

  /**
   * Appends the first of the events, as many as make one write. For one thread only.
   *
   * @throws IOException if the disk cannot be written; then none of them is there
   */
  public Appended append(List<EventLogEntry> events) throws IOException {
    long unanswered;
    long bytes;
    synchronized (this) {
      try {
        noticeIfGone();
      } finally {
        counts = count();
      }
      unanswered = unanswered();
      bytes = bytes();
    }
    // Without the lock: events may hold objects of the application, whose code runs now.
    int count = batch.encode(events, nextNumber, unanswered, bytes);
    if (batch.lines() > 0) {
      synchronized (this) {
        active.append(batch.bytes(), batch.lines());
        counts = count();
      }
      nextNumber += batch.lines();
      ledger.spilled(batch.lines());
    }
    return new Appended(count, batch.refused());
  }

  /** Makes what was appended survive a loss of power. */
  public synchronized void force() throws IOException {
    active.force();
  }

  synchronized boolean isUnforced() {
    return active.isUnforced();
  }

  /**
   * Makes the active file the replay file, unless there is one already.
   *
   * @return whether there is one now
   * @throws IOException if the disk cannot be written
   */
  public synchronized boolean rotate() throws IOException {
    try {
      return isRotated();
    } finally {
      counts = count();
    }
  }

  private boolean isRotated() throws IOException {
    if (progress != null && Files.exists(files.replay())) {
      return true;
    }
    noticeReplayGone();
    noticeIfGone();
    if (active.lines() == 0) {
      return false;
    }
    active.tidy(); // what a failed write left is still in memory, and will be written again
    active.force();
    active.close();
    Files.deleteIfExists(files.progress());
    Progress next = Progress.ofNext(files);
    Files.move(files.active(), files.replay(), StandardCopyOption.ATOMIC_MOVE);
    // From here on nothing may fail: a replay file without progress counts as gone.
    replayLines = active.lines();
    replayBytes = active.length();
    active.release();
    progress = next;
    replayNumber++;
    files.forceDirectory();
    return true;
  }

  /** Where in the replay file the first event begins that has not been answered for. */
  public long replayOffset() {
    return counts.replayOffset;
  }

  /** Which replay file this is, to tell it from those before. */
  public long replayNumber() {
    return counts.replayNumber;
  }

  /**
   * Counts events of the replay file as done with, while others before the same offset are not: a
   * later process will find them there.
   *
   * @param lines how many
   */
  public synchronized void answered(long lines) {
    if (lines > replayLines) {
      ledger.recoveredAtStartup(lines - replayLines); // somebody has added lines by hand
      replayLines = lines;
    }
    replayLines -= lines;
    counts = count();
  }

  /**
   * Notes that events of the replay file are done with: answered for, set aside or lost.
   *
   * @param lines how many, without those that were counted before
   * @param offset where the next one begins
   * @param force whether the note must survive a loss of power
   */
  public synchronized void answered(long lines, long offset, boolean force) {
    answered(lines);
    if (progress == null) {
      return;
    }
    try {
      progress.advance(offset, force);
      progressFails = false;
    } catch (IOException e) {
      // This process remembers it; only a crash before the next note would repeat more.
      if (!progressFails) { // not again for every batch
        LOG.log(
            WARNING,
            "eventlog progress not written, a crash now would send events again that are delivered"
                + " directory="
                + files.directory()
                + "; make the directory writable, or free space on its disk",
            e);
      }
      progressFails = true;
    }
    counts = count();
  }

  /**
   * Deletes the replay file, whose last event has been answered for.
   *
   * @throws IOException if it cannot be deleted
   */
  public synchronized void finishReplay() throws IOException {
    Files.deleteIfExists(files.replay());
    files.forceDirectory(); // or the file could come back without the note of its progress
    noticeReplayGone();
    counts = count();
    Files.deleteIfExists(files.progress());
  }

  private void noticeReplayGone() {
    if (replayLines > 0) {
      lose(replayLines, "replay file");
    }
    replayLines = 0;
    replayBytes = 0;
    progress = null;
  }

  private void noticeIfGone() throws IOException {
    if (active.isGone()) {
      lose(active.lines(), "active file");
      active.release();
    }
    if (!Files.exists(files.lock())) { // with it went the right to be alone here
      PrivateFiles.createDirectories(files.directory());
      lock.renew(files);
    }
  }

  private void lose(long lines, String what) {
    LOG.log(
        WARNING,
        "eventlog "
            + what
            + " gone, somebody has deleted or moved it; its events are lost directory="
            + files.directory()
            + " events="
            + lines
            + "; stop the logger before you touch its files, and append the lines of a copy to "
            + files.active().getFileName());
    ledger.lost(LossReason.SPILLOVER_IO_ERROR, lines);
  }

  /**
   * Sets an event aside, or loses it if there is no room.
   *
   * @param entry the event
   * @param reason the code of the reason
   * @param problem why, for people
   * @return false if it was lost
   * @throws IOException if the disk cannot be written
   */
  public boolean setAside(EventLogEntry entry, String reason, String problem) throws IOException {
    return quarantine.add(entry, reason, problem);
  }

  /**
   * Sets a line aside that is no event, or none that may be sent.
   *
   * @return false if there is no room
   * @throws IOException if the disk cannot be written
   */
  public boolean setAside(byte[] line, String reason, String problem) throws IOException {
    return quarantine.add(line, reason, problem);
  }

  /** The line of the log for a {@link #close} that has failed. */
  public String notClosedWell() {
    return "eventlog directory not closed well, a loss of power now may cost its last events"
        + " directory="
        + files.directory()
        + "; check its disk; the next start of the logger takes up what is there";
  }

  /** Forces what was appended, and lets the directory go. */
  @Override
  public synchronized void close() throws IOException {
    try {
      active.tidy();
      active.force();
    } finally {
      try {
        active.close();
      } finally {
        lock.close();
      }
    }
  }
}
