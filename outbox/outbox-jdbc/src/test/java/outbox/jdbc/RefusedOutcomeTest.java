package outbox.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import holdfast.testkit.db.EachDatabase;
import holdfast.testkit.db.TestDatabase;
import holdfast.testkit.log.CapturedLog;
import holdfast.testkit.threads.Eventually;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.logging.Level;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Timeout;
import outbox.EventEnvelope;
import outbox.OutboxLifecycleListener;
import outbox.memory.Gate;
import outbox.model.EventStatus;

/** An outcome that the table refuses, since another node has the event, is no outcome. */
@Timeout(120)
class RefusedOutcomeTest {
  private final Counts counts = new Counts();
  private final Gate gate = new Gate();
  private final Queue<String> called = new ConcurrentLinkedQueue<>();

  private OutboxLifecycleListener recording() {
    return new OutboxLifecycleListener() {
      @Override
      public void onDelivered(EventEnvelope event) {
        called.add("delivered " + event.eventId());
      }

      @Override
      public void onDead(String eventId, @Nullable String eventType, String error) {
        called.add("dead " + eventId);
      }
    };
  }

  private static void passToAnother(Nodes nodes, String id) throws Exception {
    nodes.table.update(
        "UPDATE outbox_event SET claimed_by = 'other', claim_token = claim_token + 1"
            + " WHERE event_id = ?",
        id);
  }

  @EachDatabase
  void anEventThatAnotherNodeHasIsNotReportedAsDead(TestDatabase database) throws Exception {
    try (CapturedLog log = new CapturedLog("outbox");
        Nodes nodes = Nodes.on(database)) {
      JdbcOutbox node =
          nodes.delivering(
              b ->
                  b.metrics(counts)
                      .maxAttempts(1)
                      .lifecycleListener(recording())
                      .listener(
                          "T",
                          event -> {
                            gate.onEvent(event);
                            throw new IllegalStateException("broken");
                          }));
      String id = Nodes.publish(node, Nodes.event("T"));
      gate.awaitEntered();
      passToAnother(nodes, id);
      gate.open();
      Eventually.await("stale", () -> counts.stale.get() == 1);
      Eventually.await("let go", () -> node.dispatcher().inFlight() == 0);
      Eventually.await("said", () -> log.messages(Level.WARNING).size() == 1);
      assertThat(counts.dead).hasValue(0);
      assertThat(called).isEmpty();
      assertThat(log.messages(Level.SEVERE)).isEmpty();
      assertThat(log.messages(Level.WARNING))
          .containsExactly(
              "outbox outcome refused eventId=" + id + " type=T: another node has the event");
      assertThat(nodes.table.status(id)).isEqualTo(EventStatus.NEW);
    }
  }

  @EachDatabase
  void ofManyThatWereDeliveredOnlyTheRefusedOnesAreNotReported(TestDatabase database)
      throws Exception {
    try (Nodes nodes = Nodes.on(database)) {
      CountDownLatch running = new CountDownLatch(8);
      JdbcOutbox node =
          nodes.delivering(
              b ->
                  b.metrics(counts)
                      .workers(8)
                      .lifecycleListener(recording())
                      .listener(
                          "T",
                          event -> {
                            running.countDown();
                            gate.onEvent(event);
                          }));
      List<String> kept = new ArrayList<>();
      List<String> lost = new ArrayList<>();
      for (int i = 0; i < 8; i++) {
        (i % 4 == 0 ? lost : kept).add(Nodes.publish(node, Nodes.event("T")));
      }
      running.await();
      for (String id : lost) {
        passToAnother(nodes, id);
      }
      gate.open();
      Eventually.await("stale", () -> counts.stale.get() == lost.size());
      Eventually.await("told", () -> called.size() >= kept.size());
      Eventually.await("let go", () -> node.dispatcher().inFlight() == 0);
      Eventually.await("counted", () -> counts.success.get() == kept.size());
      assertThat(called)
          .containsExactlyInAnyOrderElementsOf(kept.stream().map(id -> "delivered " + id).toList());
    }
  }
}
