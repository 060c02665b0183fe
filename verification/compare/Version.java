import java.sql.Connection;
import java.util.function.Consumer;
import javax.sql.DataSource;

/** One version of the libraries, as the measurements use it. */
public interface Version {

  /** A node of the outbox or the event bus. */
  interface Node extends AutoCloseable {
    /** Begins to deliver. */
    void start();

    /** Publishes an event, in a transaction with other work where the library has one. */
    void publish(String payload, Work other) throws Exception;

    /** Publishes many events in one transaction. */
    void publishAll(int count) throws Exception;

    /** Claims one event, of which nothing is done then; false if none was found. */
    boolean poll() throws Exception;

    @Override
    void close();
  }

  /** What else belongs to the transaction. */
  interface Work {
    void in(Connection connection) throws Exception;
  }

  /** Creates the tables and a node that is not started. */
  Node outbox(DataSource dataSource, Consumer<String> listener);

  /** Creates the tables and a node that is not started. */
  Node bus(DataSource dataSource, Consumer<String> handler);
}
