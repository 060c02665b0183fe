package eventbus;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import holdfast.testkit.db.ConnectionPool;
import holdfast.testkit.db.DatabaseKind;
import holdfast.testkit.db.Disguise;
import holdfast.testkit.db.EachDatabase;
import holdfast.testkit.db.TestDatabase;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What cannot work is refused early, by name, and nothing is half-written. */
class BadInputTest {

  @EachDatabase
  void nullIsRefusedByNameAndNothingIsWritten(TestDatabase database) throws Exception {
    try (Buses buses = Buses.on(database)) {
      EventBus bus = buses.made();
      List<Event> second = Arrays.asList(Buses.event("A"), null);
      assertThatThrownBy(() -> bus.publish(null))
          .isInstanceOf(NullPointerException.class)
          .hasMessage("publish needs an event but was given null");
      assertThatThrownBy(() -> bus.publishAll(null))
          .isInstanceOf(NullPointerException.class)
          .hasMessage("publishAll needs events but was given null");
      assertThatThrownBy(() -> bus.publishAll(second))
          .isInstanceOf(NullPointerException.class)
          .hasMessage("publish needs an event but was given null");
      assertThat(buses.tables.eventIds()).isEmpty();
    }
  }

  @EachDatabase
  void whatWasNotAcquiredCannotBeClosedByItsClaim(TestDatabase database) throws Exception {
    try (Buses buses = Buses.on(database)) {
      EventBus bus = buses.made();
      Event made = Buses.event("A");
      long id = bus.publish(made);
      assertThatThrownBy(() -> bus.finalize(made, true)).isInstanceOf(IllegalStateException.class);
      assertThatThrownBy(() -> bus.fail(made, "no")).isInstanceOf(IllegalStateException.class);
      assertThatThrownBy(() -> bus.renew(made)).isInstanceOf(IllegalStateException.class);
      assertThatThrownBy(() -> bus.release(made)).isInstanceOf(IllegalStateException.class);
      assertThat(buses.tables.event(id)).containsEntry("status", "PENDING");
    }
  }

  @EachDatabase
  void numbersAndTimesForTheLogAreChecked(TestDatabase database) throws Exception {
    try (Buses buses = Buses.on(database)) {
      EventLog log = buses.made().log();
      assertThatThrownBy(() -> log.list(LogFilter.ALL, 0))
          .hasMessage("EventLog: limit must be 1 or more but was 0");
      assertThatThrownBy(() -> log.purgeCompleted(Duration.ofSeconds(-1)))
          .hasMessageContaining("olderThan must be zero or more");
      assertThatThrownBy(() -> log.republish(4711)).isInstanceOf(UnknownEventException.class);
    }
  }

  /** MariaDB takes 'A ' for 'A': its events would go to a worker that has no handler for them. */
  @ParameterizedTest
  @ValueSource(strings = {" A", "A ", "A\t", "\nA"})
  void aTypeHasNoWhiteSpaceAtItsEnds(String type) {
    assertThatThrownBy(() -> Event.of(type, "{}"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("type must have no white space at its ends")
        .hasMessageContaining(" but was '" + type + "'");
    assertThatThrownBy(() -> new EventRouter().register(type, event -> {}))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("type must have no white space at its ends");
  }

  @Test
  void aTypeWithoutANameOrTooLongHasNoHandler() {
    EventRouter router = new EventRouter();
    assertThatThrownBy(() -> router.register(" ", event -> {}))
        .hasMessageContaining("type must have 1 to 128 characters");
    assertThatThrownBy(() -> router.register("x".repeat(129), event -> {}))
        .hasMessageContaining("type must have 1 to 128 characters");
    assertThatThrownBy(() -> router.register("A", null))
        .isInstanceOf(NullPointerException.class)
        .hasMessage("handler");
    assertThat(router.types()).isEmpty();
  }

  @EachDatabase(DatabaseKind.H2)
  void anUnknownDatabaseIsNamedWithTheSupportedOnes(TestDatabase database) throws Exception {
    try (ConnectionPool other = ConnectionPool.over(() -> Disguise.as("DB2", database))) {
      assertThatThrownBy(() -> EventBus.builder(other).createTables().build())
          .hasMessageContainingAll("no dialect for database product 'DB2'", "H2");
      EventBus bus = EventBus.builder(other).build();
      assertThatThrownBy(() -> bus.publish(Buses.event("A")))
          .hasMessageContainingAll("no dialect for database product 'DB2'", "H2");
      assertThat(other.out()).isZero();
    }
  }
}
