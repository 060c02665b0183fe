package outbox.jdbc;

import java.time.Duration;
import outbox.OutboxConfig;
import outbox.dispatch.ExponentialBackoffRetryPolicy;

/** The numbers of the specification's configuration, set one by one. Stateless. */
final class Numbers {
  private Numbers() {}

  static JdbcOutboxBuilder set(JdbcOutboxBuilder builder, OutboxConfig config) {
    return builder
        .workers(config.getDispatcherWorkers())
        .hotQueueCapacity(config.getHotQueueCapacity())
        .coldQueueCapacity(config.getColdQueueCapacity())
        .pollInterval(Duration.ofMillis(config.getPollerIntervalMs()))
        .pollBatchSize(config.getPollerBatchSize())
        .pollSkipRecent(Duration.ofMillis(config.getPollerSkipRecentMs()))
        .maxAttempts(config.getRetryMaxAttempts())
        .retryPolicy(
            new ExponentialBackoffRetryPolicy(
                config.getRetryBaseDelayMs(), config.getRetryMaxDelayMs()));
  }
}
