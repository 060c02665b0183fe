package benchmarks.contenders;

import benchmarks.Contender;
import benchmarks.Deliveries;
import java.sql.SQLException;
import java.util.Objects;
import javax.sql.DataSource;
import outbox.EventEnvelope;
import outbox.jdbc.JdbcOutbox;
import outbox.jdbc.JdbcTransactionManager;

/** This outbox by its one door, with leases, as configured by default. */
public final class Holdfast implements Contender {
  private final JdbcOutbox outbox;

  /** Starts a node. */
  public Holdfast(DataSource dataSource, Deliveries deliveries) {
    this.outbox =
        JdbcOutbox.builder(dataSource)
            .createTables()
            .listener(
                "Measured",
                event ->
                    deliveries.arrived(
                        Business.number(Objects.requireNonNull(event.payloadJson()))))
            .build();
    outbox.start();
  }

  @Override
  public String name() {
    return "holdfast outbox";
  }

  @Override
  public void publish(long number) throws SQLException {
    try (JdbcTransactionManager.Transaction tx = outbox.begin()) {
      Business.insert(tx.connection(), number);
      outbox.publish(EventEnvelope.ofJson("Measured", Business.payload(number)));
      tx.commit();
    }
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
