package outbox.jdbc;

import holdfast.problems.Problems;
import holdfast.work.WorkSettings;
import java.time.Duration;
import outbox.dispatch.OutboxDispatcher;
import outbox.poller.OutboxPoller;
import outbox.spi.ConnectionProvider;
import outbox.spi.EventStore;
import outbox.spi.MetricsExporter;

/** How a node polls the table. Not safe for use by many threads. */
final class PollSettings {
  private static final Duration WITHOUT_LEASES =
      Duration.ofMillis(OutboxPoller.DEFAULT_SKIP_RECENT_MS);

  Duration interval = Duration.ofMillis(OutboxPoller.DEFAULT_INTERVAL_MS);
  Duration skipRecent = Duration.ZERO;
  int batchSize = OutboxPoller.DEFAULT_BATCH_SIZE;

  void check(Problems problems) {
    problems
        .requirePositive("pollInterval", interval)
        .requireZeroOrMore("pollSkipRecent", skipRecent)
        .requireCount("batchSize", WorkSettings.MAX_BATCH, batchSize);
  }

  OutboxPoller poller(
      ConnectionProvider connections,
      EventStore store,
      OutboxDispatcher dispatcher,
      boolean leases,
      MetricsExporter metrics) {
    return new OutboxPoller(
        connections,
        store,
        dispatcher,
        leases || !skipRecent.isZero() ? skipRecent : WITHOUT_LEASES,
        batchSize,
        Math.max(1, interval.toMillis()),
        metrics);
  }
}
