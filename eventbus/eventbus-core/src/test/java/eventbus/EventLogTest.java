package eventbus;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import holdfast.lifecycle.CloseReport;
import holdfast.testkit.db.EachDatabase;
import holdfast.testkit.threads.Eventually;
import holdfast.testkit.threads.Together;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;

/** What can be done with closed events. */
class EventLogTest extends BusFixture {
  private EventBus bus;

  @BeforeEach
  void make() {
    bus = buses.made();
  }

  private List<Long> closed(String type, int count, boolean success) {
    List<Long> ids = bus.publishAll(Collections.nCopies(count, Buses.event(type)));
    ids.forEach(id -> bus.finalize(id, success));
    return ids;
  }

  @EachDatabase
  void itIsListedLatestFirstAndFiltered() {
    List<Long> completed = closed("A", 3, true);
    buses.advance(Duration.ofHours(1));
    List<Long> failed = closed("A", 2, false);
    closed("B", 1, false);
    EventLog log = bus.log();
    assertThat(log.list(LogFilter.ALL, 100)).hasSize(6);
    assertThat(log.list(LogFilter.FAILED.type("A"), 100))
        .extracting(LoggedEvent::id)
        .containsExactly(failed.get(1), failed.get(0));
    assertThat(log.count(LogFilter.COMPLETED)).isEqualTo(3);
    Instant between = log.find(failed.get(0)).orElseThrow().finishedAt().minusSeconds(600);
    assertThat(log.list(LogFilter.ALL.finishedBefore(between), 2))
        .extracting(LoggedEvent::id)
        .containsExactly(completed.get(2), completed.get(1));
    assertThat(log.count(LogFilter.ALL.finishedFrom(between))).isEqualTo(3);
    assertThat(log.find(4711)).isEmpty();
    assertThatThrownBy(() -> log.list(LogFilter.ALL, 0)).hasMessageContaining("limit");
  }

  @EachDatabase
  void publishedAgainItIsANewEventAndTheLineStays() {
    long old = bus.publish(Event.builder("A").payload("p").header("h", "v").priority(0).build());
    assertThat(bus.fail(bus.poll().orElseThrow(), "no")).isTrue();
    long made = bus.log().republish(old);
    assertThat(made).isNotEqualTo(old);
    Event again = bus.poll().orElseThrow();
    assertThat(again.id()).isEqualTo(made);
    assertThat(again.payload()).isEqualTo("p");
    assertThat(again.headers()).isEqualTo(Map.of("h", "v"));
    assertThat(again.attempts()).as("nothing of its past").isEqualTo(1);
    LoggedEvent line = bus.log().find(old).orElseThrow();
    assertThat(line.republishedAs()).isEqualTo(made);
    assertThat(line.status()).isEqualTo(EventStatus.FAILED);
    assertThat(line.error()).isEqualTo("no");
    assertThatThrownBy(() -> bus.log().republish(4711)).isInstanceOf(UnknownEventException.class);
  }

  @EachDatabase
  void allThatMatchesIsPublishedAgainOnceAndItEnds() throws Exception {
    closed("A", 250, false);
    closed("B", 5, false);
    closed("A", 5, true);
    EventBus failing =
        buses.started(
            b ->
                b.retryPolicy(RetryPolicy.FAIL_FAST)
                    .handler(
                        "A",
                        event -> {
                          throw new IllegalStateException("again");
                        }));
    assertThat(failing.log().republishAll(LogFilter.FAILED.type("A"))).isEqualTo(250);
    Eventually.await("failed again", () -> bus.log().count(LogFilter.FAILED) == 505);
    assertThat(bus.log().republishAll(LogFilter.FAILED.type("B"))).isEqualTo(5);
    assertThat(bus.log().republishAll(LogFilter.FAILED.type("B"))).as("once").isZero();
  }

