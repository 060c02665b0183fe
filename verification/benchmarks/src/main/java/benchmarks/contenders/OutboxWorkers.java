package benchmarks.contenders;

import benchmarks.Deliveries;
import benchmarks.Drainer;
import java.util.List;
import java.util.Objects;
import java.util.stream.IntStream;
import javax.sql.DataSource;
import outbox.EventEnvelope;
import outbox.jdbc.JdbcOutbox;
import outbox.jdbc.JdbcTransactionManager;

/** This outbox with four workers, as configured by default. */
public final class OutboxWorkers implements Drainer {
  private static final int BATCH = 1_000;

  private final JdbcOutbox outbox;

  /** An outbox that is not started. */
  public OutboxWorkers(DataSource dataSource, Deliveries deliveries) {
    this.outbox =
        JdbcOutbox.builder(dataSource)
            .createTables()
            .workers(BusWorkers.WORKERS)
            .listener(
                BusWorkers.TYPE,
                event ->
                    deliveries.arrived(
                        Business.number(Objects.requireNonNull(event.payloadJson()))))
            .build();
  }

  @Override
  public void store(int events) {
    for (int from = 0; from < events; from += BATCH) {
      List<EventEnvelope> batch =
          IntStream.range(from, Math.min(from + BATCH, events))
              .mapToObj(n -> EventEnvelope.ofJson(BusWorkers.TYPE, Business.payload(n)))
              .toList();
      try (JdbcTransactionManager.Transaction tx = outbox.begin()) {
        outbox.publishAll(batch);
        tx.commit();
      }
    }
  }

  @Override
  public void start() {
    outbox.start();
  }

  @Override
  public String unfinished() {
    return "SELECT EXISTS (SELECT 1 FROM outbox_event WHERE status IN (0, 2))";
  }

  @Override
  public void close() {
    outbox.close();
  }
}
