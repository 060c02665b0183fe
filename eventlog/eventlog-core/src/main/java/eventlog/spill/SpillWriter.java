package eventlog.spill;

import static java.lang.System.Logger.Level.ERROR;
import static java.lang.System.Logger.Level.INFO;
import static java.lang.System.Logger.Level.WARNING;

import eventlog.EventLogEntry;
import eventlog.ForcePolicy;
import eventlog.LossReason;
import eventlog.send.EventLogLedger;
import eventlog.send.EventQueue;
import eventlog.send.InFlightEvent;
import eventlog.send.LifecycleEvents;
import eventlog.send.QueueThresholdAlarm;
import eventlog.spi.UnwritableEntryException;
import holdfast.lifecycle.Deadline;
import holdfast.log.LibraryLogger;
import holdfast.time.TimeSource;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.jspecify.annotations.Nullable;

/**
 * The thread that writes to disk: takes what waits, appends it in one go, forces as the policy
 * says. While the disk fails it keeps what it has in hand and tries again. Safe for use by many
 * threads; one runs it.
 */
final class SpillWriter implements Runnable {
  private static final System.Logger LOG = LibraryLogger.of("eventlog");
  private static final Duration LONG = Duration.ofDays(1);
  private static final Duration BETWEEN_TRIES = Duration.ofMillis(500);

  /** A disk that has not answered for so long is taken to hang. */
  private static final Duration HANGS_AFTER = Duration.ofSeconds(5);

  private static final int MOST_IN_HAND = 2048;
  private static final long MOST_BYTES_IN_HAND = 8L * 1024 * 1024;

  private final EventQueue queue;
  private final SpillHome home;
  private final EventLogLedger ledger;
  private final LifecycleEvents events;
  private final ForcePolicy policy;
  private final Duration forceInterval;
  private final TimeSource time;
  private final QueueThresholdAlarm alarm;

  private final CountDownLatch opened = new CountDownLatch(1);
  private List<EventLogEntry> inHand = new ArrayList<>();
  private final Deque<InFlightEvent> rejected = new ArrayDeque<>(); // for the quarantine
  private long unforcedSince;
  private boolean unforced;
  private volatile int inHandCount;
  private volatile boolean failing;
  private volatile @Nullable Long askedAt; // null while the disk is not asked for anything
  private volatile boolean stopping;
  private volatile @Nullable SpillDirectory directory;

  SpillWriter(
      EventQueue queue,
      SpillHome home,
      EventLogLedger ledger,
      LifecycleEvents events,
      ForcePolicy policy,
      Duration forceInterval,
      TimeSource time) {
    this.queue = queue;
    this.home = home;
    this.ledger = ledger;
    this.events = events;
    this.policy = policy;
    this.forceInterval = forceInterval;
    this.time = time;
    this.alarm = new QueueThresholdAlarm(time);
    queue.wakes(alarm);
  }

  /** Opens the directory; a failure is like any other of the disk, and repaired like it. */
  private void open() {
    askedAt = time.nanoTime();
    try {
      directory();
    } catch (IOException e) {
      fails(e);
    } catch (RuntimeException | Error e) {
      LOG.log(ERROR, "eventlog spill directory not opened", e);
      fails(new IOException(e));
    } finally {
      askedAt = null;
      opened.countDown();
    }
  }

  /** Waits until the directory was opened, or could not be. */
  boolean awaitOpened(Deadline deadline) {
    return deadline.awaitUninterruptibly(opened);
  }

  /** The directory this process writes to; null while there is none to be had. */
  @Nullable SpillDirectory directoryIfOpen() {
    return directory;
  }

  /** Whether the disk could not be written lately, or does not answer. */
  boolean isFailing() {
    Long asked = askedAt;
    return failing || (asked != null && time.nanoTime() - asked > HANGS_AFTER.toNanos());
  }

  int inHand() {
    return inHandCount;
  }

  /** Lets it write what waits and end. */
  void stop() {
    stopping = true;
    alarm.ring();
  }

  @Override
  public void run() {
    ledger.enterOwnWork();
    open();
    while (work()) {
      // Until it is stopped and has nothing left in hand.
    }
    closeDirectory();
  }

  private boolean work() {
    try {
      boolean last = stopping; // read first: what is queued later is not ours any more
      if (inHandCount == 0 && take() == 0) {
        if (last) {
          return false;
        }
        askedAt = time.nanoTime();
        forceIfDue();
        askedAt = null;
        alarm.await(queue, 1, untilForce());
        return true;
      }
      askedAt = time.nanoTime();
      SpillDirectory target = directory();
      setAside(target);
      write(target);
      forceIfDue();
      recovers();
    } catch (IOException e) {
      return afterFailure(e);
    } catch (InterruptedException e) {
      LOG.log(WARNING, "eventlog spill writer interrupted; it ends when the logger is closed");
    } catch (RuntimeException | Error e) {
      LOG.log(ERROR, "eventlog spill writer failed", e);
      return afterFailure(new IOException(e));
    } finally {
      askedAt = null;
    }
    return true;
  }

