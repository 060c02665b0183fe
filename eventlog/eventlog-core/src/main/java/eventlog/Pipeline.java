package eventlog;

import static java.lang.System.Logger.Level.INFO;

import eventlog.replay.Replayer;
import eventlog.send.Admission;
import eventlog.send.ByteBudget;
import eventlog.send.EventLogLedger;
import eventlog.send.EventQueue;
import eventlog.send.InFlightEvent;
import eventlog.send.LifecycleEvents;
import eventlog.send.Overflow;
import eventlog.send.Pace;
import eventlog.send.Place;
import eventlog.send.Redactor;
import eventlog.send.Requests;
import eventlog.send.Retries;
import eventlog.send.Route;
import eventlog.send.Senders;
import eventlog.spi.EntryWriter;
import eventlog.spi.EventLogClient;
import eventlog.spill.Limits;
import eventlog.spill.Spill;
import eventlog.spill.SpillHome;
import holdfast.breaker.CircuitBreaker;
import holdfast.ledger.LedgerSnapshot;
import holdfast.lifecycle.ClosingGate;
import holdfast.lifecycle.Deadline;
import holdfast.lifecycle.Threads;
import holdfast.log.LibraryLogger;
import holdfast.retry.Backoff;
import holdfast.time.TimeSource;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The pipeline an event goes through, wired together, started from the end and stopped from the
 * beginning. Safe for use by many threads; one starts and one stops.
 */
final class Pipeline {
  private static final System.Logger LOG = LibraryLogger.of("eventlog");

  /** How long threads that were interrupted have to notice. */
  private static final Duration AFTER_INTERRUPT = Duration.ofSeconds(1);

  private static final int LAST_LOOKS = 100_000;

  final EventLogLedger ledger;
  final EventQueue queue;
  final Requests requests;
  final Overflow overflow;
  final Senders senders;
  private final LifecycleEvents events;
  private final ByteBudget toDisk;
  private final Retries retries;
  private final @Nullable Spill spill;
  private final @Nullable Replayer replayer;
  private final TimeSource time;

  Pipeline(AsyncEventLoggerBuilder s, EventLogClient client) {
    this.time = s.time;
    this.toDisk = new ByteBudget(s.maxQueueBytes, s.queueCapacity);
    ByteBudget unsent = new ByteBudget(s.maxQueueBytes, 2L * s.queueCapacity); // and the retries
    this.queue = new EventQueue(s.queueCapacity, unsent);
    this.ledger = new EventLogLedger(s.eventLossCallback, queue::added, new Redactor(s.redaction));
    this.events = new LifecycleEvents(s.lifecycleListener, time);
    this.requests =
        new Requests(
            client,
            new Admission(
                new CircuitBreaker(s.circuitBreakerThreshold, s.circuitBreakerReset, time),
                Math.max(2, s.senderThreads), // the replay needs one beside a single sender
                new Pace(queue, s.batchSize, s.maxReplayEventsPerSecond, time),
                time),
            events);
    SpillHome home = s.spilloverPath == null ? null : home(s, s.spilloverPath);
    this.spill = home == null ? null : spill(s, home);
    this.overflow = spill == null ? Overflow.none(ledger) : spill;
    this.retries = new Retries(queue, overflow, s.queueCapacity, unsent, ledger, time);
    Route route =
        new Route(
            queue,
            requests,
            retries,
            overflow,
            ledger,
            new EntryWriter(s.maxEntryBytes),
            Backoff.exponential(s.baseRetryDelay, s.maxRetryDelay),
            s.maxRetries,
            s.maxRequestBytes);
    this.senders = senders(s, route);
    this.replayer = spill == null || home == null ? null : replayer(s, spill, home, route);
    countPlaces();
  }

  private SpillHome home(AsyncEventLoggerBuilder s, Path path) {
    Limits limits =
        new Limits(
            s.maxSpilloverEvents,
            s.maxSpilloverSizeBytes,
            s.maxQuarantineSizeBytes,
            s.maxEntryBytes);
    return new SpillHome(path, limits, ledger, time);
  }

  private Spill spill(AsyncEventLoggerBuilder s, SpillHome home) {
    EventQueue unwritten = new EventQueue(s.queueCapacity, toDisk);
    return new Spill(home, unwritten, ledger, events, s.forcePolicy, s.forceInterval, time);
  }

  private Senders senders(AsyncEventLoggerBuilder s, Route route) {
    // All senders together hold at most a quarter of what the queue to the disk has room for, which
    // is half of its room for large events. A character is two bytes in memory and mostly one in a
    // request.
    long share = s.maxQueueBytes / (4L * s.senderThreads);
    return new Senders(
        route,
        s.senderThreads,
        s.batchSize,
        Math.max(1, Math.min(2L * s.maxRequestBytes, share)),
        s.maxBatchWait,
        s.virtualThreads
            ? Threads.virtualIfAvailable("eventlog-sender")
            : Threads.daemon("eventlog-sender"),
        time);
  }

