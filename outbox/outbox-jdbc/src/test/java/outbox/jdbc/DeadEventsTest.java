package outbox.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import holdfast.testkit.db.EachDatabase;
import holdfast.testkit.threads.Eventually;
import holdfast.testkit.threads.Together;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import outbox.EventEnvelope;
import outbox.model.EventStatus;

/** Events that were given up: counted, listed and brought back. */
class DeadEventsTest extends FreshTable {
  private void bury(String eventId) throws SQLException {
    table.update(
        "UPDATE outbox_event SET status = 3, attempts = 4, lapses = 2, claimed_by = 'gone',"
            + " done_at = created_at, unhandled_since = created_at, failing_since = created_at, last_error = 'broken'"
            + " WHERE event_id = ?",
        eventId);
  }

  private List<String> dead(JdbcOutbox outbox, DeadFilter filter) {
    return outbox.deadEvents().list(filter, 100).stream().map(DeadEvent::eventId).toList();
  }

  @EachDatabase
  void areFoundByTypeTenantAggregateAndTime() throws Exception {
    JdbcOutbox outbox = open(settings().publishOnly());
    EventEnvelope a =
        EventEnvelope.builder("A")
            .tenantId("t1")
            .aggregateType("Order")
            .aggregateId("1")
            .payloadJson("{}")
            .build();
    EventEnvelope b =
        EventEnvelope.builder("B")
            .tenantId("t2")
            .aggregateType("Order")
            .aggregateId("2")
            .payloadJson("{}")
            .occurredAt(a.occurredAt().plusSeconds(60))
            .build();
    for (EventEnvelope event : List.of(a, b)) {
      bury(Publishing.publish(outbox, event));
    }
    Publishing.publish(outbox, EventEnvelope.ofJson("A", "{}"));

    assertThat(outbox.deadEvents().count()).isEqualTo(2);
    assertThat(dead(outbox, DeadFilter.ALL)).containsExactly(a.eventId(), b.eventId());
    assertThat(dead(outbox, DeadFilter.ALL.type("A"))).containsExactly(a.eventId());
    assertThat(dead(outbox, DeadFilter.ALL.tenant("t2"))).containsExactly(b.eventId());
    assertThat(dead(outbox, DeadFilter.ALL.aggregateType("Order"))).hasSize(2);
    assertThat(dead(outbox, DeadFilter.ALL.aggregate("Order", "2"))).containsExactly(b.eventId());
    assertThat(dead(outbox, DeadFilter.ALL.diedBefore(b.occurredAt())))
        .containsExactly(a.eventId());
    assertThat(dead(outbox, DeadFilter.ALL.diedFrom(b.occurredAt()))).containsExactly(b.eventId());
    assertThat(outbox.deadEvents().count(DeadFilter.ALL.type("A").tenant("t2"))).isZero();
    assertThat(outbox.deadEvents().list(DeadFilter.ALL.type("A"), 1))
        .singleElement()
        .isEqualTo(
            new DeadEvent(
                a.eventId(), "A", "Order", "1", "t1", 4, a.occurredAt(), a.occurredAt(), "broken"));
  }

