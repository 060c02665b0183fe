package eventlog.replay;

import static java.lang.System.Logger.Level.ERROR;
import static java.lang.System.Logger.Level.WARNING;

import eventlog.ForcePolicy;
import eventlog.send.EventLogLedger;
import eventlog.send.LifecycleEvents;
import eventlog.send.Requests;
import eventlog.send.Route;
import eventlog.spill.Spill;
import eventlog.spill.SpillDirectory;
import eventlog.spill.SpillHome;
import holdfast.lifecycle.Deadline;
import holdfast.lifecycle.Threads;
import holdfast.log.FailureSeries;
import holdfast.log.LibraryLogger;
import holdfast.time.Alarm;
import holdfast.time.TimeSource;
import java.io.IOException;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * The thread that sends events from disk, again and again after a pause: first those of this
 * process, then those that dead processes have left. Safe for use by many threads.
 */
public final class Replayer {
  private static final System.Logger LOG = LibraryLogger.of("eventlog");

  private final Spill spill;
  private final SpillHome home;
  private final LifecycleEvents events;
  private final EventLogLedger ledger;
  private final Duration interval;
  private final Requests requests;
  private final Alarm alarm;
  private final ReplayPass pass;
  private final FailureSeries diskFailures;
  private final FailureSeries defects;
  private final Thread thread;
  private volatile @Nullable SpillDirectory adopted;
  private final AtomicLong adoptedQuarantine = new AtomicLong();
  private volatile boolean stopped;
  private boolean foundAtStart; // set before the thread starts

  /**
   * A replay that is not started.
   *
   * @param spill has this process's directory
   * @param home has those of dead processes
   * @param route the way to the API
   * @param pacing when, and in which batches
   * @param policy whether progress must survive a loss of power
   * @param events calls the lifecycle listener
   * @param time the clock
   */
  public Replayer(
      Spill spill,
      SpillHome home,
      Route route,
      Pacing pacing,
      ForcePolicy policy,
      LifecycleEvents events,
      TimeSource time) {
    this.spill = spill;
    this.home = home;
    this.events = events;
    this.ledger = route.ledger();
    this.interval = pacing.interval();
    this.alarm = time.newAlarm();
    this.requests = route.requests();
    this.diskFailures =
        new FailureSeries(
            LOG,
            WARNING,
            "eventlog replay",
            ", events stay on disk until a later pass; make the directory readable and writable,"
                + " and free space on its disk: directory="
                + home.root(),
            time);
    this.defects =
        new FailureSeries(
            LOG,
            ERROR,
            "eventlog replay",
            ", events stay on disk until a later pass; report this with the stack trace: directory="
                + home.root(),
            time);
    this.pass =
        new ReplayPass(
            route.requests(),
            route.ledger(),
            new ReplayPass.Settings(
                pacing.batchSize(),
                route.maxRequestBytes(),
                route.backoff(),
                route.maxRetries(),
                pacing.maxTries(),
                policy),
            alarm,
            () -> stopped);
    this.thread =
        Threads.daemon("eventlog-replay")
            .newThread(
                () -> {
                  route.ledger().enterOwnWork();
                  loop();
                });
  }

  /**
   * When events from disk are sent, and in which batches.
   *
   * @param interval the pause between two passes
   * @param batchSize how many events one request carries at most
   * @param maxTries how often an event may fail alone while others are accepted
   */
  public record Pacing(Duration interval, int batchSize, int maxTries) {}

  /** Starts the thread, which sends at once what was there before. */
  public void start() {
    foundAtStart = unanswered(spill.directory()) > 0;
    thread.start();
  }

  /** Returns whether its thread runs. */
  public boolean isRunning() {
    return thread.isAlive();
  }

  /** How many events are on disk, here and in the directory that was taken over. */
  public long onDisk() {
    return unanswered(spill.directory()) + unanswered(adopted);
  }

  /** How many events were set aside, here and in directories that were taken over. */
  public long quarantined() {
    return quarantined(spill.directory()) + quarantined(adopted) + adoptedQuarantine.get();
  }

  private static long unanswered(@Nullable SpillDirectory directory) {
    return directory == null ? 0 : directory.unanswered();
  }

  private static long quarantined(@Nullable SpillDirectory directory) {
    return directory == null ? 0 : directory.quarantined();
  }

  /** Lets the thread end after the request under way. */
  public void stop() {
    stopped = true;
    requests.stopPacing();
    alarm.ring();
  }

  /** Interrupts the request under way. */
  public void interrupt() {
    thread.interrupt();
  }

  /**
   * Waits for the thread to end after it was stopped.
   *
   * @param deadline how long to wait
   * @return whether it has ended
   * @throws InterruptedException if the caller is interrupted while it waits
   */
  public boolean awaitEnd(Deadline deadline) throws InterruptedException {
    return deadline.join(thread);
  }

  private void loop() {
    Pass next = foundAtStart ? this::replayAll : this::replayOthers;
    while (!stopped) {
      try {
        Pass now = next;
        next = this::replayAfterPause;
        now.run();
        if (spill.directory() != null) { // else the disk was not asked for anything
          diskFailures.worked();
          defects.worked();
        }
      } catch (InterruptedException e) {
        if (!stopped) {
          LOG.log(
              WARNING,
              "eventlog replay interrupted, it goes on with the next pass; let no code of the"
                  + " application interrupt threads whose names begin with eventlog-");
        }
      } catch (IOException e) {
        diskFailures.failed("", e);
      } catch (RuntimeException | Error e) {
        defects.failed("", e);
      }
    }
    letGo();
  }

  /** One go at the disk. */
  private interface Pass {
    void run() throws IOException, InterruptedException;
  }

  private void replayAfterPause() throws IOException, InterruptedException {
    alarm.await(interval);
    if (!stopped) {
      replayAll();
    }
  }

  private void replayAll() throws IOException, InterruptedException {
    SpillDirectory own = spill.directory();
    if (own != null && isSent(own)) {
      replayOthers();
    }
  }

  /** Sends what dead processes have left; nothing while not even this one has a directory. */
  private void replayOthers() throws IOException, InterruptedException {
    SpillDirectory own = spill.directory();
    while (!stopped && own != null) {
      SpillDirectory orphan = adopted;
      if (orphan == null) {
        Optional<SpillDirectory> found = home.adopt(own.files().directory());
        if (found.isEmpty()) {
          if (onDisk() == 0 && spill.waiting() == 0) {
            events.emptied();
          }
          return;
        }
        orphan = found.get();
        adopted = orphan;
      }
      if (!isSent(orphan)) {
        return;
      }
      letGo();
    }
  }

  private boolean isSent(SpillDirectory directory) throws IOException, InterruptedException {
    if (directory.unanswered() > 0) {
      events.spilled(); // found at the start, or left by a dead process
    }
    boolean sent = pass.run(directory);
    if (sent) {
      events.replayed(ledger.replayedCount());
    }
    return sent;
  }

  private void letGo() {
    SpillDirectory orphan = adopted;
    if (orphan == null) {
      return;
    }
    if (orphan.unanswered() == 0) { // else it is the end, and the last ledger still count it
      adoptedQuarantine.addAndGet(orphan.quarantined());
      adopted = null;
    }
    try {
      orphan.close();
    } catch (IOException e) {
      LOG.log(WARNING, orphan.notClosedWell(), e);
    }
  }
}