  private int take() {
    List<InFlightEvent> taken = new ArrayList<>();
    queue.drain(taken, MOST_IN_HAND, MOST_BYTES_IN_HAND);
    ledger.moving(taken.size());
    for (InFlightEvent event : taken) {
      if (event.problem() != null) {
        rejected.add(event);
      } else if (ledger.redactor().redact(event)) {
        inHand.add(event.entry());
      } else {
        ledger.lost(event, LossReason.REDACTION_FAILED);
      }
    }
    countInHand();
    ledger.moved(taken.size());
    return taken.size();
  }

  private void countInHand() {
    inHandCount = inHand.size() + rejected.size();
  }

  /** Writes what the API has refused into the quarantine. */
  private void setAside(SpillDirectory target) throws IOException {
    for (InFlightEvent event = rejected.peek(); event != null; event = rejected.peek()) {
      ledger.moving(1);
      try {
        LossReason lost = null;
        try {
          boolean added =
              target.setAside(
                  event.entry(),
                  LossReason.REJECTED_BY_API.code(),
                  String.valueOf(event.problem()));
          lost = added ? null : LossReason.QUARANTINE_FULL;
        } catch (UnwritableEntryException e) {
          lost = e.reason(); // what the application put in has changed since it was sent
        }
        rejected.remove();
        countInHand();
        if (lost != null) {
          ledger.lost(event, lost);
        }
      } finally {
        ledger.moved(1);
      }
    }
  }

  private void write(SpillDirectory target) throws IOException {
    if (inHand.isEmpty()) {
      return;
    }
    while (!inHand.isEmpty()) {
      int moving = inHand.size();
      ledger.moving(moving);
      try {
        events.spilled(); // before they can be replayed
        SpillDirectory.Appended appended = target.append(inHand);
        inHand = new ArrayList<>(inHand.subList(appended.count(), inHand.size()));
        countInHand();
        appended.refused().forEach(refused -> ledger.lost(refused.entry(), refused.reason()));
      } finally {
        ledger.moved(moving);
      }
    }
    if (!unforced) {
      unforced = true;
      unforcedSince = time.nanoTime();
    }
  }

  private SpillDirectory directory() throws IOException {
    SpillDirectory open = directory;
    if (open == null) {
      open = home.open();
      directory = open;
    }
    return open;
  }

  private void forceIfDue() throws IOException {
    boolean due =
        policy == ForcePolicy.EACH_BATCH
            || (policy == ForcePolicy.INTERVAL && untilForce().isZero());
    if (unforced && due) {
      directory().force();
      unforced = false;
    }
  }

  private Duration untilForce() {
    if (!unforced || policy == ForcePolicy.NEVER) {
      return LONG;
    }
    long left = forceInterval.toNanos() - (time.nanoTime() - unforcedSince);
    return Duration.ofNanos(Math.max(0, left));
  }

  private void fails(IOException trouble) {
    if (!failing) {
      failing = true;
      LOG.log(
          WARNING,
          "eventlog disk fails, it cannot write to its spill directory; events wait in memory directory="
              + home.root()
              + "; make the directory writable, free space on its disk, or set another"
              + " spilloverPath",
          trouble);
      events.diskFails(trouble);
    }
  }

  private void recovers() {
    if (failing) {
      failing = false;
      LOG.log(INFO, "eventlog disk works again");
      events.diskWorks();
    }
  }

  /** Waits a moment, unless it is time to end: then what is in hand is lost, and more may come. */
  private boolean afterFailure(IOException trouble) {
    fails(trouble);
    if (stopping) {
      unforced = false;
      List<EventLogEntry> left = inHand;
      inHand = new ArrayList<>();
      List<InFlightEvent> unwritten = List.copyOf(rejected);
      rejected.clear();
      inHandCount = 0;
      unwritten.forEach(event -> ledger.lost(event, LossReason.SPILLOVER_IO_ERROR));
      left.forEach(entry -> ledger.lost(entry, LossReason.SPILLOVER_IO_ERROR));
      return true;
    }
    try {
      alarm.await(queue, Integer.MAX_VALUE, BETWEEN_TRIES);
    } catch (InterruptedException e) {
      LOG.log(WARNING, "eventlog spill writer interrupted; it ends when the logger is closed");
    }
    return true;
  }

  private void closeDirectory() {
    SpillDirectory open = directory;
    if (open != null) {
      try {
        open.close();
      } catch (IOException e) {
        LOG.log(WARNING, open.notClosedWell(), e);
      }
    }
  }
}
