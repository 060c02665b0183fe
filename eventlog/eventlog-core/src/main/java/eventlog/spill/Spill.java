package eventlog.spill;

import static java.lang.System.Logger.Level.WARNING;

import eventlog.EventLogEntry;
import eventlog.ForcePolicy;
import eventlog.LossReason;
import eventlog.SpilloverStatus;
import eventlog.send.EventLogLedger;
import eventlog.send.EventQueue;
import eventlog.send.InFlightEvent;
import eventlog.send.LifecycleEvents;
import eventlog.send.Overflow;
import holdfast.lifecycle.ClosingGate;
import holdfast.lifecycle.Deadline;
import holdfast.lifecycle.Threads;
import holdfast.log.LibraryLogger;
import holdfast.time.TimeSource;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The way to disk: a queue that nobody waits at, and the thread behind it. Safe for use by many
 * threads.
 */
public final class Spill implements Overflow {
  /** How long {@link #stop} waits at most. */
  public static final Duration LONGEST_STOP = Duration.ofSeconds(10);

  private static final System.Logger LOG = LibraryLogger.of("eventlog");
  private static final Duration LONGEST_START = Duration.ofSeconds(5);
  private static final Duration WITHOUT_PROGRESS = Duration.ofSeconds(2);

  private final SpillHome home;
  private final TimeSource time;
  private final EventLogLedger ledger;
  private final EventQueue queue;
  private final SpillWriter writer;
  private final Thread thread;
  private final ClosingGate gate = new ClosingGate();

  /**
   * A way to disk that is not started.
   *
   * @param home where to write
   * @param queue the events that wait to be written
   * @param ledger the ledger
   * @param events calls the lifecycle listener
   * @param policy when to force
   * @param forceInterval how long after writing, for the policy that asks for it
   * @param time the clock
   */
  public Spill(
      SpillHome home,
      EventQueue queue,
      EventLogLedger ledger,
      LifecycleEvents events,
      ForcePolicy policy,
      Duration forceInterval,
      TimeSource time) {
    this.home = home;
    this.time = time;
    this.ledger = ledger;
    this.queue = queue;
    this.writer = new SpillWriter(queue, home, ledger, events, policy, forceInterval, time);
    this.thread = Threads.daemon("eventlog-spill").newThread(writer);
  }

  /**
   * Starts the thread, which opens the directory and recovers what is in it. Waits for that, but
   * not for a disk that hangs: after 5 seconds events wait in memory until it is opened.
   */
  public void start() {
    thread.start();
    if (!writer.awaitOpened(Deadline.after(LONGEST_START, time))) {
      LOG.log(
          WARNING,
          "eventlog disk is slow, the spill directory is not open yet; events wait in memory"
              + " directory="
              + home.root()
              + "; check that its disk answers, or set another spilloverPath");
    }
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
  public boolean take(InFlightEvent event, LossReason whenOff) {
    if (!gate.enter()) {
      ledger.lost(event, whenOff);
      return false;
    }
    boolean taken;
    try {
      taken = queue.offer(event);
    } finally {
      gate.exit();
    }
    if (!taken) {
      ledger.lost(
          event,
          writer.isFailing() ? LossReason.SPILLOVER_IO_ERROR : LossReason.SPILLOVER_QUEUE_FULL);
    }
    return taken;
  }

  @Override
  public void setAside(EventLogEntry entry, String problem) {
    take(InFlightEvent.rejected(entry, problem), LossReason.REJECTED_BY_API);
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
   * Takes nothing more, writes what waits, fsyncs it and releases the directory. Waits as long as
   * the disk gets on with it, within {@link #LONGEST_STOP}; what a disk that hangs has not taken is
   * lost.
   *
   * @throws InterruptedException if the caller is interrupted while it waits
   */
  public void stop() throws InterruptedException {
    Deadline longest = Deadline.after(LONGEST_STOP, time);
    gate.close();
    gate.awaitDrained(Deadline.after(WITHOUT_PROGRESS, time));
    writer.stop();
    long left;
    do {
      left = waiting();
      if (Deadline.after(WITHOUT_PROGRESS, time).join(thread)) {
        return;
      }
    } while (waiting() < left && !longest.isOver());
    List<InFlightEvent> unwritten = new ArrayList<>();
    queue.drain(unwritten, Integer.MAX_VALUE);
    unwritten.forEach(event -> ledger.lost(event, LossReason.SPILLOVER_IO_ERROR));
  }
}
