package outbox.poller;

import static java.lang.System.Logger.Level.ERROR;

import holdfast.jdbc.Transactions;
import holdfast.lifecycle.Loop;
import holdfast.log.LibraryLogger;
import holdfast.problems.Problems;
import holdfast.time.TimeSource;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import outbox.EventEnvelope;
import outbox.dispatch.ColdScan;
import outbox.dispatch.OutboxDispatcher;
import outbox.dispatch.QueuedEvent;
import outbox.model.Claim;
import outbox.model.ClaimResult;
import outbox.model.OutboxEvent;
import outbox.spi.ConnectionProvider;
import outbox.spi.EventStore;
import outbox.spi.MetricsExporter;

/**
 * The cold path: brings what is due in the table to the dispatcher. Its interval is a ceiling: it
 * looks again at once after a full batch, when the next event is due, when a full queue has room
 * again, and when an outcome makes way for another event. Safe for use by many threads.
 */
public final class OutboxPoller implements AutoCloseable {
  /** How often to look at least unless configured, in milliseconds: {@value}. */
  public static final long DEFAULT_INTERVAL_MS = 5_000;

  /** Events fetched per look unless configured: {@value}. */
  public static final int DEFAULT_BATCH_SIZE = 200;

  /** How old an event must be unless configured, in milliseconds: {@value}. */
  public static final long DEFAULT_SKIP_RECENT_MS = 1_000;

  private static final Duration CLOSE_TIMEOUT = Duration.ofSeconds(10);
  private static final Duration SHORTEST_PAUSE = Duration.ofMillis(5);
  private static final String LOOP = "poll";
  private static final System.Logger LOG = LibraryLogger.of("outbox");

  private final Transactions transactions;
  private final EventStore eventStore;
  private final OutboxDispatcher dispatcher;
  private final Duration skipRecent;
  private final int batchSize;
  private final Duration interval;
  private final MetricsExporter metrics;
  private final TimeSource time;
  private final Loop loop;

  /**
   * A poller on the system's clock; {@link #start} starts it.
   *
   * @param connectionProvider connections to look with
   * @param eventStore where to look
   * @param dispatcher who gets what is found
   * @param skipRecent how old an event must be, zero or more
   * @param batchSize how many events to fetch at a time, 1 or more
   * @param intervalMs how often to look at least, 1 or more
   * @param metrics where to count
   * @throws IllegalArgumentException if a setting is out of range, naming all of them
   */
  public OutboxPoller(
      ConnectionProvider connectionProvider,
      EventStore eventStore,
      OutboxDispatcher dispatcher,
      Duration skipRecent,
      int batchSize,
      long intervalMs,
      MetricsExporter metrics) {
    this(
        connectionProvider,
        eventStore,
        dispatcher,
        skipRecent,
        batchSize,
        intervalMs,
        metrics,
        TimeSource.system());
  }

  /** The same on another clock. */
  public OutboxPoller(
      ConnectionProvider connectionProvider,
      EventStore eventStore,
      OutboxDispatcher dispatcher,
      Duration skipRecent,
      int batchSize,
      long intervalMs,
      MetricsExporter metrics,
      TimeSource time) {
    new Problems("OutboxPoller")
        .require(!skipRecent.isNegative(), "skipRecent", "be zero or more", skipRecent)
        .require(batchSize >= 1, "batchSize", "be 1 or more", batchSize)
        .require(intervalMs >= 1, "intervalMs", "be 1 or more", intervalMs)
        .throwIfAny();
    this.transactions = Transactions.of(connectionProvider::getConnection);
    this.eventStore = eventStore;
    this.dispatcher = dispatcher;
    this.skipRecent = skipRecent;
    this.batchSize = batchSize;
    this.interval = Duration.ofMillis(intervalMs);
    this.metrics = metrics;
    this.time = time;
    this.loop = new Loop("outbox-poller", interval, this::look, this::report, time);
    dispatcher.polledBy(skipRecent, this::dueIn);
  }

