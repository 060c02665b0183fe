package eventlog;

import static java.lang.System.Logger.Level.WARNING;

import eventlog.send.InFlightEvent;
import eventlog.spi.EventLogClient;
import holdfast.breaker.CircuitBreaker;
import holdfast.ledger.LedgerSnapshot;
import holdfast.lifecycle.CloseReport;
import holdfast.lifecycle.Closing;
import holdfast.lifecycle.ClosingGate;
import holdfast.lifecycle.Deadline;
import holdfast.lifecycle.Lifecycle;
import holdfast.lifecycle.Threads;
import holdfast.log.LibraryLogger;
import holdfast.time.Alarm;
import holdfast.time.TimeSource;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * Sends events to the Event Log API without ever making the caller wait. While the API is down and
 * a {@code spilloverPath} is set, events go to disk and are sent from there by themselves later.
 *
 * <pre>{@code
 * AsyncEventLogger logger = AsyncEventLogger.builder()
 *     .client(eventLogClient)
 *     .spilloverPath(Path.of("./spillover"))
 *     .build();
 * logger.log(event);
 * logger.close();
 * }</pre>
 *
 * <p>Building one starts its threads; closing it drains them. Safe for use by many threads.
 */
public final class AsyncEventLogger implements AutoCloseable {
  private static final System.Logger LOG = LibraryLogger.of("eventlog");
  private static final Duration LOOK_AGAIN = Duration.ofMillis(5);

  private final ClosingGate gate = new ClosingGate();
  private final Lifecycle life = new Lifecycle("AsyncEventLogger");
  private final Pipeline pipeline;
  private final Closing closing = new Closing();
  private final AtomicReference<@Nullable Deadline> closeBy = new AtomicReference<>();
  private final TimeSource time;
  private final Duration closeTimeout;
  private final @Nullable Thread hook;

  AsyncEventLogger(AsyncEventLoggerBuilder settings, EventLogClient client) {
    this.time = settings.time;
    this.closeTimeout = settings.closeTimeout;
    this.pipeline = new Pipeline(settings, client);
    life.start();
    pipeline.start();
    this.hook = settings.registerShutdownHook ? registerHook() : null;
  }

  /** Starts a logger's settings. */
  public static AsyncEventLoggerBuilder builder() {
    return new AsyncEventLoggerBuilder();
  }

  private Thread registerHook() {
    Thread thread = Threads.daemon("eventlog-shutdown").newThread(this::shutdown);
    Runtime.getRuntime().addShutdownHook(thread);
    return thread;
  }

  /**
   * Logs an event. Never waits, never throws, never touches the disk.
   *
   * @param event the event
   * @return false if it was lost at once; the callback was told the reason
   */
  public boolean log(EventLogEntry event) {
    if (event == null) { // callers without null checks; it is no event, so no book knows it
      LOG.log(
          WARNING,
          "eventlog was given null instead of an event; nothing is logged, build an EventLogEntry");
      return false;
    }
    if (pipeline.ledger.atOwnWork()) {
      pipeline.ledger.acceptedElsewhere();
      return lost(event, LossReason.LOGGED_BY_LOGGER);
    }
    return pipeline.queue.offer(event) || overflow(event);
  }

  /** The queue is full, or closed; the gate is closed before the queue is. */
  private boolean overflow(EventLogEntry event) {
    pipeline.ledger.acceptedElsewhere();
    pipeline.ledger.moving(1);
    try {
      return spillOrLose(event);
    } finally {
      pipeline.ledger.moved(1);
    }
  }

  private boolean spillOrLose(EventLogEntry event) {
    if (!gate.enter()) {
      return lost(event, LossReason.SHUTDOWN_IN_PROGRESS);
    }
    try {
      return pipeline.overflow.take(new InFlightEvent(event), LossReason.QUEUE_FULL);
    } finally {
      gate.exit();
    }
  }

  /**
   * Logs events in order, as {@link #log(EventLogEntry)} does.
   *
   * @param events the events
   * @return how many were not lost at once
   */
  public int log(List<EventLogEntry> events) {
    int kept = 0;
    try {
      for (EventLogEntry event : events == null ? List.<EventLogEntry>of() : events) {
        if (log(event)) {
          kept++;
        }
      }
    } catch (RuntimeException e) { // somebody changes the list meanwhile, or it is a broken one
      LOG.log(WARNING, "eventlog was given a list that cannot be read to its end", e);
    }
    return kept;
  }

