package outbox.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import holdfast.testkit.db.DatabaseKind;
import holdfast.testkit.db.EachDatabase;
import holdfast.testkit.db.TestDatabase;
import holdfast.testkit.threads.Eventually;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Timeout;
import outbox.EventEnvelope;
import outbox.RetryAfterException;
import outbox.dispatch.RetryPolicy;
import outbox.model.EventStatus;

/** How long failing events are tried again, and what makes them due sooner. */
@Timeout(120)
class RetriesTest {
  private static final long HOUR_MS = 3_600_000;
  private static final String FAILS_FOR_LONG =
      "UPDATE outbox_event SET failing_since = TIMESTAMP '2020-01-01 00:00:00' WHERE event_id = ?";

  private static void awaitAttempts(Nodes nodes, String id, int attempts) throws Exception {
    Eventually.await("attempts", () -> nodes.table.number(id, "attempts").intValue() >= attempts);
  }

  @EachDatabase
  void anEventIsDeadWhenItHasFailedForTheTimeAndNotAfterTenAttempts(TestDatabase database)
      throws Exception {
    try (Nodes nodes = Nodes.on(database)) {
      JdbcOutbox node =
          nodes.started(
              b ->
                  b.retryPolicy(attempts -> 1)
                      .listener(
                          "T",
                          event -> {
                            throw new IllegalStateException("down");
                          }));
      String id = Nodes.publish(node, Nodes.event("T"));
      awaitAttempts(nodes, id, 12);
      assertThat(nodes.table.status(id)).isNotEqualTo(EventStatus.DEAD);
      assertThat(nodes.table.moment(id, "failing_since")).isNotNull();
      nodes.table.update(FAILS_FOR_LONG, id);
      Eventually.await("dead", () -> nodes.table.status(id) == EventStatus.DEAD);
      assertThat(nodes.table.text(id, "last_error")).endsWith("down");
    }
  }

  @EachDatabase
  void aListenerThatChoosesTheDelayCostsNoAttemptAndEndsAllTheSame(TestDatabase database)
      throws Exception {
    AtomicInteger calls = new AtomicInteger();
    try (Nodes nodes = Nodes.on(database)) {
      JdbcOutbox node =
          nodes.started(
              b ->
                  b.maxAttempts(2)
                      .listener(
                          "T",
                          event -> {
                            calls.incrementAndGet();
                            throw new IllegalStateException(
                                new RetryAfterException(Duration.ofMillis(1), "busy"));
                          }));
      String id = Nodes.publish(node, Nodes.event("T"));
      Eventually.await("called again and again", () -> calls.get() > 5);
      assertThat(nodes.table.number(id, "attempts").intValue()).isZero();
      assertThat(nodes.table.status(id)).isNotEqualTo(EventStatus.DEAD);
      nodes.table.update(FAILS_FOR_LONG, id);
      Eventually.await("dead", () -> nodes.table.status(id) == EventStatus.DEAD);
    }
  }

  @EachDatabase
  void theFirstSuccessOfATypeMakesItsWaitingRetriesDue(TestDatabase database) throws Exception {
    AtomicBoolean down = new AtomicBoolean(true);
    try (Nodes nodes = Nodes.on(database)) {
      JdbcOutbox node =
          nodes.started(
              b ->
                  b.retryPolicy(attempts -> HOUR_MS)
                      .listener("T", event -> failIf(down.get()))
                      .listener("Other", event -> failIf(!event.payloadJson().equals("1"))));
      List<String> waiting = new ArrayList<>();
      for (int i = 0; i < 20; i++) {
        waiting.add(Nodes.publish(node, Nodes.event("T")));
      }
      String other = Nodes.publish(node, Nodes.event("Other"));
      for (String id : waiting) {
        Eventually.await("waits", () -> nodes.table.status(id) == EventStatus.RETRY);
      }
      Eventually.await("waits", () -> nodes.table.status(other) == EventStatus.RETRY);
      down.set(false);
      String first = Nodes.publish(node, Nodes.event("T"));
      Eventually.await("all", () -> nodes.table.count(EventStatus.DONE) == 21);
      assertThat(nodes.table.ids(EventStatus.DONE)).contains(first).containsAll(waiting);
      assertThat(nodes.table.number(other, "attempts").intValue()).isEqualTo(1);
    }
  }

