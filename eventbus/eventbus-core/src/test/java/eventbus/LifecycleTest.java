package eventbus;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import holdfast.testkit.db.DatabaseKind;
import holdfast.testkit.db.EachDatabase;
import holdfast.testkit.log.CapturedLog;
import java.time.Duration;
import java.time.LocalDateTime;
import org.junit.jupiter.api.BeforeEach;

/** The way of one event, as the sequence diagram has it: published, acquired, closed. */
class LifecycleTest extends BusFixture {
  private EventBus bus;

  @BeforeEach
  void make() {
    bus = buses.made();
  }

  @EachDatabase(DatabaseKind.H2)
  void theLogSaysThatItStartedOrThatStartWasForgotten() {
    try (CapturedLog log = new CapturedLog("eventbus")) {
      EventBus bus = buses.made(b -> b.workers(3).handler("A", event -> {}));
      bus.publish(Buses.event("polled by hand"));
      assertThat(log.lines()).as("nothing here handles it").isEmpty();
      bus.publish(Buses.event("A"));
      bus.publish(Buses.event("A"));
      assertThat(log.lines())
          .containsExactly(
              "WARNING eventbus publishes but does not handle events here, because start() was not"
                  + " called or it is closed: events wait in the table for a node that is started");
      bus.start();
      assertThat(log.lines()).contains("INFO eventbus started workers=3");
    }
  }

  @EachDatabase
  void publishedItIsPendingAndWasNeverAcquired() throws Exception {
    long id = bus.publish(Event.builder("A").payload("{\"n\":1}").header("h", "v").build());
    assertThat(buses.tables.event(id))
        .containsEntry("type", "A")
        .containsEntry("payload", "{\"n\":1}")
        .containsEntry("headers", "{\"h\":\"v\"}")
        .containsEntry("status", "PENDING")
        .containsEntry("claimed_by", null)
        .containsEntry("processing_started_at", null);
    assertThat(buses.tables.number(id, "attempts")).isZero();
    assertThat(buses.tables.number(id, "priority")).isEqualTo(5);
  }

  @EachDatabase
  void polledItIsProcessingAndCounted() throws Exception {
    long id = bus.publish(Event.builder("A").payload("p").header("h", "v").build());
    Event event = bus.poll().orElseThrow();
    assertThat(event.id()).as("the row's id is the event's").isEqualTo(id);
    assertThat(event.type()).isEqualTo("A");
    assertThat(event.payload()).isEqualTo("p");
    assertThat(event.headers()).containsExactlyEntriesOf(java.util.Map.of("h", "v"));
    assertThat(event.attempts()).as("the row after the update").isEqualTo(1);
    assertThat(buses.tables.event(id)).containsEntry("status", "PROCESSING");
    assertThat(buses.tables.number(id, "attempts")).isEqualTo(1);
    assertThat(utc(event.claim().processingStartedAt()))
        .isEqualTo(buses.tables.event(id).get("processing_started_at"));
    assertThat((LocalDateTime) buses.tables.event(id).get("available_at"))
        .as("the end of its claim")
        .isEqualTo(utc(event.claim().processingStartedAt()).plusMinutes(5));
    assertThat(bus.poll()).as("nobody else gets it").isEmpty();
  }

  private static LocalDateTime utc(java.time.Instant instant) {
    return LocalDateTime.ofInstant(instant, java.time.ZoneOffset.UTC);
  }

  @EachDatabase
  void completedItIsInTheLogAndNowhereElse() throws Exception {
    long id = bus.publish(Event.builder("A").payload("p").header("h", "v").build());
    LocalDateTime created = (LocalDateTime) buses.tables.event(id).get("created_at");
    bus.finalize(bus.poll().orElseThrow().id(), true);
    assertThat(buses.tables.event(id)).isEmpty();
    assertThat(buses.tables.logged(id))
        .containsEntry("status", "COMPLETED")
        .containsEntry("type", "A")
        .containsEntry("payload", "p")
        .containsEntry("headers", "{\"h\":\"v\"}")
        .containsEntry("created_at", created)
        .containsEntry("error", null)
        .containsKey("finished_at");
    assertThat(((Number) buses.tables.logged(id).get("attempts")).intValue()).isEqualTo(1);
  }

  @EachDatabase
  void failedItIsInTheLogAsFailed() throws Exception {
    long id = bus.publish(Buses.event("A"));
    bus.poll();
    bus.finalize(id, false);
    assertThat(buses.tables.event(id)).isEmpty();
    assertThat(buses.tables.logged(id)).containsEntry("status", "FAILED");
    long other = bus.publish(Buses.event("A"));
    assertThat(bus.fail(bus.poll().orElseThrow(), "no stock")).isTrue();
    assertThat(buses.tables.logged(other)).containsEntry("error", "no stock");
  }

