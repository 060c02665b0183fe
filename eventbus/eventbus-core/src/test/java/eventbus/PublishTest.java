package eventbus;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import holdfast.testkit.db.ConnectionPool;
import holdfast.testkit.db.EachDatabase;
import holdfast.testkit.db.TestDatabase;
import java.sql.Connection;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;

/** What becomes of an event that is published. */
class PublishTest extends BusFixture {
  private EventBus bus;

  @BeforeEach
  void make() {
    bus = buses.made();
  }

  @EachDatabase
  void anEventOfARolledBackTransactionNeverExisted() throws Exception {
    try (Connection conn = buses.pool.getConnection()) {
      conn.setAutoCommit(false);
      bus.publish(conn, Buses.event("A"));
      bus.publishAll(conn, List.of(Buses.event("A"), Buses.event("B")));
      conn.rollback();
    }
    assertThat(buses.tables.eventIds()).isEmpty();
    assertThat(bus.poll()).isEmpty();
    assertThat(bus.ledger().accepted()).isZero();
  }

  @EachDatabase
  void anEventOfTheCallersTransactionIsThereAfterItsCommitAndNotBefore() throws Exception {
    long id;
    try (Connection conn = buses.pool.getConnection()) {
      conn.setAutoCommit(false);
      id = bus.publish(conn, Buses.event("A"));
      assertThat(bus.poll()).as("not committed").isEmpty();
      assertThat(conn.isClosed()).isFalse();
      conn.commit();
    }
    assertThat(bus.poll().orElseThrow().id()).isEqualTo(id);
  }

  @EachDatabase
  void aBatchHasItsIdsInItsOwnOrder() {
    List<Event> events = new ArrayList<>();
    for (int i = 0; i < 1_200; i++) {
      EventBuilder event = Event.builder("A").payload("p" + i);
      events.add(i % 100 == 7 ? event.availableAt(Instant.EPOCH).build() : event.build());
    }
    List<Long> ids = bus.publishAll(events);
    assertThat(ids).hasSize(1_200).doesNotHaveDuplicates().isSorted();
    List<Event> polled = bus.poll(2_000);
    assertThat(polled).hasSize(1_200);
    for (Event event : polled) {
      assertThat(event.payload()).isEqualTo("p" + ids.indexOf(event.id()));
    }
    assertThat(bus.publishAll(List.of())).isEmpty();
  }

  @EachDatabase
  void whatIsPublishedComesBackExactly() {
    String payload = "{\"ä\":\"\\u0000 \uD83D\uDE00\",\n\t\"quote\":\"'\\\"\"} \\";
    Map<String, String> headers = Map.of("näme", "\u0000 v\"alue\n", "traceparent", "00-ab-cd-01");
    bus.publish(Event.builder("Ünï").payload(payload).headers(headers).priority(0).build());
    Event event = bus.poll().orElseThrow();
    assertThat(event.type()).isEqualTo("Ünï");
    assertThat(event.payload()).isEqualTo(payload);
    assertThat(event.headers()).isEqualTo(headers);
    assertThat(event.priority()).isZero();
    bus.publish(Event.of("A", "x".repeat(500_000)));
    assertThat(bus.poll().orElseThrow().payload()).hasSize(500_000);
  }

  @EachDatabase
  void anOversizePayloadIsRefusedBeforeTheDatabaseIsAsked() throws Exception {
    EventBus small = buses.made(b -> b.maxPayloadBytes(10));
    small.publish(Event.of("A", "ääääa" + "b"));
    assertThatThrownBy(() -> small.publish(Event.of("A", "äääääa")))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("must have 10 bytes or fewer but has 11");
    List<Event> second = List.of(Buses.event("A"), Event.of("A", "\uD83D\uDE00€€€"));
    assertThatThrownBy(() -> small.publishAll(second)).hasMessageContaining("has 13");
    String header = "x".repeat(70_000);
    assertThatThrownBy(() -> small.publish(Event.builder("A").header("h", header).build()))
        .hasMessageContaining("headers of an event of type 'A'");
    assertThat(buses.tables.eventIds()).as("none of the batch").hasSize(1);
    assertThatThrownBy(() -> bus.publish(Event.of("A", "x".repeat(1_048_577))))
        .hasMessageContaining("1048576");
  }

