package outbox.poller;

import holdfast.problems.Problems;
import holdfast.work.ClaimLoop;
import holdfast.work.WorkSettings;
import java.time.Duration;
import outbox.dispatch.OutboxDispatcher;
import outbox.spi.ConnectionProvider;
import outbox.spi.EventStore;
import outbox.spi.MetricsExporter;

/**
 * The cold path: brings what is due in the table to the dispatcher. Its interval is a ceiling: it
 * polls again at once after a full batch, when the next event is due, when a full queue has room
 * again, and when an outcome makes way for another event. Safe for use by many threads.
 */
public final class OutboxPoller implements AutoCloseable {
  /** How often to poll at least unless configured, in milliseconds: {@value}. */
  public static final long DEFAULT_INTERVAL_MS = 5_000;

  /** Events fetched per poll unless configured: {@value}. */
  public static final int DEFAULT_BATCH_SIZE = 200;

  /** How old an event must be unless configured, in milliseconds: {@value}. */
  public static final long DEFAULT_SKIP_RECENT_MS = 1_000;

  private static final long MAX_INTERVAL_MS = Duration.ofDays(36_500).toMillis();
  private static final Duration CLOSE_TIMEOUT = Duration.ofSeconds(10);

  private final MetricsExporter metrics;
  private final ClaimLoop loop;

  /**
   * Creates a poller on the dispatcher's clock; {@link #start} starts it.
   *
   * @param connectionProvider connections to poll with
   * @param eventStore the store to poll
   * @param dispatcher gets the events that are found
   * @param skipRecent how long a new event must have been due, zero or more; where the table cannot
   *     lease events, how long ago it must have occurred
   * @param batchSize how many events to fetch at a time, 1 or more
   * @param intervalMs how often to poll at least, 1 or more
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
    new Problems("OutboxPoller")
        .requireZeroOrMore("skipRecent", skipRecent)
        .requireCount("batchSize", WorkSettings.MAX_BATCH, batchSize)
        .requireCount("intervalMs", MAX_INTERVAL_MS, intervalMs)
        .throwIfAny();
    this.metrics = metrics;
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
            (limit, bytes, below) -> // which is any: events have no priority here
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

  private void recordLag(Duration lag) {
    metrics.recordOldestLagMs(lag.isNegative() ? 0 : lag.toMillis());
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