  private boolean lost(EventLogEntry event, LossReason reason) {
    pipeline.ledger.lost(new InFlightEvent(event), reason);
    return false;
  }

  /**
   * Waits until no event is in memory any more: each is delivered, on disk or lost. Events that are
   * logged meanwhile are waited for as well.
   *
   * @param timeout how long to wait at most; zero only looks
   * @return whether no event is in memory
   * @throws InterruptedException if the calling thread is interrupted
   */
  public boolean flush(Duration timeout) throws InterruptedException {
    Deadline deadline = Deadline.after(timeout, time);
    Alarm alarm = time.newAlarm();
    pipeline.senders.hurry(true);
    try {
      while (!pipeline.isMemoryEmpty()) {
        if (deadline.isOver()) {
          return false;
        }
        Duration left = deadline.remaining();
        alarm.await(left.compareTo(LOOK_AGAIN) < 0 ? left : LOOK_AGAIN);
      }
      return true;
    } finally {
      pipeline.senders.hurry(false);
    }
  }

  /** How many events are in the main queue. */
  public int queueDepth() {
    return pipeline.queue.size();
  }

  /** How many events the main queue has room for. */
  public int queueCapacity() {
    return pipeline.queue.capacity();
  }

  /** What is on disk; empty if spillover is off. */
  public Optional<SpilloverStatus> spillover() {
    return Optional.ofNullable(pipeline.spillover());
  }

  /** What the breaker does with requests now. */
  public CircuitBreaker.State circuitState() {
    return pipeline.requests.circuit();
  }

  /** The counters as they stand. */
  public EventLogMetrics metrics() {
    LedgerSnapshot ledger = ledger();
    return new EventLogMetrics(
        pipeline.queue.added(),
        ledger.delivered(),
        ledger.lost(),
        pipeline.ledger.spilledCount(),
        pipeline.ledger.replayedCount(),
        queueDepth(),
        circuitState() == CircuitBreaker.State.OPEN);
  }

  /** Returns the ledger: accepted + recoveredAtStartup = delivered + held + lost. */
  public LedgerSnapshot ledger() {
    return pipeline.ledger.snapshot();
  }

  /**
   * Closes within the time the logger was built with; see {@link #close(Duration)}.
   *
   * @return the ledger at the end
   */
  public LedgerSnapshot shutdown() {
    close();
    return ledger();
  }

  /** Closes within the time the logger was built with; see {@link #close(Duration)}. */
  @Override
  public void close() {
    close(closeTimeout);
  }

  /**
   * Takes no more events, sends what it can within the time given, writes the rest to disk, and
   * ends. Idempotent; a concurrent second call waits for the first.
   *
   * <p>A termination signal meanwhile waits for it, whether or not the logger has a shutdown hook.
   *
   * @param timeout the time for sending what is in memory, and for requests under way. Writing the
   *     rest to disk has its own time on top: 2 seconds, or 10 while the disk gets on with it
   * @return what was left behind: {@code stillRunning} counts threads that did not end, {@code
   *     unwritten} events that were lost while closing
   */
  public CloseReport close(Duration timeout) {
    Deadline own = Deadline.after(Pipeline.longestStop(timeout), time);
    Deadline first = closeBy.updateAndGet(set -> set == null ? own : set);
    Deadline patience = first.remaining().compareTo(own.remaining()) > 0 ? first : own;
    return closing.close(patience, () -> stop(timeout));
  }

  private CloseReport stop(Duration timeout) {
    Thread waitsForThis = hook == null ? hookUnlessJvmEnds() : hook;
    life.close();
    long lostBefore = ledger().lost();
    gate.close(); // before the queue: what the queue refuses must find the gate closed
    pipeline.queue.close();
    int stillRunning = pipeline.stop(gate, timeout);
    remove(waitsForThis);
    return new CloseReport(0, stillRunning, ledger().lost() - lostBefore);
  }

  /** Without it, a JVM that is told to end would not wait for the close under way. */
  private @Nullable Thread hookUnlessJvmEnds() {
    try {
      return registerHook();
    } catch (IllegalStateException e) {
      return null; // it ends already, and waits for the hook that closes this logger
    }
  }

  private static void remove(@Nullable Thread registered) {
    if (registered == null || registered.equals(Thread.currentThread())) {
      return;
    }
    try {
      Runtime.getRuntime().removeShutdownHook(registered);
    } catch (IllegalStateException e) {
      // The JVM is ending; the hook runs anyway and finds nothing left to do.
    }
  }
}
