package eventbus;

import static org.assertj.core.api.Assertions.assertThat;

import holdfast.testkit.db.EachDatabase;
import holdfast.testkit.db.TestDatabase;
import holdfast.testkit.threads.Eventually;
import holdfast.testkit.time.SettableTime;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Collections;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Timeout;

/**
 * Time stands still: workers look again only if they are woken, by what makes an event due here.
 */
@Timeout(120)
class WakingTest {
  private final SettableTime time = new SettableTime();
  private Buses buses;
  private EventBus bus;

  @BeforeEach
  void open(TestDatabase database) throws Exception {
    buses = Buses.on(database);
    bus = buses.started(b -> b.timeSource(time).batchSize(10).handler("A", buses.recording()));
    time.awaitSleepers(3); // who claims, who writes and who watches
  }

  @AfterEach
  void close() throws SQLException {
    buses.close();
  }

  private void awaitHandled(int events) {
    Eventually.await(events + " handled", () -> buses.handled.size() == events);
  }

  @EachDatabase
  void byAPublishHereAndAtOnceAfterAFullBatch() throws Exception {
    long id = bus.publish(Buses.event("A"));
    awaitHandled(1);
    assertThat(buses.handled).containsExactly(id);
    bus.publishAll(Collections.nCopies(50, Buses.event("A")));
    awaitHandled(51);
  }

  @EachDatabase
  void byWhoHasCommittedATransactionOfItsOwn() throws Exception {
    try (Connection conn = buses.tables.database.connect()) {
      conn.setAutoCommit(false);
      bus.publish(conn, Buses.event("A"));
      conn.commit();
    }
    bus.wakeUp();
    awaitHandled(1);
  }

  @EachDatabase
  void byWhatIsReleasedOrPublishedAgain() throws Exception {
    EventBus other = buses.made();
    long id = other.publish(Buses.event("A")); // not noticed here: another node published it
    Event polled = other.poll().orElseThrow();
    bus.release(polled);
    awaitHandled(1);
    Eventually.await("logged", () -> !buses.tables.logged(id).isEmpty());
    bus.log().republish(id);
    awaitHandled(2);
  }
}
