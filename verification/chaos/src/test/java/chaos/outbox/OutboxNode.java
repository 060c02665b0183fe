package chaos.outbox;

import chaos.Fleet;
import chaos.Signals;
import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import holdfast.lifecycle.CloseReport;
import holdfast.lifecycle.Threads;
import holdfast.testkit.process.Acknowledged;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import outbox.jdbc.JdbcOutbox;

/**
 * One node of the outbox in a process of its own: publishes until it is told to stop or has
 * published enough, delivers until it is told to leave. It acknowledges each transaction and each
 * delivery; an acknowledged line outlives the process, so that a kill can neither hide nor invent
 * one.
 */
final class OutboxNode {
  private static final Duration START_PATIENCE = Duration.ofSeconds(30);
  private static final Duration DRAIN = Duration.ofSeconds(30);

  private OutboxNode() {}

  public static void main(String[] args) throws Exception {
    NodeSettings settings = NodeSettings.parse(args);
    Signals signals = new Signals(settings.signals());
    Random random = new Random(settings.seed());
    try (HikariDataSource pool = pool(settings)) {
      JdbcOutbox outbox = build(pool, settings, random);
      outbox.start();
      Acknowledged.line(Fleet.READY);
      publish(outbox, settings, signals, random);
      signals.give(settings.name()); // has ended publishing
      signals.await(NodeSettings.LEAVE);
      CloseReport report = outbox.close(DRAIN);
      if (!report.isClean()) {
        throw new IllegalStateException("nothing must be left when a node leaves but " + report);
      }
    }
  }

  private static HikariDataSource pool(NodeSettings settings) {
    HikariConfig config = new HikariConfig();
    config.setJdbcUrl(settings.url());
    config.setUsername(settings.user());
    config.setPassword(settings.password());
    config.setMaximumPoolSize(10);
    config.setConnectionTimeout(1_000);
    config.setInitializationFailTimeout(START_PATIENCE.toMillis());
    return new HikariDataSource(config);
  }

  private static JdbcOutbox build(HikariDataSource pool, NodeSettings settings, Random random) {
    return JdbcOutbox.builder(pool)
        .lease(settings.lease())
        .pollInterval(Duration.ofMillis(200))
        .retryPolicy(attempts -> 20)
        .maxAttempts(NodeSettings.MAX_ATTEMPTS)
        .maxLapses(NodeSettings.MAX_ATTEMPTS)
        .listener("T", new RecordingListener(settings, new Random(random.nextLong())))
        .build();
  }

  private static void publish(
      JdbcOutbox outbox, NodeSettings settings, Signals signals, Random random) throws Exception {
    ExecutorService threads =
        Executors.newFixedThreadPool(settings.publishers(), Threads.daemon("publisher"));
    try {
      List<Future<Void>> publishers = new ArrayList<>();
      for (int i = 0; i < settings.publishers(); i++) {
        Random own = new Random(random.nextLong());
        publishers.add(threads.submit(new Publisher(outbox, settings, signals, own)));
      }
      for (Future<Void> publisher : publishers) {
        publisher.get();
      }
    } finally {
      threads.shutdownNow();
    }
  }
}
