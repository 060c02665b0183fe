package chaos.exit;

import com.zaxxer.hikari.HikariDataSource;
import eventbus.EventBus;
import failover.Failovers;
import failover.store.InMemoryFailoverStore;
import holdfast.testkit.process.LastLineContract;
import java.util.List;
import outbox.jdbc.JdbcOutbox;

/** With {@code java.util.logging}, and libraries that a shutdown hook of the application closes. */
class LastLineTest extends LastLineContract {

  /** Starts the libraries. */
  static final class Program {
    @SuppressWarnings("resource") // closed by the shutdown hook
    public static void main(String[] args) throws InterruptedException {
      HikariDataSource pool = new HikariDataSource();
      pool.setJdbcUrl("jdbc:h2:mem:exit;DB_CLOSE_DELAY=-1;DB_CLOSE_ON_EXIT=FALSE");
      JdbcOutbox outbox = JdbcOutbox.builder(pool).createTables().build();
      EventBus bus = EventBus.builder(pool).createTables().build();
      Failovers failovers = Failovers.builder(new InMemoryFailoverStore()).build();
      Runtime.getRuntime()
          .addShutdownHook(
              new Thread(
                  () -> {
                    outbox.close();
                    bus.close();
                    failovers.close();
                  }));
      outbox.start();
      bus.start();
      failovers.start();
      ready(args);
    }
  }

  LastLineTest() {
    super(
        List.of(
            "^INFO: outbox closed, ledger of all nodes: outbox accepted=0 ",
            "^INFO: eventbus closed, ledger of all nodes: eventbus accepted=0 ",
            "^INFO: failover closed failover accepted=0 "),
        Program.class);
  }
}
