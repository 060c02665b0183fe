package outbox.spi;

import static org.assertj.core.api.Assertions.assertThat;

import java.sql.Connection;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.TimeZone;
import org.junit.jupiter.api.Test;
import outbox.EventEnvelope;
import outbox.model.EventStatus;
import outbox.model.OutboxEvent;

/** What any {@link EventStore} must do. Extend it, and give it your store. */
public abstract class EventStoreContract extends StoreContract {
  private static final int MAX_ERROR = 4_000;

  private final StoreUnderTest subject;

  /** Runs that store through the contract. */
  protected EventStoreContract(StoreUnderTest subject) {
    super(subject);
    this.subject = subject;
  }

  private EventStore store() {
    return subject.store();
  }

  private void insert(EventEnvelope... events) throws Exception {
    on(
        conn -> {
          for (EventEnvelope event : events) {
            store().insertNew(conn, event);
          }
          return null;
        });
  }

  private List<OutboxEvent> pending(Instant now, Duration skipRecent, int limit) throws Exception {
    return on(conn -> store().pollPending(conn, now, skipRecent, limit));
  }

  private List<OutboxEvent> pending() throws Exception {
    return pending(in(Duration.ofMinutes(1)), Duration.ZERO, 100);
  }

  private EventEnvelope readBack(EventEnvelope event) throws Exception {
    insert(event);
    return EventEnvelope.of(pending().get(0));
  }

  private static String withoutSpace(String json) {
    return json.replace(" ", "");
  }

  @Test
  void everyFieldComesBackAsItWasPublished() throws Exception {
    EventEnvelope event =
        EventEnvelope.builder("Order placed ü")
            .aggregateType("Bestellung")
            .aggregateId("ü-1")
            .tenantId("Mandant ß")
            .header("a", "1")
            .header("quote\"d", "line\nbreak \\ 😀")
            .payloadJson("{\"text\": [\"é\", \"😀\", \"\\\"\", null, 1.50, true]}")
            .build();
    EventEnvelope back = readBack(event);
    assertThat(back.eventId()).isEqualTo(event.eventId());
    assertThat(back.eventType()).isEqualTo(event.eventType());
    assertThat(back.aggregateType()).isEqualTo("Bestellung");
    assertThat(back.aggregateId()).isEqualTo("ü-1");
    assertThat(back.tenantId()).isEqualTo("Mandant ß");
    assertThat(back.headers()).isEqualTo(event.headers());
    assertThat(withoutSpace(back.payloadJson())).isEqualTo(withoutSpace(event.payloadJson()));
    assertThat(back.payloadBytes()).isNull();
    assertThat(back.occurredAt()).isEqualTo(event.occurredAt());
    assertThat(pending().get(0).attempts()).isZero();
  }

  @Test
  void whatWasNotSetComesBackAsNothing() throws Exception {
    EventEnvelope back = readBack(EventEnvelope.ofJson("T", "null"));
    assertThat(back.aggregateType()).isNull();
    assertThat(back.aggregateId()).isNull();
    assertThat(back.tenantId()).isNull();
    assertThat(back.headers()).isEmpty();
    assertThat(back.payloadJson()).isEqualTo("null");
  }

  @Test
  void bytesComeBackExactly() throws Exception {
    byte[] all = new byte[256];
    for (int i = 0; i < all.length; i++) {
      all[i] = (byte) i;
    }
    EventEnvelope event = EventEnvelope.builder("T").payloadBytes(all).build();
    EventEnvelope back = readBack(event);
    assertThat(back.payloadBytes()).isEqualTo(all);
    assertThat(back.payloadJson()).isNull();
  }

  @Test
  void noBytesComeBackAsNoBytes() throws Exception {
    EventEnvelope back = readBack(EventEnvelope.builder("T").payloadBytes(new byte[0]).build());
    assertThat(back.payloadBytes()).isEmpty();
  }

  @Test
  void jsonThatLooksLikeBytesStaysJson() throws Exception {
    EventEnvelope back = readBack(EventEnvelope.ofJson("T", "\"AAEC\""));
    assertThat(back.payloadJson()).isEqualTo("\"AAEC\"");
    assertThat(back.payloadBytes()).isNull();
  }

