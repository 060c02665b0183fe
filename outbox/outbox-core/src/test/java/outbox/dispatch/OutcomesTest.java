package outbox.dispatch;

import static org.assertj.core.api.Assertions.assertThat;

import holdfast.testkit.log.CapturedLog;
import holdfast.testkit.threads.Eventually;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import outbox.EventEnvelope;
import outbox.OutboxException;
import outbox.memory.PlainOutbox;
import outbox.model.EventStatus;

/** Outcomes on their way into a store that fails. */
class OutcomesTest {
  private final CapturedLog log = new CapturedLog("outbox");

  @AfterEach
  void stopListening() {
    log.close();
  }

  @Test
  void aDoneMarkThatFailsIsRetriedAndIsNoFailureOfTheListener() {
    try (PlainOutbox node = new PlainOutbox()) {
      AtomicInteger failures = new AtomicInteger();
      node.listeners.register("Made", node::record);
      node.table.fault =
          (statement, id) -> {
            if (statement.equals("done") && failures.incrementAndGet() <= 3) {
              throw new OutboxException("the database hiccups", null);
            }
          };
      EventEnvelope event = node.publish("Made");
      Eventually.await("first failure", () -> failures.get() > 0);
      assertThat(node.hot(event)).as("still in flight").isTrue();
      assertThat(node.cold(event, 0)).as("still in flight").isTrue();
      node.await(event, EventStatus.DONE);
      node.awaitIdle();
      assertThat(node.delivered).hasSize(1);
      assertThat(node.metrics.of("failure")).isZero();
      assertThat(node.metrics.of("success")).isEqualTo(1);
    }
  }

  @Test
  void anyExceptionOfTheStoreIsRetried() {
    try (PlainOutbox node = new PlainOutbox()) {
      AtomicInteger failures = new AtomicInteger();
      node.listeners.register("Made", node::record);
      node.table.fault =
          (statement, id) -> {
            if (statement.equals("done") && failures.incrementAndGet() <= 2) {
              throw new IllegalStateException("an exception of the application's own");
            }
          };
      node.await(node.publish("Made"), EventStatus.DONE);
      node.awaitIdle();
      assertThat(node.delivered).hasSize(1);
    }
  }

  @Test
  void withTheDatabaseDownMarksWaitUntilItIsBack() {
    try (PlainOutbox node = new PlainOutbox(b -> b.workers(2))) {
      node.listeners.register("Made", node::record);
      node.table.down = true;
      for (int i = 0; i < 700; i++) {
        node.publish("Made");
      }
      Eventually.await("all delivered", () -> node.delivered.size() == 700);
      assertThat(node.table.count(EventStatus.DONE)).isZero();
      node.table.down = false;
      node.awaitIdle();
      assertThat(node.table.count(EventStatus.DONE)).isEqualTo(700);
      assertThat(node.delivered).hasSize(700);
    }
  }

  @Test
  void marksThatAlwaysFailDoNotKeepTheOthersFromBeingWritten() {
    Set<String> cursed = ConcurrentHashMap.newKeySet();
    try (PlainOutbox node = new PlainOutbox()) {
      node.listeners.register("Made", node::record);
      node.table.fault =
          (statement, id) -> {
            if (cursed.contains(id)) {
              throw new IllegalStateException("this row cannot be written");
            }
          };
      for (int i = 0; i < 5; i++) {
        EventEnvelope bad = EventEnvelope.ofJson("Made", "{}");
        node.table.insert(bad);
        cursed.add(bad.eventId());
        node.hot(bad);
      }
      for (int i = 0; i < 50; i++) {
        node.await(node.publish("Made"), EventStatus.DONE);
      }
      assertThat(node.dispatcher.inFlight()).isEqualTo(5);
      cursed.clear();
      node.awaitIdle();
      assertThat(node.table.count(EventStatus.DONE)).isEqualTo(55);
      assertThat(node.delivered).hasSize(55);
    }
  }

  @Test
  void anErrorInTheStoreDoesNotEndTheWriting() {
    try (PlainOutbox node = new PlainOutbox()) {
      AtomicInteger failures = new AtomicInteger();
      node.listeners.register("Made", node::record);
      node.table.fault =
          (statement, id) -> {
            if (statement.equals("done") && failures.incrementAndGet() == 1) {
              Thread.currentThread().setUncaughtExceptionHandler((t, e) -> {});
              throw new NoClassDefFoundError("half a driver");
            }
          };
      node.await(node.publish("Made"), EventStatus.DONE);
      node.await(node.publish("Made"), EventStatus.DONE);
      node.awaitIdle();
      assertThat(node.delivered).hasSize(2);
    }
  }

  @Test
  void marksOfWorkersThatFinishTogetherAreNotForgotten() throws Exception {
    try (PlainOutbox node = new PlainOutbox(b -> b.workers(4))) {
      node.listeners.register("Made", e -> {});
      long slowest = 0;
      for (int round = 0; round < 200; round++) {
        long startedAt = System.nanoTime();
        for (int i = 0; i < 4; i++) {
          node.publish("Made");
        }
        node.awaitIdle();
        slowest = Math.max(slowest, System.nanoTime() - startedAt);
      }
      // Unnoticed, they would wait for the next renewal of leases, up to five seconds.
      assertThat(slowest).isLessThan(java.time.Duration.ofSeconds(2).toNanos());
    }
  }

  @Test
  void aStaleOutcomeIsCounted() {
    try (PlainOutbox node = new PlainOutbox()) {
      node.listeners.register("Made", node::record);
      node.hot(EventEnvelope.ofJson("Made", "{}")); // without a row
      node.awaitIdle();
      Eventually.await("counted", () -> node.metrics.of("stale") == 1);
    }
  }
}
