package chaos.eventbus;

import chaos.Fleet;
import chaos.Signals;
import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import eventbus.Event;
import eventbus.EventBus;
import holdfast.lifecycle.CloseReport;
import holdfast.testkit.process.Acknowledged;
import holdfast.time.TimeSource;
import java.nio.file.Path;
import java.time.Duration;

/**
 * One node of the event bus in a process of its own: works until it is told to leave. It
 * acknowledges each run of its handler when it begins; an acknowledged line outlives the process,
 * so that a kill can neither hide nor invent one.
 */
final class BusNode {
  /** Short, so that what a killed node held is soon handled by another. */
  static final Duration TIMEOUT = Duration.ofSeconds(5);

  /** Close and end. */
  static final String LEAVE = "leave";

  private static final int BATCH = 20;
  private static final Duration HANDLING = Duration.ofMillis(20);
  private static final Duration CLOSE = Duration.ofSeconds(30);

  private BusNode() {}

  public static void main(String[] args) throws Exception {
    String name = args[3];
    HikariConfig config = new HikariConfig();
    config.setJdbcUrl(args[0]);
    config.setUsername(args[1]);
    config.setPassword(args[2]);
    config.setMaximumPoolSize(6);
    try (HikariDataSource pool = new HikariDataSource(config)) {
      EventBus bus =
          EventBus.builder(pool)
              .name(name)
              .abandonmentTimeout(TIMEOUT)
              .batchSize(BATCH)
              .pollInterval(Duration.ofMillis(200))
              .handler("T", event -> handle(event, name))
              .build();
      bus.start();
      Acknowledged.line(Fleet.READY);
      new Signals(Path.of(args[4])).await(LEAVE);
      CloseReport report = bus.close(CLOSE);
      if (!report.isClean()) {
        throw new IllegalStateException("nothing must be left when a node leaves but " + report);
      }
    }
  }

  private static void handle(Event event, String name) throws InterruptedException {
    TimeSource time = TimeSource.system();
    Acknowledged.line(new Run(event.id(), event.attempts(), name, time.instant()).toLine());
    time.newAlarm().await(HANDLING); // so that many are under way when a kill comes
  }
}