  @Test
  void theMomentIsKeptInMicrosecondsWhateverTheZone() throws Exception {
    TimeZone before = TimeZone.getDefault();
    Instant inTheGap = Instant.parse("2026-03-29T01:30:00.123456789Z");
    Instant inTheOverlap = Instant.parse("2026-10-25T00:30:00.999999999Z");
    try {
      for (String zone : List.of("Europe/Berlin", "America/St_Johns", "UTC")) {
        TimeZone.setDefault(TimeZone.getTimeZone(zone));
        insert(event("gap " + zone, inTheGap), event("overlap " + zone, inTheOverlap));
      }
      TimeZone.setDefault(TimeZone.getTimeZone("Asia/Tokyo"));
      for (OutboxEvent row : pending(Instant.parse("2100-01-01T00:00:00Z"), Duration.ZERO, 10)) {
        Instant published = row.eventId().startsWith("gap") ? inTheGap : inTheOverlap;
        assertThat(row.createdAt()).as(row.eventId()).isEqualTo(micros(published));
      }
    } finally {
      TimeZone.setDefault(before);
    }
  }

  @Test
  void doneIsWrittenOnceAndStays() throws Exception {
    insert(event("a"));
    assertThat(touched(conn -> store().markDone(conn, "a"))).isEqualTo(1);
    StoredEvent done = stored("a");
    assertThat(done.status()).isEqualTo(EventStatus.DONE);
    assertThat(done.doneAt()).isNotNull();
    everyMarkLeavesAlone("a");
    assertThat(stored("a")).isEqualTo(done);
    assertThat(pending()).isEmpty();
  }

  @Test
  void aDeadEventIsNotResurrectedByALateMark() throws Exception {
    insert(event("a"));
    assertThat(touched(conn -> store().markDead(conn, "a", "why"))).isEqualTo(1);
    StoredEvent dead = stored("a");
    assertThat(dead.status()).isEqualTo(EventStatus.DEAD);
    assertThat(dead.lastError()).isEqualTo("why");
    everyMarkLeavesAlone("a");
    assertThat(stored("a")).isEqualTo(dead);
    assertThat(pending()).isEmpty();
  }

  private void everyMarkLeavesAlone(String id) throws Exception {
    assertThat(touched(conn -> store().markDone(conn, id))).isZero();
    assertThat(touched(conn -> store().markRetry(conn, id, Instant.now(), "late"))).isZero();
    assertThat(touched(conn -> store().markDead(conn, id, "late"))).isZero();
  }

  @Test
  void aMarkOfWhatIsNotThereTouchesNothing() throws Exception {
    everyMarkLeavesAlone("nobody");
  }

  @Test
  void everyRetryCountsAnAttempt() throws Exception {
    insert(event("a"));
    Instant next = micros(in(Duration.ofHours(1)));
    for (int attempt = 1; attempt <= 3; attempt++) {
      assertThat(touched(conn -> store().markRetry(conn, "a", next, "e"))).isEqualTo(1);
      assertThat(stored("a").attempts()).isEqualTo(attempt);
    }
    assertThat(stored("a").status()).isEqualTo(EventStatus.RETRY);
    assertThat(stored("a").availableAt()).isEqualTo(next);
    assertThat(pending()).isEmpty();
    assertThat(pending(next, Duration.ZERO, 1).get(0).attempts()).isEqualTo(3);
    assertThat(touched(conn -> store().markDone(conn, "a"))).isEqualTo(1);
  }

  @Test
  void errorsAreCutToFourThousandCharacters() throws Exception {
    assertThat(errorKept("x".repeat(MAX_ERROR))).hasSize(MAX_ERROR);
    assertThat(errorKept("x".repeat(MAX_ERROR + 1))).hasSize(MAX_ERROR);
    assertThat(errorKept("ü".repeat(MAX_ERROR * 3))).hasSize(MAX_ERROR);
    assertThat(errorKept(null)).isNull();
    assertThat(errorKept("😀".repeat(MAX_ERROR))).isEqualTo("😀".repeat(MAX_ERROR / 2));
    // The pair that would be cut in two is left out.
    assertThat(errorKept("x" + "😀".repeat(MAX_ERROR))).isEqualTo("x" + "😀".repeat(1_999));
    assertThat(errorKept("a\0b")).isEqualTo("ab");
  }

