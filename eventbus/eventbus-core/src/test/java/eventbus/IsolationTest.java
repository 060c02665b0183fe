package eventbus;

import static org.assertj.core.api.Assertions.assertThat;

import holdfast.testkit.db.ConnectionPool;
import holdfast.testkit.db.EachDatabase;
import holdfast.testkit.db.TestDatabase;
import holdfast.testkit.threads.Together;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Collections;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.api.Timeout;

/** The bus works as well with connections of a stricter isolation than it needs. */
@Timeout(120)
class IsolationTest {
  private static final int EVENTS = 400;

  private static Connection strict(TestDatabase database) throws SQLException {
    Connection conn = database.connect();
    conn.setTransactionIsolation(Connection.TRANSACTION_SERIALIZABLE);
    return conn;
  }

  @EachDatabase
  void workersDoNotDisturbEachOtherAndConnectionsGoBackAsTheyCame(TestDatabase database)
      throws Exception {
    ConnectionPool strict = ConnectionPool.over(() -> strict(database));
    Set<Long> closed = ConcurrentHashMap.newKeySet();
    try (Buses buses = Buses.on(database, strict)) {
      EventBus bus = buses.made();
      bus.publishAll(Collections.nCopies(EVENTS, Buses.event("A")));
      Together.runAll(
          4,
          () -> {
            while (closed.size() < EVENTS) {
              for (Event event : bus.poll(7)) {
                assertThat(bus.finalize(event, true)).isTrue();
                assertThat(closed.add(event.id())).isTrue();
              }
            }
          });
      try (Connection conn = strict.getConnection()) {
        assertThat(conn.getTransactionIsolation())
            .as("released as it was found")
            .isEqualTo(Connection.TRANSACTION_SERIALIZABLE);
      }
    }
  }
}
