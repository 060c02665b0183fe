package outbox.poller;

import holdfast.problems.Problems;
import holdfast.time.TimeSource;
import holdfast.work.ClaimLoop;
import holdfast.work.WorkSettings;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import outbox.dispatch.OutboxDispatcher;
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

  private static final long MAX_INTERVAL_MS = Duration.ofDays(36_500).toMillis();
  private static final Duration CLOSE_TIMEOUT = Duration.ofSeconds(10);

  private final MetricsExporter metrics;
  private final TimeSource time;
  private final ClaimLoop loop;

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
        .requireZeroOrMore("skipRecent", skipRecent)
        .requireCount("batchSize", WorkSettings.MAX_BATCH, batchSize)
        .requireCount("intervalMs", MAX_INTERVAL_MS, intervalMs)
        .throwIfAny();
    this.metrics = metrics;
    this.time = time;
    Duration interval = Duration.ofMillis(intervalMs);
    this.loop =
        dispatcher.claimLoop(
            new ClaimLoop.Settings(
                "outbox-poller",
                "poll",
                interval,
                emptyPolls -> interval,
                dispatcher::isShared,
                batchSize),
            skipRecent,
            (limit, bytes) ->
                dispatcher.claimDue(
                    eventStore,
                    connectionProvider,
                    limit,
                    bytes,
                    batchSize,
                    skipRecent,
                    this::recordLag));
  }

  /** Starts polling, on a thread of its own; does nothing the second time. */
  public void start() {
    loop.start();
  }

  /** Polls once, on the calling thread; a failing database is logged, not thrown. */
  public void poll() {
    loop.poll();
  }

  /** Polls now instead of after the interval, if it is started; for events made due. */
  public void wakeUp() {
    loop.wakeUp();
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
