package eventbus;

import holdfast.testkit.db.TestDatabase;
import holdfast.testkit.threads.Eventually;
import java.sql.SQLException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/** A test on fresh tables, whose nodes are closed when it ends. */
abstract class BusFixture {
  Buses buses;

  @BeforeEach
  void open(TestDatabase database) throws SQLException {
    buses = Buses.on(database);
  }

  @AfterEach
  void close() throws SQLException {
    buses.close();
  }

  /** Waits until so many events are closed. */
  final void awaitLogged(int lines) throws SQLException {
    Eventually.await(lines + " lines", () -> buses.tables.count("event_log") >= lines);
  }
}