  @EachDatabase
  void abandonedItIsAcquiredAgainAfterTheTimeOutAndNotBefore() throws Exception {
    long id = bus.publish(Buses.event("A"));
    Event first = bus.poll().orElseThrow();
    buses.advance(Duration.ofMinutes(5).minusSeconds(1));
    assertThat(bus.poll()).as("the time-out is not over").isEmpty();
    buses.advance(Duration.ofSeconds(2));
    Event second = bus.poll().orElseThrow();
    assertThat(second.id()).isEqualTo(id);
    assertThat(second.attempts()).isEqualTo(2);
    assertThat(second.claim().processingStartedAt())
        .as("refreshed")
        .isAfter(first.claim().processingStartedAt().plusSeconds(290));
    assertThat(bus.poll()).isEmpty();
    bus.finalize(second.id(), true);
    assertThat(buses.tables.logged(id)).containsEntry("status", "COMPLETED");
  }

  @EachDatabase
  void theTimeOutCanBeSet() {
    EventBus hasty = buses.made(b -> b.abandonmentTimeout(Duration.ofSeconds(30)));
    hasty.publish(Buses.event("A"));
    assertThat(hasty.poll()).isPresent();
    buses.advance(Duration.ofSeconds(31));
    assertThat(hasty.poll()).isPresent();
  }

  @EachDatabase
  void renewedItBelongsToItsWorkerForLongerAndItsStartStays() throws Exception {
    long id = bus.publish(Buses.event("A"));
    Event event = bus.poll().orElseThrow();
    Object started = buses.tables.event(id).get("processing_started_at");
    buses.advance(Duration.ofMinutes(4));
    assertThat(bus.renew(event)).isTrue();
    buses.advance(Duration.ofMinutes(4));
    assertThat(bus.poll()).isEmpty();
    assertThat(buses.tables.event(id)).containsEntry("processing_started_at", started);
    buses.advance(Duration.ofMinutes(2));
    assertThat(bus.poll()).isPresent();
    assertThat(bus.renew(event)).as("it has passed on").isFalse();
  }

  @EachDatabase
  void releasedItIsPendingAtOnceAndNotFailed() throws Exception {
    long id = bus.publish(Buses.event("A"));
    bus.release(bus.poll().orElseThrow());
    assertThat(buses.tables.event(id))
        .containsEntry("status", "PENDING")
        .containsEntry("claimed_by", null);
    assertThat(buses.tables.number(id, "failures")).isZero();
    assertThat(buses.tables.number(id, "lapses")).isZero();
    assertThat(bus.poll().orElseThrow().attempts()).isEqualTo(2);
  }

  @EachDatabase
  void saidTwiceItIsClosedOnce() throws Exception {
    long id = bus.publish(Buses.event("A"));
    Event event = bus.poll().orElseThrow();
    assertThat(bus.finalize(event, true)).isTrue();
    Object line = buses.tables.logged(id);
    assertThat(bus.finalize(event, true)).isTrue();
    bus.finalize(id, true);
    assertThat(buses.tables.logged(id)).isEqualTo(line);
    assertThat(bus.counts().completed()).as("and counted once").isEqualTo(1);
    assertThatThrownBy(() -> bus.finalize(id, false))
        .isInstanceOf(EventBusException.class)
        .hasMessage(
            "event %d must be open to be closed as FAILED but was closed as COMPLETED; publish it"
                + " again with log().republish(...)",
            id);
    assertThatThrownBy(() -> bus.finalize(event, false)).isInstanceOf(EventBusException.class);
    assertThat(bus.ledger().toLine())
        .isEqualTo("eventbus accepted=1 delivered=1 held=0 lost=0 unaccounted=0");
  }

  @EachDatabase
  void anUnknownIdIsAnError() {
    assertThatThrownBy(() -> bus.finalize(4711, true))
        .isInstanceOf(UnknownEventException.class)
        .hasMessageContaining("4711");
  }

  @EachDatabase
  void aPendingEventCanBeClosedByItsId() throws Exception {
    long id = bus.publish(Buses.event("A"));
    bus.finalize(id, false);
    assertThat(buses.tables.logged(id)).containsEntry("status", "FAILED");
    assertThat(bus.poll()).isEmpty();
  }

  @EachDatabase
  void aStaleWorkerIsRefusedAndCounted() throws Exception {
    long id = bus.publish(Buses.event("A"));
    EventBus other = buses.made();
    Event mine = bus.poll().orElseThrow();
    buses.advance(Duration.ofMinutes(6));
    Event theirs = other.poll().orElseThrow();
    assertThat(bus.finalize(mine, false)).isFalse();
    assertThat(bus.counts().stale()).isEqualTo(1);
    assertThat(buses.tables.event(id)).as("untouched").containsEntry("status", "PROCESSING");
    assertThat(other.finalize(theirs, true)).isTrue();
    assertThat(bus.finalize(mine, true)).as("also once it is closed").isFalse();
    assertThat(bus.counts().stale()).isEqualTo(2);
    assertThat(other.counts().stale()).isZero();
    assertThat(buses.tables.logged(id)).containsEntry("status", "COMPLETED");
  }
}