  private String errorKept(String error) throws Exception {
    String id = EventEnvelope.ofJson("T", "1").eventId();
    insert(event(id), event(id + "-dead"));
    on(conn -> store().markRetry(conn, id, Instant.now(), error));
    on(conn -> store().markDead(conn, id + "-dead", error));
    assertThat(stored(id + "-dead").lastError()).isEqualTo(stored(id).lastError());
    return stored(id).lastError();
  }

  @Test
  void theOldestComeFirstAndEqualMomentsInTheOrderOfTheirIds() throws Exception {
    Instant now = in(Duration.ofSeconds(-10));
    insert(event("c", now), event("a", now), event("d", now.minusSeconds(1)), event("b", now));
    assertThat(ids(pending())).containsExactly("d", "a", "b", "c");
    assertThat(ids(pending(Instant.now(), Duration.ZERO, 2))).containsExactly("d", "a");
  }

  @Test
  void recentEventsAreSkipped() throws Exception {
    Instant now = micros(in(Duration.ofMinutes(1)));
    insert(event("old", now.minusSeconds(5)), event("new", now.minusSeconds(1)));
    assertThat(ids(pending(now, Duration.ofSeconds(2), 10))).containsExactly("old");
    assertThat(ids(pending(now, Duration.ofSeconds(1), 10))).containsExactly("old", "new");
  }

  @Test
  void nanosecondsThatTheDatabaseDropsDoNotHideAnEvent() throws Exception {
    Instant moment = Instant.parse("2026-01-01T00:00:00.123456999Z");
    insert(
        EventEnvelope.builder("T")
            .eventId("a")
            .occurredAt(moment)
            .availableAt(moment)
            .payloadJson("1")
            .build());
    assertThat(ids(pending(moment, Duration.ZERO, 10))).containsExactly("a");
    assertThat(pending(moment.minusNanos(1_000), Duration.ZERO, 10)).isEmpty();
  }

  @Test
  void delayedEventsAreNotDueBeforeTheirTime() throws Exception {
    Instant at = micros(in(Duration.ofHours(1)));
    insert(
        EventEnvelope.builder("T").eventId("at").availableAt(at).payloadJson("1").build(),
        EventEnvelope.builder("T")
            .eventId("after")
            .deliverAfter(Duration.ofHours(3))
            .payloadJson("1")
            .build());
    assertThat(pending()).isEmpty();
    assertThat(pending(at.minusMillis(1), Duration.ZERO, 10)).isEmpty();
    assertThat(ids(pending(at, Duration.ZERO, 10))).containsExactly("at");
    assertThat(ids(pending(in(Duration.ofHours(4)), Duration.ZERO, 10)))
        .containsExactlyInAnyOrder("at", "after");
  }

  @Test
  void nothingEndsTheCallersTransaction() throws Exception {
    insert(event("retried"), event("done"), event("dead"));
    try (Connection real = connect()) {
      real.setAutoCommit(false);
      Connection conn = GuardedConnection.over(real);
      store().insertNew(conn, event("inserted"));
      store().markDone(conn, "done");
      store().markRetry(conn, "retried", Instant.now(), "e");
      store().markDead(conn, "dead", "e");
      assertThat(store().pollPending(conn, in(Duration.ofMinutes(1)), Duration.ZERO, 10))
          .hasSize(2);
      assertThat(stored("inserted")).isNull();
      assertThat(stored("done").status()).isEqualTo(EventStatus.NEW);
      real.rollback();
    }
    assertThat(stored("inserted")).isNull();
    assertThat(ids(pending())).containsExactlyInAnyOrder("retried", "done", "dead");
  }
}