  /** Starts looking, on a thread of its own; does nothing the second time. */
  public void start() {
    loop.start();
  }

  /** Looks once, on the calling thread; a failing database is logged, not thrown. */
  public void poll() {
    try {
      look();
    } catch (SQLException | RuntimeException e) {
      report(e);
    }
  }

  /** Looks now instead of at the next interval, if it is started; for who has made events due. */
  public void wakeUp() {
    loop.wakeUp();
  }

  private void dueIn(Duration delay) {
    loop.wakeIn(delay.isZero() ? delay : delay.plus(SHORTEST_PAUSE));
    if (delay.compareTo(skipRecent) < 0) { // it may be too young to be found until then
      loop.wakeIn(skipRecent.plus(SHORTEST_PAUSE));
    }
  }

  /** Looks once and tells when to look again. */
  private Duration look() throws SQLException {
    if (!dispatcher.hasColdQueueCapacity()) {
      return interval; // or sooner, when there is room
    }
    Optional<ClaimResult> claimed = dispatcher.claimCold(batchSize, skipRecent);
    Duration pause = claimed.isPresent() ? afterClaim(claimed.get()) : scan();
    dispatcher.outage().worked(LOOP);
    return pause;
  }

  private void report(Exception failure) {
    if (!loop.isClosed()) {
      dispatcher.outage().failed(LOOP, failure);
    }
  }

  private Duration afterClaim(ClaimResult result) {
    List<OutboxEvent> rows = result.claims().stream().map(Claim::event).toList();
    recordLag(rows);
    return rows.size() >= batchSize ? Duration.ZERO : result.untilNext().plus(SHORTEST_PAUSE);
  }

  /** For stores and tables that cannot lend events: one node, rows not locked. */
  private Duration scan() throws SQLException {
    try (ColdScan scan = dispatcher.beginScan()) {
      Instant now = time.instant();
      List<OutboxEvent> rows =
          transactions.call(conn -> eventStore.pollPending(conn, now, skipRecent, batchSize));
      recordLag(rows);
      boolean room = true;
      for (int i = 0; room && i < rows.size(); i++) {
        room = enqueue(scan, rows.get(i));
      }
      // Rows in hand are read again and again: only a batch that brought something promises more.
      boolean more =
          room
              ? rows.size() >= batchSize && scan.queued() > 0
              : dispatcher.hasColdQueueCapacity(); // else it tells when it has
      return more ? Duration.ZERO : interval;
    }
  }

  private boolean enqueue(ColdScan scan, OutboxEvent row) {
    EventEnvelope event;
    try {
      event = EventEnvelope.of(row);
    } catch (IllegalArgumentException e) {
      giveUp(scan, row, e);
      return true;
    }
    return scan.enqueue(new QueuedEvent(event, QueuedEvent.Source.COLD, row.attempts()));
  }

  private void giveUp(ColdScan scan, OutboxEvent row, Exception cause) {
    String id = row.eventId();
    LOG.log(ERROR, "outbox cannot decode eventId=" + id + ", giving it up", cause);
    try {
      String error = "cannot be decoded: " + cause;
      transactions.run(conn -> eventStore.markDead(conn, id, error));
      scan.dead(id, row.eventType(), error);
    } catch (SQLException | RuntimeException e) {
      dispatcher.outage().failedOnce("marking an undecodable event as dead", e);
    }
  }

  private void recordLag(List<OutboxEvent> rows) {
    Instant now = time.instant();
    long lag =
        rows.stream()
            .mapToLong(row -> Duration.between(row.createdAt(), now).toMillis())
            .max()
            .orElse(0);
    metrics.recordOldestLagMs(Math.max(0, lag));
  }

  /** Stops polling and waits up to 10 seconds for the poll under way. Idempotent. */
  @Override
  public void close() {
    close(CLOSE_TIMEOUT);
  }

  /**
   * Stops polling and waits for the poll under way. Idempotent.
   *
   * @param timeout how long to wait at most
   */
  public void close(Duration timeout) {
    loop.close(timeout);
  }
}
