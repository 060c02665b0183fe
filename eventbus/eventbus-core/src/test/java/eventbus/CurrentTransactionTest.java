package eventbus;

import static org.assertj.core.api.Assertions.assertThat;

import holdfast.testkit.db.EachDatabase;
import holdfast.testkit.threads.Eventually;
import holdfast.testkit.time.SettableTime;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Timeout;

/** Events that join the transaction somebody else keeps. */
@Timeout(120)
class CurrentTransactionTest extends BusFixture {
  /** A transaction kept by hand, as a framework would. */
  private static final class Kept implements CurrentTransaction {
    private final List<Runnable> callbacks = new ArrayList<>();
    private @Nullable Connection conn;

    @Override
    public @Nullable Connection connection() {
      return conn;
    }

    @Override
    public void afterCommit(Runnable callback) {
      callbacks.add(callback);
    }

    void begin(Connection connection) throws SQLException {
      connection.setAutoCommit(false);
      conn = connection;
    }

    void end(boolean commit) throws SQLException {
      try (Connection ended = conn) {
        conn = null;
        if (commit) {
          ended.commit();
          callbacks.forEach(Runnable::run);
        } else {
          ended.rollback();
        }
        callbacks.clear();
      }
    }
  }

  private final Kept kept = new Kept();

  @EachDatabase
  void theyShareItsFate() throws Exception {
    EventBus bus = buses.made(b -> b.transaction(kept));
    kept.begin(buses.pool.getConnection());
    bus.publish(Buses.event("A"));
    bus.publishAll(List.of(Buses.event("A"), Buses.event("B")));
    kept.end(false);
    assertThat(bus.ledger().accepted()).isZero();
    assertThat(bus.counts().published()).isZero();

    kept.begin(buses.pool.getConnection());
    long id = bus.publish(Buses.event("A"));
    assertThat(bus.poll()).as("not committed").isEmpty();
    assertThat(bus.counts().published()).isZero();
    kept.end(true);
    assertThat(bus.poll().orElseThrow().id()).isEqualTo(id);
    assertThat(bus.counts().published()).isEqualTo(1);
  }

  @EachDatabase
  void withoutOneTheyHaveTheirOwn() {
    EventBus bus = buses.made(b -> b.transaction(kept));
    long id = bus.publish(Buses.event("A"));
    assertThat(bus.poll().orElseThrow().id()).isEqualTo(id);
    assertThat(kept.callbacks).isEmpty();
  }

  /** Time stands still, so nothing but a wake-up makes the workers look again. */
  @EachDatabase
  void workersAreWokenUpAfterItsCommitAndNotBefore() throws Exception {
    EventBus bus =
        buses.started(
            b ->
                b.transaction(kept).timeSource(new SettableTime()).handler("A", buses.recording()));
    long first = bus.publish(Buses.event("A"));
    Eventually.await("handled", () -> buses.handled.contains(first));
    kept.begin(buses.pool.getConnection());
    List<Event> events = new ArrayList<>(List.of(Buses.event("A")));
    long second = bus.publishAll(events).get(0);
    events.clear(); // the caller's own list
    kept.end(true);
    Eventually.await("handled", () -> buses.handled.contains(second));
  }
}
