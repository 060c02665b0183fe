package benchmarks.delivery;

import com.zaxxer.hikari.HikariDataSource;
import eventbus.EventBus;
import holdfast.jdbc.WakeUp;
import holdfast.testkit.process.Acknowledged;
import java.util.concurrent.CountDownLatch;
import outbox.jdbc.JdbcOutbox;

/** A node with the settings as they come, which tells when each event arrived. */
final class WakeUpNode {
  static final String READY = "ready";

  private static final CountDownLatch NEVER = new CountDownLatch(1);

  private WakeUpNode() {}

  public static void main(String[] args) throws InterruptedException {
    WakeUp wakeUp = args[1].equals("on") ? WakeUp.ON : WakeUp.OFF;
    try (HikariDataSource pool = DeliveryFigures.pool(args[2], args[3], args[4])) {
      if (args[0].equals("outbox")) {
        outbox(pool, wakeUp);
      } else {
        bus(pool, wakeUp);
      }
    }
  }

  private static void outbox(HikariDataSource pool, WakeUp wakeUp) throws InterruptedException {
    try (JdbcOutbox outbox =
        JdbcOutbox.builder(pool)
            .wakeUp(wakeUp)
            .listener("Measured", event -> arrived(String.valueOf(event.payloadJson())))
            .build()) {
      outbox.start();
      Acknowledged.line(READY);
      NEVER.await();
    }
  }

  private static void bus(HikariDataSource pool, WakeUp wakeUp) throws InterruptedException {
    try (EventBus bus =
        EventBus.builder(pool)
            .wakeUp(wakeUp)
            .handler("Measured", event -> arrived(event.payload()))
            .build()) {
      bus.start();
      Acknowledged.line(READY);
      NEVER.await();
    }
  }

  private static void arrived(String number) {
    long now = System.nanoTime();
    Acknowledged.line(number + " " + now);
  }
}
