package benchmarks.contenders;

import benchmarks.Deliveries;
import benchmarks.Drainer;
import eventbus.EventBus;
import javax.sql.DataSource;

/** This event bus with four workers, as configured by default. */
public final class BusWorkers implements Drainer {
  static final int WORKERS = 4;
  static final String TYPE = "Measured";
  static final String UNFINISHED = "SELECT EXISTS (SELECT 1 FROM events)";

  private final EventBus bus;

  /** A bus that is not started. */
  public BusWorkers(DataSource dataSource, Deliveries deliveries) {
    this.bus =
        EventBus.builder(dataSource)
            .createTables()
            .workers(WORKERS)
            .handler(TYPE, event -> deliveries.arrived(Business.number(event.payload())))
            .build();
  }

  @Override
  public void store(int events) {
    StoredEvents.publish(bus, events);
  }

  @Override
  public void start() {
    bus.start();
  }

  @Override
  public String unfinished() {
    return UNFINISHED;
  }

  @Override
  public void close() {
    bus.close();
  }
}
