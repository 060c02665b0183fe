package eventbus;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import holdfast.testkit.db.ConnectionPool;
import holdfast.testkit.db.DatabaseKind;
import holdfast.testkit.db.EachDatabase;
import holdfast.testkit.db.TestDatabase;
import holdfast.testkit.net.TcpProxy;
import holdfast.testkit.threads.Eventually;
import java.sql.DriverManager;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Timeout;

/** The database goes away for a while: workers come back by themselves and nothing is lost. */
@Timeout(180)
class DatabaseGoneTest {

  @EachDatabase({DatabaseKind.POSTGRESQL, DatabaseKind.MARIADB})
  void workersComeBackWithTheDatabase(TestDatabase database) throws Exception {
    List<String> told = Collections.synchronizedList(new ArrayList<>());
    CountDownLatch running = new CountDownLatch(1);
    CountDownLatch end = new CountDownLatch(1);
    try (TcpProxy proxy = TcpProxy.to(database.host(), database.port());
        Buses straight = Buses.on(database);
        ConnectionPool through =
            ConnectionPool.over(
                    () ->
                        DriverManager.getConnection(
                            database.urlVia("127.0.0.1", proxy.port()),
                            database.user(),
                            database.password()))
                .checking()) {
      EventBus bus =
          EventBus.builder(through)
              .pollInterval(Duration.ofMillis(100))
              .lifecycleListener(
                  new EventBusLifecycleListener() {
                    @Override
                    public void onDatabaseLost(Exception cause) {
                      told.add("lost");
                    }

                    @Override
                    public void onDatabaseBack() {
                      told.add("back");
                    }
                  })
              .handler("A", straight.recording())
              .handler(
                  "slow",
                  event -> {
                    running.countDown();
                    end.await();
                  })
              .build();
      try (bus) {
        bus.start();
        bus.publish(Buses.event("A"));
        bus.publish(Buses.event("slow"));
        running.await();
        Eventually.await("first", () -> straight.tables.count("event_log") == 1);
        proxy.cut();
        through.discardIdle();
        Eventually.await("noticed", () -> told.contains("lost"));
        assertThatThrownBy(() -> bus.publish(Buses.event("A")))
            .isInstanceOf(EventBusException.class)
            .hasMessageStartingWith("event bus could not publish: ");
        end.countDown();
        long meanwhile = straight.made().publish(Buses.event("A"));
        proxy.mend();
        Eventually.await("all", () -> straight.tables.count("event_log") == 3);
        assertThat(straight.handled).contains(meanwhile);
        Eventually.await("over", () -> told.contains("back"));
        assertThat(told).containsExactly("lost", "back");
        assertThat(bus.ledger().isAccountedFor()).isTrue();
        assertThat(bus.counts().stale()).as("its own word, written late").isZero();
      }
    }
  }

  @EachDatabase({DatabaseKind.POSTGRESQL, DatabaseKind.MARIADB})
  void startedWithoutADatabaseItWaitsForOne(TestDatabase database) throws Exception {
    try (TcpProxy proxy = TcpProxy.to(database.host(), database.port());
        Buses straight = Buses.on(database);
        ConnectionPool through =
            ConnectionPool.over(
                    () ->
                        DriverManager.getConnection(
                            database.urlVia("127.0.0.1", proxy.port()),
                            database.user(),
                            database.password()))
                .checking()) {
      proxy.cut();
      straight.made().publish(Buses.event("A"));
      try (EventBus bus =
          EventBus.builder(through)
              .pollInterval(Duration.ofMillis(100))
              .handler("A", straight.recording())
              .build()) {
        bus.start();
        proxy.mend();
        Eventually.await("handled", () -> straight.tables.count("event_log") == 1);
      }
    }
  }
}