  private static void failIf(boolean fails) {
    if (fails) {
      throw new IllegalStateException("down");
    }
  }

  /** Those of a node that has died or was closed, too. */
  @EachDatabase
  void aRetryThatSucceedsMakesThoseOfOtherNodesDue(TestDatabase database) throws Exception {
    try (Nodes nodes = Nodes.on(database)) {
      JdbcOutbox failing =
          nodes.started(
              b -> b.retryPolicy(attempts -> HOUR_MS).listener("T", event -> failIf(true)));
      for (int i = 0; i < 5; i++) {
        Nodes.publish(failing, Nodes.event("T"));
      }
      Eventually.await("wait", () -> nodes.table.count(EventStatus.RETRY) == 5);
      failing.close();
      String soonest = nodes.table.ids(EventStatus.RETRY).get(0);
      nodes.table.update(
          "UPDATE outbox_event SET available_at = TIMESTAMP '2020-01-01 00:00:00'"
              + " WHERE event_id = ?",
          soonest);
      nodes.started(b -> b.listener("T", event -> {}));
      Eventually.await("all", () -> nodes.table.count(EventStatus.DONE) == 5);
    }
  }

  /** As after a deployment: no node that has seen a failure is there any more. */
  @EachDatabase
  void theFirstSuccessOnANewNodeMakesWhatOthersLeftDue(TestDatabase database) throws Exception {
    try (Nodes nodes = Nodes.on(database)) {
      JdbcOutbox failing =
          nodes.started(
              b -> b.retryPolicy(attempts -> HOUR_MS).listener("T", event -> failIf(true)));
      for (int i = 0; i < 5; i++) {
        Nodes.publish(failing, Nodes.event("T"));
      }
      Eventually.await("wait", () -> nodes.table.count(EventStatus.RETRY) == 5);
      failing.close();
      JdbcOutbox deployed = nodes.started(b -> b.listener("T", event -> {}));
      Nodes.publish(deployed, Nodes.event("T"));
      Eventually.await("all", () -> nodes.table.count(EventStatus.DONE) == 6);
    }
  }

  @EachDatabase
  void aRetryThatIsLockedWhenItsTypeRecoversIsMadeDueSoonAfter(TestDatabase database)
      throws Exception {
    AtomicBoolean down = new AtomicBoolean(true);
    try (Nodes nodes = Nodes.on(database);
        Connection other = database.connect()) {
      JdbcOutbox node =
          nodes.started(
              b -> b.retryPolicy(attempts -> HOUR_MS).listener("T", event -> failIf(down.get())));
      String waiting = Nodes.publish(node, Nodes.event("T"));
      Eventually.await("it waits", () -> nodes.table.count(EventStatus.RETRY) == 1);
      other.setAutoCommit(false);
      try (PreparedStatement lock =
          other.prepareStatement("SELECT 1 FROM outbox_event WHERE event_id = ? FOR UPDATE")) {
        lock.setString(1, waiting);
        lock.executeQuery();
      }
      down.set(false);
      Nodes.publish(node, Nodes.event("T"));
      Eventually.await("recovered", () -> nodes.table.count(EventStatus.DONE) == 1);
      other.rollback();
      Eventually.await("all", () -> nodes.table.count(EventStatus.DONE) == 2);
    }
  }

