package benchmarks;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import eventbus.EventBus;
import holdfast.testkit.db.TestDatabase;
import holdfast.testkit.process.Acknowledged;
import holdfast.testkit.process.ChildJvm;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;

/** A worker in a JVM of its own, which tells when each event arrived, until it is killed. */
final class BusLatencyNode {
  static final String TYPE = "Measured";

  private static final String READY = "ready";
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  private BusLatencyNode() {}

  /** Starts one and waits until it works. */
  static ChildJvm start(TestDatabase database) throws InterruptedException {
    ChildJvm node =
        ChildJvm.of(BusLatencyNode.class, database.url(), database.user(), database.password())
            .jvmOptions("-Dslf4j.internal.verbosity=ERROR")
            .start();
    node.awaitLine(READY::equals, PATIENCE);
    return node;
  }

  public static void main(String[] args) throws InterruptedException {
    HikariConfig config = new HikariConfig();
    config.setJdbcUrl(args[0]);
    config.setUsername(args[1]);
    config.setPassword(args[2]);
    config.setMaximumPoolSize(6);
    try (HikariDataSource pool = new HikariDataSource(config);
        EventBus bus =
            EventBus.builder(pool)
                .handler(
                    TYPE,
                    event -> {
                      long now = System.nanoTime();
                      Acknowledged.line(event.payload() + " " + now);
                    })
                .build()) {
      bus.start();
      Acknowledged.line(READY);
      new CountDownLatch(1).await();
    }
  }
}
