package benchmarks.contenders;

import benchmarks.Contender;
import benchmarks.Deliveries;
import com.gruelbox.transactionoutbox.Dialect;
import com.gruelbox.transactionoutbox.Instantiator;
import com.gruelbox.transactionoutbox.Persistor;
import com.gruelbox.transactionoutbox.Submitter;
import com.gruelbox.transactionoutbox.ThreadLocalContextTransactionManager;
import com.gruelbox.transactionoutbox.TransactionManager;
import com.gruelbox.transactionoutbox.TransactionOutbox;
import java.sql.SQLException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import javax.sql.DataSource;

/**
 * The transaction outbox by gruelbox, with an unbounded queue before its workers, so that it never
 * has to fall back to its flush.
 */
public final class Gruelbox implements Contender {
  private static final int WORKERS = 8;

  private final ExecutorService workers = Executors.newFixedThreadPool(WORKERS);
  private final ThreadLocalContextTransactionManager transactions;
  private final TransactionOutbox outbox;

  /** What is called with each event. */
  public interface Listener {
    /** Takes the event's payload. */
    void handle(String payload);
  }

  /** Starts it. */
  public Gruelbox(DataSource dataSource, Deliveries deliveries) {
    Listener listener = payload -> deliveries.arrived(Business.number(payload));
    this.transactions = TransactionManager.fromDataSource(dataSource);
    this.outbox =
        TransactionOutbox.builder()
            .transactionManager(transactions)
            .persistor(Persistor.forDialect(Dialect.POSTGRESQL_9))
            .instantiator(Instantiator.using(type -> listener))
            .submitter(Submitter.withExecutor(workers))
            .build();
  }

  @Override
  public String name() {
    return "gruelbox transaction-outbox";
  }

  @Override
  public void publish(long number) throws SQLException {
    transactions.inTransactionThrows(
        tx -> {
          Business.insert(tx.connection(), number);
          outbox.schedule(Listener.class).handle(Business.payload(number));
        });
  }

  @Override
  public String unfinished() {
    return "SELECT EXISTS (SELECT 1 FROM txno_outbox WHERE NOT processed)";
  }

  @Override
  public void close() {
    workers.shutdownNow();
  }
}
