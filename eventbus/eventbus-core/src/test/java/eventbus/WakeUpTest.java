package eventbus;

import static org.assertj.core.api.Assertions.assertThat;

import holdfast.jdbc.WakeUp;
import holdfast.lifecycle.CloseReport;
import holdfast.testkit.db.DatabaseKind;
import holdfast.testkit.db.EachDatabase;
import holdfast.testkit.db.TestDatabase;
import holdfast.testkit.threads.Eventually;
import holdfast.testkit.time.SettableTime;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Timeout;

/** Time stands still for the node that handles: it polls only if another node wakes it. */
@Timeout(120)
class WakeUpTest {
  /** One might be found by the poll with which a node begins to listen. */
  private static final int EVENTS = 4;

  private final SettableTime time = new SettableTime();
  private Buses buses;

  @BeforeEach
  void open(TestDatabase database) throws Exception {
    buses = Buses.on(database);
    buses.started(b -> b.wakeUp(WakeUp.ON).timeSource(time).handler("A", buses.recording()));
    awaitListeners(1);
    time.awaitSleepers(3); // who claims, who writes and who watches
  }

  @AfterEach
  void close() throws SQLException {
    buses.close();
  }

  private void awaitListeners(int number) throws SQLException {
    try (Connection conn = buses.tables.database.connect()) {
      Eventually.await(number + " listen", () -> listeners(conn) == number);
    }
  }

  private static int listeners(Connection conn) throws SQLException {
    try (Statement statement = conn.createStatement();
        ResultSet row =
            statement.executeQuery(
                "SELECT COUNT(*) FROM pg_stat_activity WHERE datname = current_database()"
                    + " AND query = 'LISTEN holdfast_events'")) {
      row.next();
      return row.getInt(1);
    }
  }

  private void awaitHandled(int events) {
    Eventually.await(events + " handled", () -> buses.handled.size() == events);
  }

  @EachDatabase(DatabaseKind.POSTGRESQL)
  void aNodeThatOnlyPublishesWakesIt() throws Exception {
    EventBus publisher = buses.started(b -> b.wakeUp(WakeUp.ON).publishOnly());
    for (int i = 1; i <= EVENTS; i++) {
      publisher.publish(Buses.event("A"));
      awaitHandled(i);
    }
    awaitListeners(1); // the publisher does not listen
  }

  @EachDatabase(DatabaseKind.POSTGRESQL)
  void aNodeWithoutAHandlerForTheTypeWakesIt() {
    EventBus publisher = buses.started(b -> b.wakeUp(WakeUp.ON).handler("B", event -> {}));
    for (int i = 1; i <= EVENTS; i++) {
      publisher.publish(Buses.event("A"));
      awaitHandled(i);
    }
  }

  @EachDatabase(DatabaseKind.POSTGRESQL)
  void aNodeWhoseWorkersAreBusyWakesIt() throws Exception {
    CountDownLatch begun = new CountDownLatch(1);
    CountDownLatch end = new CountDownLatch(1);
    EventBus busy =
        buses.started(
            b ->
                b.wakeUp(WakeUp.ON)
                    .workers(1)
                    .handler("A", event -> {})
                    .handler(
                        "Long",
                        event -> {
                          begun.countDown();
                          end.await();
                        }));
    busy.publish(Buses.event("Long"));
    begun.await();
    for (int i = 1; i <= EVENTS; i++) {
      busy.publish(Buses.event("A"));
      awaitHandled(i);
    }
    end.countDown();
  }

  @EachDatabase(DatabaseKind.POSTGRESQL)
  void whatANodeReleasesWhenItClosesWakesIt() throws Exception {
    CountDownLatch begun = new CountDownLatch(1);
    CountDownLatch interrupted = new CountDownLatch(1);
    SettableTime itsTime = new SettableTime(); // what it releases is recorded in any time it takes
    EventBus closing =
        buses.started(
            b ->
                b.wakeUp(WakeUp.ON)
                    .timeSource(itsTime)
                    .workers(1)
                    .handler(
                        "Long",
                        event -> {
                          begun.countDown();
                          try {
                            new CountDownLatch(1).await();
                          } finally {
                            interrupted.countDown();
                          }
                        }));
    long id = closing.publish(Buses.event("Long"));
    begun.await();
    // Nobody but the node that closes knows of this type; then the event is of the other's.
    buses.tables.update("UPDATE events SET type = 'A' WHERE id = ?", id);
    FutureTask<CloseReport> closed = new FutureTask<>(() -> closing.close(Duration.ofMinutes(1)));
    new Thread(closed).start();
    Eventually.await(
        "interrupted",
        () -> {
          itsTime.advance(Duration.ofMillis(100));
          return interrupted.getCount() == 0;
        });
    awaitHandled(1);
    assertThat(closed.get().released()).isEqualTo(1);
  }

  @EachDatabase(DatabaseKind.POSTGRESQL)
  void whoeverHasCommittedATransactionOfItsOwnCanWakeIt() throws Exception {
    EventBus publisher = buses.started(b -> b.wakeUp(WakeUp.ON).publishOnly());
    for (int i = 1; i <= EVENTS; i++) {
      try (Connection conn = buses.tables.database.connect()) {
        conn.setAutoCommit(false);
        publisher.publish(conn, Buses.event("A"));
        conn.commit();
      }
      publisher.wakeUp();
      awaitHandled(i);
    }
  }

  @EachDatabase(DatabaseKind.POSTGRESQL)
  void switchedOffNobodyListensOrIsWoken() throws Exception {
    buses.started(b -> b.wakeUp(WakeUp.ON).wakeUp(WakeUp.OFF).handler("B", buses.recording()));
    EventBus silent = buses.started(b -> b.wakeUp(WakeUp.ON).publishOnly().wakeUp(WakeUp.OFF));
    silent.publish(Buses.event("B"));
    awaitHandled(1); // polled
    awaitListeners(1);
    assertThat(silent.close(Duration.ofSeconds(10)).isClean()).isTrue();
  }
}