  @EachDatabase
  void aDelayedEventWaits() {
    bus.publish(Event.builder("A").payload("delayed").delay(Duration.ofHours(1)).build());
    Instant then = Instant.now().plus(Duration.ofHours(2));
    bus.publish(Event.builder("A").payload("at").availableAt(then).build());
    assertThat(bus.poll()).isEmpty();
    buses.advance(Duration.ofMinutes(61));
    Event first = bus.poll().orElseThrow();
    assertThat(first.payload()).isEqualTo("delayed");
    bus.finalize(first, true);
    assertThat(bus.poll()).isEmpty();
    buses.advance(Duration.ofMinutes(61));
    assertThat(bus.poll(5)).extracting(Event::payload).containsExactly("at");
  }

  @EachDatabase
  void everyCallTakesOneConnectionAndGivesItBack(TestDatabase database) throws Exception {
    try (ConnectionPool one = ConnectionPool.over(database.dataSource()).holding(1)) {
      EventBus narrow = EventBus.builder(one).build();
      IntStream.range(0, 20).forEach(i -> narrow.publish(Buses.event("A")));
      narrow.publishAll(List.of(Buses.event("A"), Buses.event("B")));
      for (Event event : narrow.poll(10)) {
        narrow.finalize(event, event.id() % 2 == 0);
      }
      narrow.release(narrow.poll().orElseThrow());
      narrow.log().republishAll(LogFilter.ALL);
      narrow.log().purgeCompleted(Duration.ZERO);
      narrow.ledger();
      narrow.backlog();
      assertThatThrownBy(() -> narrow.finalize(999, true)).isInstanceOf(EventBusException.class);
      assertThat(one.out()).isZero();
      assertThat(one.mostOut()).as("no transaction inside another").isEqualTo(1);
    }
  }

  @EachDatabase
  void aPoolWithoutAutocommitLosesNothing(TestDatabase database) throws Exception {
    try (ConnectionPool manual = ConnectionPool.withoutAutoCommit(database.dataSource())) {
      EventBus other = EventBus.builder(manual).build();
      long id = other.publish(Buses.event("A"));
      other.finalize(other.poll().orElseThrow(), true);
      assertThat(buses.tables.logged(id)).containsEntry("status", "COMPLETED");
    }
  }

  @EachDatabase
  void missingTablesAreNamedAndSoIsTheWayOut(TestDatabase database) throws Exception {
    Tables.dropped(database);
    assertThatThrownBy(() -> bus.publish(Buses.event("A")))
        .isInstanceOf(EventBusException.class)
        .hasMessageContaining("table events must exist but was not found")
        .hasMessageContaining("createTables()");
    assertThatThrownBy(bus::poll).hasMessageContaining("table events must exist");
    assertThatThrownBy(bus::start)
        .isInstanceOf(EventBusException.class)
        .hasMessageContaining("table events must exist");
    EventBusSchema.createIfMissing(database.dataSource());
    assertThat(bus.publish(Buses.event("A"))).isPositive();
    bus.start();
  }

  @EachDatabase
  void tablesCanHaveOtherNames(TestDatabase database) throws Exception {
    buses.tables.execute("DROP TABLE IF EXISTS my_events");
    buses.tables.execute("DROP TABLE IF EXISTS my_log");
    buses.tables.execute("DROP TABLE IF EXISTS my_events_count");
    EventBus named = buses.made(b -> b.tables("my_events", "my_log").createTables());
    buses.made(b -> b.tables("my_events", "my_log").createTables());
    long id = named.publish(Buses.event("A"));
    named.finalize(id, true);
    assertThat(buses.tables.count("my_log WHERE id = " + id)).isEqualTo(1);
    assertThatThrownBy(() -> EventBus.builder(buses.pool).tables("events; drop", "x"))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> EventBus.builder(buses.pool).tables("e".repeat(49), "x"))
        .hasMessageContaining("48 characters or fewer");
  }
}
