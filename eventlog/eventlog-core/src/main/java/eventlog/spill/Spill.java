package eventlog.spill;

import static java.lang.System.Logger.Level.WARNING;

import eventlog.EventLogEntry;
import eventlog.ForcePolicy;
import eventlog.LossReason;
import eventlog.SpilloverStatus;
import eventlog.send.Accounts;
import eventlog.send.EventQueue;
import eventlog.send.LifecycleEvents;
import eventlog.send.Overflow;
import eventlog.send.Pending;
import eventlog.spi.UnwritableEntryException;
import holdfast.lifecycle.ClosingGate;
import holdfast.lifecycle.Deadline;
import holdfast.lifecycle.Threads;
import holdfast.log.LibraryLogger;
import holdfast.time.TimeSource;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The way to disk: a queue that nobody waits at, and the thread behind it. Safe for use by many
 * threads.
 */
public final class Spill implements Overflow {
  private static final System.Logger LOG = LibraryLogger.of("eventlog");

  private final SpillHome home;
  private final Accounts accounts;
  private final EventQueue queue;
  private final SpillWriter writer;
  private final Thread thread;
  private final ClosingGate gate = new ClosingGate();

  /**
   * A way to disk that is not started.
   *
   * @param home where to write
   * @param capacity how many events may wait to be written
   * @param accounts the ledger
   * @param events calls the lifecycle listener
   * @param policy when to force
   * @param forceInterval how long after writing, for the policy that asks for it
   * @param time the clock
   */
  public Spill(
      SpillHome home,
      int capacity,
      Accounts accounts,
      LifecycleEvents events,
      ForcePolicy policy,
      Duration forceInterval,
      TimeSource time) {
    this.home = home;
    this.accounts = accounts;
    this.queue = new EventQueue(capacity);
    this.writer = new SpillWriter(queue, home, accounts, events, policy, forceInterval, time);
    this.thread = Threads.daemon("eventlog-spill").newThread(writer);
  }

  /** Opens the directory, recovers what is in it, and starts the thread. */
  public void start() {
    writer.open();
    thread.start();
  }

  /** The directory of this process; null while there is none to be had. */
  public @Nullable SpillDirectory directory() {
    return writer.directoryIfOpen();
  }

  /** How many events wait to be written, or are being written. */
  public long waiting() {
    return (long) queue.size() + writer.inHand();
  }

  /** Returns whether its thread runs. */
  public boolean isRunning() {
    return thread.isAlive();
  }

  /** Whether the disk could not be written lately. */
  public boolean isFailing() {
    return writer.isFailing();
  }

  /**
   * What is on disk.
   *
   * @param events how many events, directories that were taken over included
   * @param quarantined how many lines were set aside, there as well
   */
  public SpilloverStatus status(long events, long quarantined) {
    SpillDirectory open = writer.directoryIfOpen();
    Limits limits = home.limits();
    return new SpilloverStatus(
        open == null ? null : open.files().directory(),
        writer.isFailing(),
        waiting(),
        events,
        limits.maxEvents(),
        open == null ? 0 : open.bytes(),
        limits.maxBytes(),
        open == null ? 0 : open.replayBytes(),
        open == null ? 0 : open.replayOffset(),
        quarantined);
  }

  @Override
  public boolean take(Pending event, LossReason whenOff) {
    if (!gate.enter()) {
      accounts.lost(event, whenOff);
      return false;
    }
    boolean taken;
    try {
      taken = queue.offer(event);
    } finally {
      gate.exit();
    }
    if (!taken) {
      accounts.lost(
          event,
          writer.isFailing() ? LossReason.SPILLOVER_IO_ERROR : LossReason.SPILLOVER_QUEUE_FULL);
    }
    return taken;
  }

  @Override
  public void setAside(EventLogEntry entry, String problem) {
    SpillDirectory directory = writer.directoryIfOpen();
    try {
      if (directory == null) {
        accounts.lost(entry, LossReason.SPILLOVER_IO_ERROR);
      } else if (!directory.setAside(entry, problem)) {
        accounts.lost(entry, LossReason.QUARANTINE_FULL);
      }
    } catch (UnwritableEntryException e) {
      accounts.lost(entry, e.reason()); // what the application put in has changed since it was sent
    } catch (IOException e) {
      LOG.log(WARNING, "eventlog quarantine not written", e);
      accounts.lost(entry, LossReason.SPILLOVER_IO_ERROR);
    }
  }

  @Override
  public boolean isOn() {
    return true;
  }

  @Override
  public int room() {
    return queue.room();
  }

  /**
   * Takes nothing more, writes what waits, forces it and lets the directory go.
   *
   * @param deadline how long to wait for that
   * @return whether it was done in time
   * @throws InterruptedException if the caller is interrupted while it waits
   */
  public boolean stop(Deadline deadline) throws InterruptedException {
    gate.close();
    gate.awaitDrained(deadline);
    writer.stop();
    boolean ended = deadline.join(thread);
    if (!ended) { // a disk that hangs: what has not reached it will not
      List<Pending> left = new ArrayList<>();
      queue.drain(left, Integer.MAX_VALUE);
      left.forEach(event -> accounts.lost(event, LossReason.SPILLOVER_IO_ERROR));
    }
    return ended;
  }
}