  private Replayer replayer(AsyncEventLoggerBuilder s, Spill from, SpillHome home, Route route) {
    Replayer.Pacing pacing =
        new Replayer.Pacing(s.replayInterval, s.effectiveReplayBatchSize(), s.maxReplayTries);
    return new Replayer(from, home, route, pacing, s.forcePolicy, events, time);
  }

  private void countPlaces() {
    ledger.count(Place.QUEUE, queue::size);
    ledger.count(Place.SENDING, senders::inHand);
    ledger.count(Place.RETRY, retries::size);
    if (spill != null && replayer != null) {
      ledger.count(Place.SPILLING, spill::waiting);
      ledger.count(Place.DISK, replayer::onDisk);
      ledger.count(Place.QUARANTINE, replayer::quarantined);
    }
  }

  /** Returns whether no event is in memory: each is delivered, on disk or lost. */
  boolean isMemoryEmpty() {
    // Two looks: between two of the counters that one look reads, an event may move.
    for (int look = 0; look < 2; look++) {
      LedgerSnapshot snapshot = ledger.snapshot();
      long onDisk =
          snapshot.heldByPlace().getOrDefault(Place.DISK.word(), 0L)
              + snapshot.heldByPlace().getOrDefault(Place.QUARANTINE.word(), 0L);
      if (snapshot.held() != onDisk || snapshot.unaccounted() != 0) {
        return false;
      }
    }
    return true;
  }

  @Nullable SpilloverStatus spillover() {
    return spill == null || replayer == null
        ? null
        : spill.status(replayer.onDisk(), replayer.quarantined());
  }

  void start() {
    if (spill != null) {
      spill.start();
    }
    retries.start();
    senders.start();
    if (replayer != null) {
      replayer.start();
    }
  }

  /** Returns how long {@link #stop} takes at most: the senders, the replay, the disk. */
  static Duration longestStop(Duration timeout) {
    return timeout.plus(AFTER_INTERRUPT).plus(Spill.LONGEST_STOP);
  }

  /**
   * Stops what is upstream first, so that every event still finds the next stage open.
   *
   * @return how many threads did not end
   */
  int stop(ClosingGate gate, Duration timeout) {
    List<InFlightEvent> pendingRetries = retries.cancel();
    boolean interrupted = stopRequests(gate, Deadline.after(timeout, time));
    List<InFlightEvent> left = new ArrayList<>(senders.abandoned());
    while (queue.size() > 0) { // somebody may be about to fill a place it has claimed
      if (queue.drain(left, Integer.MAX_VALUE) == 0) {
        Thread.onSpinWait();
      }
    }
    int moving = left.size() + pendingRetries.size();
    ledger.moving(moving);
    toDisk.lift(); // what follows is in memory already, and nothing else comes
    left.forEach(event -> overflow.take(event, LossReason.SHUTDOWN_IN_PROGRESS));
    pendingRetries.forEach(event -> overflow.take(event, LossReason.SHUTDOWN_PENDING_RETRY));
    ledger.moved(moving);
    if (spill != null) {
      interrupted |= interruptedIn(spill::stop);
    }
    LOG.log(INFO, lastLedger().toLine() + " closed");
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
    return stillRunning();
  }

  /** Ends live requests and those of the replay, all within the one deadline. */
  private boolean stopRequests(ClosingGate gate, Deadline drain) {
    senders.stop();
    if (replayer != null) {
      replayer.stop();
    }
    boolean interrupted =
        interruptedIn(
            () -> {
              gate.awaitDrained(drain);
              awaitRequests(drain);
            });
    senders.interrupt();
    if (replayer != null) {
      replayer.interrupt();
    }
    Deadline afterwards = Deadline.after(AFTER_INTERRUPT, time);
    interrupted |=
        interruptedIn(
            () -> {
              awaitRequests(afterwards);
              retries.awaitEnd(afterwards);
            });
    return interrupted;
  }

  private void awaitRequests(Deadline deadline) throws InterruptedException {
    senders.awaitEnd(deadline);
    if (replayer != null) {
      replayer.awaitEnd(deadline);
    }
  }

  private int stillRunning() {
    int alive = senders.stillRunning();
    alive += spill != null && spill.isRunning() ? 1 : 0;
    return alive + (replayer != null && replayer.isRunning() ? 1 : 0);
  }

  /** The ledger, after the last calls of log() have counted what they were refused. */
  private LedgerSnapshot lastLedger() {
    LedgerSnapshot snapshot = ledger.snapshot();
    for (int i = 0; i < LAST_LOOKS && !snapshot.isAccountedFor(); i++) {
      Thread.onSpinWait();
      snapshot = ledger.snapshot();
    }
    return snapshot;
  }

  private interface Waiting {
    void run() throws InterruptedException;
  }

  /** Does the waiting; an interrupt cuts it short, but not the steps that follow. */
  private static boolean interruptedIn(Waiting waiting) {
    try {
      waiting.run();
      return false;
    } catch (InterruptedException e) {
      return true;
    }
  }
}