  @EachDatabase
  void linesArePurgedByAgeInBatchesAndTheLedgerKeepsCount() throws Exception {
    closed("A", 1_100, true);
    closed("A", 3, false);
    buses.advance(Duration.ofDays(2));
    closed("A", 7, true);
    String before = "eventbus accepted=1110 delivered=1107 held=3(failed=3) lost=0 unaccounted=0";
    assertThat(bus.ledger().toLine()).isEqualTo(before);
    assertThat(bus.log().purgeCompleted(Duration.ofDays(1))).isEqualTo(1_100);
    assertThat(buses.tables.count("event_log")).isEqualTo(10);
    assertThat(bus.ledger().toLine()).as("nothing is forgotten").isEqualTo(before);
    assertThat(bus.log().purgeFailed(Duration.ofDays(1))).isEqualTo(3);
    assertThat(bus.ledger().toLine())
        .isEqualTo(
            "eventbus accepted=1110 delivered=1107 held=0 lost=3(purged_failed=3) unaccounted=0");
    assertThatThrownBy(() -> bus.log().purgeFailed(Duration.ofDays(-1)))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @EachDatabase
  void retentionPurgesByItself() throws Exception {
    closed("A", 5, true);
    closed("A", 2, false);
    buses.advance(Duration.ofDays(8));
    buses.started(b -> b.retention(Duration.ofDays(7)));
    Eventually.await("purged", () -> buses.tables.count("event_log") == 2);
    assertThat(buses.tables.loggedIds(EventStatus.FAILED)).as("kept").hasSize(2);
    buses.started(b -> b.failedRetention(Duration.ofDays(7)));
    Eventually.await("purged too", () -> buses.tables.count("event_log") == 0);
  }

  @EachDatabase
  void aNodeThatPublishesOnlyPurgesAndHandlesNothing() throws Exception {
    closed("A", 5, true);
    buses.advance(Duration.ofDays(8));
    EventBus publisher =
        buses.started(
            b -> b.publishOnly().handler("A", buses.recording()).retention(Duration.ofDays(7)));
    publisher.publish(Buses.event("A"));
    Eventually.await("purged", () -> buses.tables.count("event_log") == 0);
    assertThat(publisher.close(Duration.ofSeconds(10))).isEqualTo(CloseReport.CLEAN);
    assertThat(buses.tables.count("events")).as("left to others").isEqualTo(1);
  }

  @EachDatabase
  void purgesAtTheSameTimeRemoveEachLineOnce() throws Exception {
    closed("A", 600, true);
    List<Long> purged =
        new ArrayList<>(Together.callAll(4, () -> bus.log().purgeCompleted(Duration.ZERO)));
    purged.add(bus.log().purgeCompleted(Duration.ZERO));
    assertThat(purged.stream().mapToLong(Long::longValue).sum()).isEqualTo(600);
    assertThat(bus.ledger().delivered()).isEqualTo(600);
  }

  @EachDatabase
  void itIsReadPageByPageAlsoWhereManyWereClosedAtTheSameTime() throws Exception {
    List<Long> ids = closed("A", 5, false);
    closed("B", 2, false);
    buses.tables.execute("UPDATE event_log SET finished_at = TIMESTAMP '2026-01-01 00:00:00'");
    LogFilter filter = LogFilter.FAILED.type("A");
    List<LoggedEvent> first = bus.log().list(filter, 2);
    List<LoggedEvent> second = bus.log().list(filter, 2, first.get(1));
    List<LoggedEvent> third = bus.log().list(filter, 2, second.get(1));
    List<Long> read = new ArrayList<>();
    List.of(first, second, third).forEach(page -> page.forEach(line -> read.add(0, line.id())));
    assertThat(read).isEqualTo(ids);
    assertThat(bus.log().list(filter, 2, third.get(0))).isEmpty();
  }

  @EachDatabase
  void aLineIsPublishedAgainOnceByAnyNumberOfCallers() throws Exception {
    long id = closed("A", 1, false).get(0);
    List<Optional<Long>> made = Together.callAll(4, () -> bus.log().republishOnce(id));
    assertThat(made).filteredOn(Optional::isPresent).hasSize(1);
    assertThat(bus.ledger().accepted()).isEqualTo(2);
    assertThat(bus.log().republishOnce(id)).isEmpty();
    assertThat(bus.log().republishOnce(4711)).isEmpty();
  }

  /** Closed events, without going through all of it one by one. */
  private List<Long> lines(int count, EventStatus status) throws SQLException {
    List<Long> ids = bus.publishAll(Collections.nCopies(count, Buses.event("A")));
    buses.tables.execute(
        "INSERT INTO event_log (id, type, payload, attempts, created_at, status, finished_at)"
            + " SELECT id, type, payload, 1, created_at, '"
            + status
            + "', created_at FROM events");
    buses.tables.execute("DELETE FROM events");
    return ids;
  }

  @EachDatabase
  void noMoreArePublishedAgainThanAskedForAndTheOldestFirst() throws Exception {
    List<Long> ids = lines(250, EventStatus.FAILED);
    assertThat(bus.log().republishAll(LogFilter.FAILED, 120)).isEqualTo(120);
    assertThat(bus.log().find(ids.get(119)).orElseThrow().republishedAs()).isNotNull();
    assertThat(bus.log().find(ids.get(120)).orElseThrow().republishedAs()).isNull();
    assertThat(bus.log().republishAll(LogFilter.FAILED, 200)).isEqualTo(130);
    assertThatThrownBy(() -> bus.log().republishAll(LogFilter.FAILED, 0))
        .hasMessageContaining("most must be 1 or more but was 0");
  }

  @EachDatabase
  void aPurgeStopsAfterTheBatchThatIsEnough() throws Exception {
    lines(1_100, EventStatus.COMPLETED);
    assertThat(bus.log().purge(EventStatus.COMPLETED, Duration.ZERO, 400)).isEqualTo(500);
    assertThat(bus.log().purge(EventStatus.COMPLETED, Duration.ZERO, 501)).isEqualTo(600);
    assertThatThrownBy(() -> bus.log().purge(EventStatus.PENDING, Duration.ZERO, 1))
        .hasMessageContaining("status must be one of [COMPLETED, FAILED] but was PENDING");
  }
}