  @EachDatabase
  void areListedPageByPage() throws Exception {
    JdbcOutbox outbox = open(settings().publishOnly());
    List<String> ids = Publishing.publish(outbox, "A", 7);
    table.execute("UPDATE outbox_event SET status = 3");
    List<String> seen = new ArrayList<>();
    String after = null;
    List<DeadEvent> page;
    do {
      page = outbox.deadEvents().list(DeadFilter.ALL, 3, after);
      page.forEach(event -> seen.add(event.eventId()));
      after = page.isEmpty() ? after : page.get(page.size() - 1).eventId();
    } while (page.size() == 3);
    assertThat(seen).isEqualTo(ids);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> outbox.deadEvents().list(DeadFilter.ALL, 0))
        .withMessageContaining("limit must be 1 to 1000 but was 0");
  }

  @EachDatabase
  void oneIsRedeliveredAsIfNew() throws Exception {
    JdbcOutbox outbox = open(settings().publishOnly());
    String id = Publishing.publish(outbox, EventEnvelope.ofJson("A", "{}"));
    bury(id);
    long token = table.number(id, "claim_token").longValue();

    assertThat(outbox.deadEvents().redeliver(id)).isTrue();
    assertThat(table.status(id)).isEqualTo(EventStatus.NEW);
    assertThat(table.number(id, "attempts").intValue()).isZero();
    assertThat(table.number(id, "lapses").intValue()).isZero();
    assertThat(table.number(id, "claim_token").longValue()).isEqualTo(token + 1);
    assertThat(table.row(id))
        .containsEntry("claimed_by", null)
        .containsEntry("unhandled_since", null)
        .containsEntry("failing_since", null)
        .containsEntry("done_at", null);
    assertThat(outbox.deadEvents().redeliver(id)).as("it is dead no more").isFalse();
    assertThat(outbox.deadEvents().redeliver("unknown")).isFalse();
  }

  @EachDatabase
  void onlyDeadOnesAreRedelivered() throws Exception {
    JdbcOutbox outbox = open(settings().publishOnly());
    List<String> ids = Publishing.publish(outbox, "A", 4);
    for (int status = 0; status < 4; status++) {
      table.update(
          "UPDATE outbox_event SET status = ?, attempts = 1 WHERE event_id = ?",
          status,
          ids.get(status));
    }
    assertThat(outbox.deadEvents().redeliverAll(DeadFilter.ALL)).isEqualTo(1);
    assertThat(table.ids(EventStatus.NEW)).containsExactly(ids.get(0), ids.get(3));
    assertThat(table.ids(EventStatus.DONE)).containsExactly(ids.get(1));
    assertThat(table.ids(EventStatus.RETRY)).containsExactly(ids.get(2));
    assertThat(table.number(ids.get(0), "attempts").intValue()).isEqualTo(1);
  }

  @EachDatabase
  void onlyAsManyAreRedeliveredAsWereAskedFor() throws Exception {
    JdbcOutbox outbox = open(settings().publishOnly());
    List<String> ids = Publishing.publish(outbox, "A", DeadEvents.BATCH + 3);
    table.execute("UPDATE outbox_event SET status = 3");
    int most = DeadEvents.BATCH + 1;

    assertThat(outbox.deadEvents().redeliverAll(DeadFilter.ALL, most)).isEqualTo(most);
    assertThat(table.ids(EventStatus.DEAD)).isEqualTo(ids.subList(most, ids.size()));
    assertThat(outbox.deadEvents().redeliverAll(DeadFilter.ALL, most)).isEqualTo(2);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> outbox.deadEvents().redeliverAll(DeadFilter.ALL, 0))
        .withMessageContaining("limit must be 1 or more but was 0");
  }

  @EachDatabase
  void aRedeliverWakesThePollerAndIsDelivered() throws Exception {
    AtomicBoolean healthy = new AtomicBoolean();
    JdbcOutbox outbox =
        open(
            settings()
                .pollInterval(Duration.ofHours(1))
                .maxAttempts(1)
                .listener(
                    "A",
                    event -> {
                      if (!healthy.get()) {
                        throw new IllegalStateException("broken");
                      }
                    }));
    outbox.start();
    String id = Publishing.publish(outbox, EventEnvelope.ofJson("A", "{}"));
    Eventually.await("dead", () -> table.status(id) == EventStatus.DEAD);
    healthy.set(true);
    assertThat(outbox.deadEvents().redeliver(id)).isTrue();
    Eventually.await("done", () -> table.status(id) == EventStatus.DONE);
  }

  @EachDatabase
  void redeliveringAllEndsThoughTheyDieAgain() throws Exception {
    AtomicInteger calls = new AtomicInteger();
    JdbcOutbox outbox =
        open(
            settings()
                .maxAttempts(1)
                .listener(
                    "A",
                    event -> {
                      calls.incrementAndGet();
                      throw new IllegalStateException("broken");
                    }));
    int count = 3 * DeadEvents.BATCH + 1;
    Publishing.publish(outbox, "A", count);
    outbox.start();
    Eventually.await("dead", () -> outbox.deadEvents().count() == count);
    assertThat(outbox.deadEvents().redeliverAll(DeadFilter.ALL.type("B"))).isZero();
    assertThat(outbox.deadEvents().redeliverAll(DeadFilter.ALL.type("A"))).isEqualTo(count);
    Eventually.await("dead again", () -> outbox.deadEvents().count() == count);
    assertThat(calls).hasValue(2 * count);
  }

  @EachDatabase
  void manyRedeliversAtOnceRedeliverEachEventOnce() throws Exception {
    JdbcOutbox outbox = open(settings().publishOnly());
    int count = 1_000;
    List<String> ids = Publishing.publish(outbox, "A", count);
    table.execute("UPDATE outbox_event SET status = 3, done_at = created_at");
    AtomicInteger redelivered = new AtomicInteger();
    CountDownLatch ready = new CountDownLatch(4);
    Together.runAll(
        4,
        () -> {
          ready.countDown();
          ready.await();
          redelivered.addAndGet((int) outbox.deadEvents().redeliverAll(DeadFilter.ALL));
        });
    // What one passed over because another had it locked, that one redelivered.
    assertThat(redelivered).hasValue(count);
    for (String id : List.of(ids.get(0), ids.get(count - 1))) {
      assertThat(table.number(id, "claim_token").longValue()).isEqualTo(1);
    }
  }

  @EachDatabase
  void anOrderedEventKeepsItsPlaceWhenTheDeadBlock() throws Exception {
    JdbcOutbox outbox = open(settings().publishOnly());
    String first = Publishing.publish(outbox, Publishing.ordered("A", "1").build());
    Publishing.publish(outbox, Publishing.ordered("A", "1").build());
    bury(first);
    assertThat(outbox.deadEvents().redeliverAll(DeadFilter.ALL)).isEqualTo(1);
    assertThat(table.number(first, "order_number").longValue()).isEqualTo(1);
  }

  @EachDatabase
  void orderedEventsComeLastInTheirOldOrderWhenTheDeadAreSkipped() throws Exception {
    ConcurrentLinkedQueue<String> delivered = new ConcurrentLinkedQueue<>();
    JdbcOutbox publisher = open(settings().publishOnly().onDead(OnDead.SKIP));
    List<String> ids = new ArrayList<>();
    for (String eventId : List.of("z", "y", "x")) {
      EventEnvelope event = Publishing.ordered("A", "1").eventId(eventId).build();
      ids.add(Publishing.publish(publisher, event));
    }
    bury("z");
    bury("y");
    assertThat(publisher.deadEvents().redeliverAll(DeadFilter.ALL)).isEqualTo(2);
    assertThat(table.number("z", "order_number").longValue()).isEqualTo(4);
    assertThat(table.number("y", "order_number").longValue()).isEqualTo(5);
    // Each must make way for the next: no interval will.
    JdbcOutbox worker =
        open(
            settings()
                .onDead(OnDead.SKIP)
                .pollInterval(Duration.ofHours(1))
                .listener("A", event -> delivered.add(event.eventId())));
    worker.start();
    Eventually.await("done", () -> table.count(EventStatus.DONE) == 3);
    assertThat(delivered).containsExactly("x", "z", "y");
  }

  @EachDatabase
  void oneWithoutATimeOfDeathIsRedeliveredToo() throws Exception {
    JdbcOutbox outbox = open(settings().publishOnly());
    String id = Publishing.publish(outbox, EventEnvelope.ofJson("A", "{}"));
    table.update("UPDATE outbox_event SET status = 3, done_at = NULL WHERE event_id = ?", id);
    assertThat(outbox.deadEvents().list(DeadFilter.ALL, 10)).hasSize(1);
    assertThat(outbox.deadEvents().redeliverAll(DeadFilter.ALL)).isEqualTo(1);
  }
}
