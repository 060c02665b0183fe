package eventbus;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import holdfast.testkit.db.EachDatabase;
import holdfast.testkit.db.TestDatabase;
import holdfast.testkit.threads.Eventually;
import java.sql.Connection;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.Timeout.ThreadMode;

/** The ledger counts apart from the rows, so what others do to the rows shows. */
class LedgerTest extends BusFixture {
  private EventBus bus;

  @BeforeEach
  void make() {
    bus = buses.made();
  }

  private List<Long> published(int count) {
    return bus.publishAll(Collections.nCopies(count, Buses.event("A")));
  }

  @EachDatabase
  void everyPlaceIsShown() throws Exception {
    List<Long> ids = published(4);
    bus.publish(Buses.event("A"));
    assertThat(bus.poll()).isPresent();
    bus.finalize(ids.get(2), true);
    bus.finalize(ids.get(3), false);
    assertThat(bus.ledger().toLine())
        .isEqualTo(
            "eventbus accepted=5 delivered=1 held=4(pending=2 processing=1 failed=1) lost=0"
                + " unaccounted=0");
    bus.finalize(ids.get(2), true);
    assertThat(bus.ledger().delivered()).as("said twice").isEqualTo(1);
    bus.log().republish(ids.get(3));
    assertThat(bus.ledger().toLine())
        .as("a new event of a failed one")
        .isEqualTo(
            "eventbus accepted=6 delivered=1 held=5(pending=3 processing=1 failed=1) lost=0"
                + " unaccounted=0");
  }

  @EachDatabase
  void aRowDeletedByHandShows() throws Exception {
    List<Long> ids = published(3);
    buses.tables.update("DELETE FROM events WHERE id = ?", ids.get(0));
    assertThat(bus.ledger().toLine())
        .isEqualTo("eventbus accepted=3 delivered=0 held=2(pending=2) lost=0 unaccounted=1");
    buses.tables.execute("DELETE FROM events");
    assertThat(bus.ledger().unaccounted()).isEqualTo(3);
  }

  @EachDatabase
  void aFailedEventDeletedByHandShows() throws Exception {
    List<Long> ids = published(2);
    bus.finalize(ids.get(0), true);
    bus.finalize(ids.get(1), false);
    buses.tables.execute("DELETE FROM event_log WHERE status = 'COMPLETED'");
    assertThat(bus.ledger().isAccountedFor()).as("it was delivered all the same").isTrue();
    buses.tables.execute("DELETE FROM event_log");
    assertThat(bus.ledger().toLine())
        .isEqualTo("eventbus accepted=2 delivered=1 held=0 lost=0 unaccounted=1");
  }

  @EachDatabase
  void aRowInsertedByHandShows() throws Exception {
    published(1);
    buses.tables.execute(
        "INSERT INTO events (type, payload, available_at, created_at)"
            + " SELECT type, payload, available_at, created_at FROM events");
    assertThat(bus.ledger().toLine())
        .isEqualTo("eventbus accepted=1 delivered=0 held=2(pending=2) lost=0 unaccounted=-1");
  }

  @EachDatabase
  void aPurgeThatForgetsItsCountShows() throws Exception {
    published(2).forEach(id -> bus.finalize(id, false));
    assertThat(bus.log().purgeFailed(Duration.ZERO)).isEqualTo(2);
    assertThat(bus.ledger().isAccountedFor()).isTrue();
    buses.tables.execute("UPDATE events_count SET lost = 0");
    assertThat(bus.ledger().unaccounted()).isEqualTo(2);
  }

  /** What a purge without a count does to the rows. */
  @EachDatabase
  void failedEventsDeletedByHandAfterAPurgeShow() throws Exception {
    published(1).forEach(id -> bus.finalize(id, false));
    assertThat(bus.log().purgeFailed(Duration.ZERO)).isEqualTo(1);
    published(3).forEach(id -> bus.finalize(id, false));
    assertThat(bus.ledger().isAccountedFor()).isTrue();
    buses.tables.execute("DELETE FROM event_log WHERE status = 'FAILED'");
    assertThat(bus.ledger().toLine())
        .isEqualTo("eventbus accepted=4 delivered=0 held=0 lost=1(purged_failed=1) unaccounted=3");
  }

  /** A bus that is not started has no thread for it. */
  @EachDatabase
  void countersStayFewWhereEventsAreOnlyPolled() throws Exception {
    for (int i = 0; i < 300; i++) {
      bus.publish(Buses.event("A"));
    }
    assertThat(buses.tables.count("events_count")).isGreaterThan(200);
    Eventually.await(
        "counters are folded",
        () -> {
          bus.poll().ifPresent(event -> bus.finalize(event, true));
          return buses.tables.count("events_count") < 200;
        });
    assertThat(bus.ledger().accepted()).isEqualTo(300);
    assertThat(bus.ledger().isAccountedFor()).isTrue();
  }

  @EachDatabase
  @Timeout(value = 60, threadMode = ThreadMode.SEPARATE_THREAD)
  void openTransactionsThatPublishDoNotWaitForEachOther(TestDatabase database) throws Exception {
    try (Connection first = database.connect();
        Connection second = database.connect()) {
      first.setAutoCommit(false);
      second.setAutoCommit(false);
      for (int i = 0; i < 2; i++) {
        bus.publish(first, Buses.event("A"));
        bus.publish(second, Buses.event("A"));
      }
      assertThat(bus.ledger().accepted()).isZero();
      second.commit();
      assertThat(bus.ledger().accepted()).isEqualTo(2);
      first.rollback();
    }
    assertThat(bus.ledger().toLine())
        .isEqualTo("eventbus accepted=2 delivered=0 held=2(pending=2) lost=0 unaccounted=0");
  }

  @EachDatabase
  void withoutCountersNothingIsAccepted() throws Exception {
    buses.tables.execute("DROP TABLE events_count");
    assertThatThrownBy(() -> bus.publish(Buses.event("A")))
        .isInstanceOf(EventBusException.class)
        .hasMessageContaining("table events_count must exist but was not found; create it with");
    assertThat(buses.tables.eventIds()).isEmpty();
  }
}
