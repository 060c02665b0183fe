package tour;

import com.zaxxer.hikari.HikariDataSource;
import eventbus.EventBus;
import eventbus.EventBusBuilder;
import failover.Failovers;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import javax.sql.DataSource;
import tracer.Tracer;

/**
 * A worker of the bus in a process of its own: ends when its standard input does. For one thread.
 */
final class Worker {
  private static final int SLOWNESS_MILLIS = 60;

  private Worker() {}

  /**
   * Works.
   *
   * @param args JDBC address, user, address of the price service, abandonment in milliseconds
   */
  public static void main(String... args) throws IOException {
    try (HikariDataSource pool = Database.pool(args[0], args[1]);
        Failovers failovers = PriceClient.failovers(pool);
        EventBus bus =
            bus(pool, Duration.ofMillis(Long.parseLong(args[3])))
                .name(name(ProcessHandle.current().pid()))
                .workers(2)
                .handler(
                    OrderPlaced.class,
                    new Pricing(
                        PriceClient.protectedBy(failovers, URI.create(args[2])),
                        new Orders(pool),
                        SLOWNESS_MILLIS,
                        (result, order) -> {},
                        Tracer.noop().index()))
                .build()) {
      bus.start();
      System.out.println("ready");
      while (System.in.read() >= 0) {
        // its parent says nothing, and ends this by going away
      }
    }
  }

  /** What the worker of a process is called. */
  static String name(long pid) {
    return "worker-" + pid;
  }

  static EventBusBuilder bus(DataSource dataSource, Duration abandonment) {
    return EventBus.builder(dataSource)
        .createTables()
        .abandonmentTimeout(abandonment)
        .heartbeat(abandonment.dividedBy(4))
        .pollInterval(Duration.ofMillis(100));
  }
}