  @EachDatabase
  void orderHoldsWhenRetriesAreMadeDue(TestDatabase database) throws Exception {
    AtomicBoolean down = new AtomicBoolean(true);
    Queue<String> delivered = new ConcurrentLinkedQueue<>();
    try (Nodes nodes = Nodes.on(database)) {
      JdbcOutbox node =
          nodes.started(
              b ->
                  b.retryPolicy(attempts -> HOUR_MS)
                      .listener(
                          "T",
                          event -> {
                            failIf(down.get());
                            delivered.add(event.aggregateId() + event.payloadJson());
                          }));
      for (String aggregate : List.of("a", "b")) {
        for (int i = 0; i < 5; i++) {
          Nodes.publish(node, ordered(aggregate, i));
        }
      }
      Eventually.await("the heads wait", () -> nodes.table.count(EventStatus.RETRY) == 2);
      down.set(false);
      Nodes.publish(node, ordered("c", 0));
      Eventually.await("all", () -> nodes.table.count(EventStatus.DONE) == 11);
      assertThat(delivered.stream().filter(text -> text.startsWith("a")))
          .containsExactly("a0", "a1", "a2", "a3", "a4");
      assertThat(delivered.stream().filter(text -> text.startsWith("b")))
          .containsExactly("b0", "b1", "b2", "b3", "b4");
    }
  }

  private static EventEnvelope ordered(String aggregate, int number) {
    return EventEnvelope.builder("T")
        .aggregateType("A")
        .aggregateId(aggregate)
        .payloadJson(Integer.toString(number))
        .ordered()
        .build();
  }

  @EachDatabase
  void aTypeCanHaveAPolicyThatIsAskedWithTheFailure(TestDatabase database) throws Exception {
    RetryPolicy onlyIfDown =
        new RetryPolicy() {
          @Override
          public long computeDelayMs(int attempts) {
            return 1;
          }

          @Override
          public Optional<Duration> delay(int attempts, Throwable failure) {
            return failure instanceof IllegalStateException
                ? RetryPolicy.super.delay(attempts, failure)
                : Optional.empty();
          }
        };
    try (Nodes nodes = Nodes.on(database)) {
      JdbcOutbox node =
          nodes.started(
              b ->
                  b.retryPolicy("T", onlyIfDown)
                      .listener(
                          "T",
                          event -> {
                            failIf(event.payloadJson().equals("{}"));
                            throw new IllegalArgumentException("bad");
                          })
                      .listener(
                          "U",
                          event -> {
                            throw new IllegalArgumentException("bad");
                          }));
      String down = Nodes.publish(node, Nodes.event("T"));
      String bad = Nodes.publish(node, EventEnvelope.ofJson("T", "1"));
      String usual = Nodes.publish(node, Nodes.event("U"));
      Eventually.await("dead", () -> nodes.table.status(bad) == EventStatus.DEAD);
      assertThat(nodes.table.number(bad, "attempts").intValue()).isEqualTo(1);
      awaitAttempts(nodes, down, 3);
      awaitAttempts(nodes, usual, 3);
    }
  }

  @EachDatabase(DatabaseKind.H2)
  void delaysGrowToTenMinutes(TestDatabase database) throws Exception {
    try (Nodes nodes = Nodes.on(database);
        JdbcOutbox node =
            JdbcOutbox.builder(nodes.pool).listener("T", event -> failIf(true)).build()) {
      String id = Nodes.publish(node, Nodes.event("T"));
      nodes.table.update("UPDATE outbox_event SET attempts = 1000 WHERE event_id = ?", id);
      node.start();
      Eventually.await("failed", () -> nodes.table.status(id) == EventStatus.RETRY);
      assertThat(
              Duration.between(
                  nodes.table.moment(id, "failing_since"), nodes.table.moment(id, "available_at")))
          .isBetween(Duration.ofMinutes(5), Duration.ofMinutes(10).plusSeconds(1));
    }
  }

  @EachDatabase(DatabaseKind.H2)
  void theLimitIsChecked(TestDatabase database) {
    assertThatThrownBy(
            () ->
                JdbcOutbox.builder(database.dataSource())
                    .retryFor(Duration.ZERO)
                    .maxLapses(0)
                    .build())
        .hasMessageContaining("retryFor must be more than zero")
        .hasMessageContaining("maxLapses must be 1 or more");
  }
}
