package benchmarks.delivery;

import com.zaxxer.hikari.HikariDataSource;
import eventbus.Event;
import eventbus.EventBus;
import holdfast.testkit.process.Acknowledged;
import java.time.Duration;
import java.util.Collections;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import outbox.dispatch.LeaseSettings;
import outbox.jdbc.JdbcOutbox;

/** A node that claims events, begins four of them and never ends one. */
final class HoldingNode {
  static final String READY = "holding";
  static final int BUS_EVENTS = 80;

  private static final int OUTBOX_EVENTS = 1_000;
  private static final Duration LEASE = Duration.ofSeconds(4);
  private static final CountDownLatch NEVER = new CountDownLatch(1);

  private HoldingNode() {}

  public static void main(String[] args) throws InterruptedException {
    CountDownLatch begun = new CountDownLatch(4);
    try (HikariDataSource pool = DeliveryFigures.pool(args[1], args[2], args[3])) {
      if (args[0].equals("outbox")) {
        holdOutbox(pool, begun);
      } else {
        holdBus(pool, begun);
      }
    }
  }

  private static void holdOutbox(HikariDataSource pool, CountDownLatch begun)
      throws InterruptedException {
    try (JdbcOutbox outbox =
        JdbcOutbox.builder(pool)
            .lease(
                new LeaseSettings(
                    "held",
                    LEASE,
                    LEASE.dividedBy(4),
                    Duration.ofMillis(100),
                    Duration.ofMinutes(1)))
            .hotQueueCapacity(OUTBOX_EVENTS)
            .listener(
                "Measured",
                event -> {
                  begun.countDown();
                  NEVER.await();
                })
            .build()) {
      outbox.start();
      DeliveryFigures.publish(outbox, OUTBOX_EVENTS, "{}");
      begun.await();
      Acknowledged.line(READY);
      NEVER.await();
    }
  }

  private static void holdBus(HikariDataSource pool, CountDownLatch begun)
      throws InterruptedException {
    try (EventBus bus =
        EventBus.builder(pool)
            .abandonmentTimeout(LEASE)
            .handler("Quick", event -> {})
            .handler(
                "Measured",
                event -> {
                  begun.countDown();
                  NEVER.await();
                })
            .build()) {
      bus.start();
      bus.publishAll(Collections.nCopies(200, Event.of("Quick", "{}"))); // so that it claims ahead
      while (bus.counts().completed() < 200) {
        TimeUnit.MILLISECONDS.sleep(10);
      }
      bus.publishAll(Collections.nCopies(BUS_EVENTS, Event.of("Measured", "{}")));
      begun.await();
      while (bus.inFlight() < BUS_EVENTS) {
        TimeUnit.MILLISECONDS.sleep(10);
      }
      Acknowledged.line(READY);
      NEVER.await();
    }
  }
}
