package benchmarks.delivery;

import com.zaxxer.hikari.HikariDataSource;
import eventbus.Event;
import eventbus.EventBus;
import holdfast.testkit.process.Acknowledged;
import java.time.Duration;
import java.util.Locale;
import java.util.concurrent.CountDownLatch;
import outbox.EventEnvelope;
import outbox.jdbc.JdbcOutbox;
import outbox.jdbc.JdbcTransactionManager;

/** Publishes and handles large events in little memory. */
final class LargeEventsNode {
  static final String DONE = "all handled";

  private static final int EVENTS = 400;
  private static final int BYTES = 1 << 20;

  private LargeEventsNode() {}

  public static void main(String[] args) throws InterruptedException {
    String payload = "\"" + "x".repeat(BYTES - 2) + "\"";
    Arrivals arrivals = new Arrivals(EVENTS);
    try (HikariDataSource pool = DeliveryFigures.pool(args[1], args[2], args[3])) {
      if (args[0].equals("outbox")) {
        handleOutbox(pool, payload, arrivals);
      } else {
        handleBus(pool, payload, arrivals);
      }
    }
  }

  private static void handleOutbox(HikariDataSource pool, String payload, Arrivals arrivals)
      throws InterruptedException {
    try (JdbcOutbox outbox =
        JdbcOutbox.builder(pool)
            .createTables()
            .listener("Measured", event -> arrivals.workFor(Duration.ofMillis(5)))
            .build()) {
      for (int i = 0; i < EVENTS; i++) {
        try (JdbcTransactionManager.Transaction tx = outbox.begin()) {
          outbox.publish(EventEnvelope.ofJson("Measured", payload));
          tx.commit();
        }
      }
      outbox.start();
      end(arrivals);
    }
  }

  private static void handleBus(HikariDataSource pool, String payload, Arrivals arrivals)
      throws InterruptedException {
    try (EventBus bus =
        EventBus.builder(pool)
            .createTables()
            .handler("Measured", event -> arrivals.workFor(Duration.ofMillis(5)))
            .build()) {
      for (int i = 0; i < EVENTS; i++) {
        bus.publish(Event.of("Measured", payload));
      }
      bus.start();
      end(arrivals);
    }
  }

  private static void end(Arrivals arrivals) throws InterruptedException {
    arrivals.await();
    Acknowledged.line(String.format(Locale.ROOT, "%s, %.0f events/s", DONE, arrivals.rate(0, 1)));
    new CountDownLatch(1).await();
  }
}
