package outbox.dispatch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import holdfast.testkit.log.CapturedLog;
import holdfast.testkit.threads.Eventually;
import holdfast.testkit.time.SettableTime;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.logging.Level;
import org.junit.jupiter.api.Test;
import outbox.EventEnvelope;
import outbox.memory.Gate;
import outbox.memory.PlainOutbox;
import outbox.model.EventStatus;
import outbox.poller.OutboxPoller;

/** What happens between an event and a worker: reservation, full queues, hot before cold. */
class QueueingTest {
  private final Gate gate = new Gate();

  private static EventEnvelope event(String type) {
    return EventEnvelope.ofJson(type, "{}");
  }

  /** Makes the only worker wait inside a listener. */
  private void occupy(PlainOutbox node) throws InterruptedException {
    node.listeners.register("Slow", gate);
    node.publish("Slow");
    gate.awaitEntered();
  }

  @Test
  void anEventThatWaitsIsNotQueuedAgain() throws Exception {
    try (PlainOutbox node = new PlainOutbox()) {
      occupy(node);
      node.listeners.register("Made", node::record);
      EventEnvelope event = event("Made");
      node.table.insert(event);
      assertThat(node.hot(event)).isTrue();
      assertThat(node.hot(event)).isTrue();
      assertThat(node.cold(event, 0)).isTrue();
      assertThat(node.dispatcher.inFlight()).isEqualTo(2);
      gate.open();
      node.await(event, EventStatus.DONE);
      node.awaitIdle();
      assertThat(node.delivered).containsExactly(event);
      assertThat(node.metrics.of("hot")).isEqualTo(2);
      assertThat(node.metrics.of("cold")).isZero();
    }
  }

  @Test
  void anEventThatRunsIsNotQueuedAgain() throws Exception {
    try (PlainOutbox node = new PlainOutbox(b -> b.workers(2))) {
      node.listeners.register("Slow", node::record).register("Slow", gate);
      EventEnvelope event = node.publish("Slow");
      gate.awaitEntered();
      assertThat(node.hot(event)).isTrue();
      assertThat(node.cold(event, 0)).isTrue();
      gate.open();
      node.await(event, EventStatus.DONE);
      node.awaitIdle();
      assertThat(node.delivered).hasSize(1);
    }
  }

  @Test
  void aPublisherThatComesAfterThePollerHasDeliveredBringsNothingNew() throws Exception {
    try (PlainOutbox node = new PlainOutbox();
        OutboxPoller poller = node.poller(200, Duration.ofHours(1))) {
      node.listeners.register("Made", node::record);
      EventEnvelope event = event("Made");
      // The commit is seen by others before the committing thread comes back.
      Runnable afterCommit =
          node.dispatcher.insert(
              node.table, node.table.getConnection(), List.of(event), true, onRollback -> {});
      poller.poll();
      node.await(event, EventStatus.DONE);
      node.awaitIdle();
      afterCommit.run();
      EventEnvelope next = node.publish("Made");
      node.await(next, EventStatus.DONE);
      node.awaitIdle();
      assertThat(node.delivered)
          .extracting(EventEnvelope::eventId)
          .containsExactly(event.eventId(), next.eventId());
    }
  }

  @Test
  void whoIsTakenOverLetsGoOfNothing() throws Exception {
    SettableTime time = new SettableTime();
    DefaultInFlightTracker tracker = new DefaultInFlightTracker(1_000, time);
    try (PlainOutbox node = new PlainOutbox(b -> b.workers(3).inFlightTracker(tracker))) {
      Gate second = new Gate();
      AtomicInteger calls = new AtomicInteger();
      node.listeners.register(
          "Hangs", e -> (calls.incrementAndGet() == 1 ? gate : second).onEvent(e));
      EventEnvelope event = node.publish("Hangs");
      gate.awaitEntered();
      time.advance(Duration.ofSeconds(1));
      node.cold(event, 0);
      second.awaitEntered();
      gate.open();
      node.await(event, EventStatus.DONE);
      Eventually.await("the first is counted", () -> node.metrics.of("success") == 1);
      node.cold(event, 0);
      EventEnvelope other = node.publish("Hangs");
      assertThat(tracker.tryAcquire(event.eventId())).as("still with the second").isFalse();
      second.open();
      node.await(other, EventStatus.DONE);
      node.awaitIdle();
      assertThat(calls).as("twice the one, once the other").hasValue(3);
    }
  }

  @Test
  void aFullHotQueueRefusesCountsAndWarnsOnce() throws Exception {
    try (CapturedLog log = new CapturedLog("outbox");
        PlainOutbox node = new PlainOutbox(b -> b.hotQueueCapacity(1))) {
      occupy(node);
      node.listeners.register("Made", node::record);
      assertThat(node.hot(event("Made"))).isTrue();
      for (int i = 0; i < 10; i++) {
        assertThat(node.hot(event("Made"))).isFalse();
      }
      EventEnvelope published = node.publish("Made");
      assertThat(node.table.status(published.eventId())).isEqualTo(EventStatus.NEW);
      assertThat(node.metrics.of("dropped")).isEqualTo(11);
      assertThat(log.messages(Level.WARNING))
          .singleElement()
          .asString()
          .startsWith("outbox hot queue or maxInFlightBytes full, left to the poller");
      gate.open();
      node.awaitIdle();
      assertThat(node.cold(published, 0)).as("refused means not reserved").isTrue();
      node.await(published, EventStatus.DONE);
    }
  }

  @Test
  void aFullColdQueueRefusesAndSaysSoBefore() throws Exception {
    try (PlainOutbox node = new PlainOutbox(b -> b.coldQueueCapacity(2))) {
      occupy(node);
      assertThat(node.dispatcher.hasColdQueueCapacity()).isTrue();
      assertThat(node.cold(event("Slow"), 0)).isTrue();
      assertThat(node.dispatcher.hasColdQueueCapacity()).isTrue();
      assertThat(node.cold(event("Slow"), 0)).isTrue();
      assertThat(node.dispatcher.hasColdQueueCapacity()).isFalse();
      EventEnvelope refused = event("Slow");
      assertThat(node.cold(refused, 0)).isFalse();
      gate.open();
      node.awaitIdle();
      assertThat(node.dispatcher.hasColdQueueCapacity()).isTrue();
      assertThat(node.cold(refused, 0)).isTrue();
    }
  }

  @Test
  void hotGoesFirstButColdIsNotStarved() throws Exception {
    try (PlainOutbox node = new PlainOutbox()) {
      occupy(node);
      node.listeners.register("Hot", node::record).register("Cold", node::record);
      for (int i = 0; i < 20; i++) {
        node.cold(event("Cold"), 0);
      }
      for (int i = 0; i < 200; i++) {
        node.hot(event("Hot"));
      }
      gate.open();
      node.awaitIdle();
      List<String> order = node.delivered.stream().map(EventEnvelope::eventType).toList();
      assertThat(order).hasSize(220);
      for (int from = 0; from + 8 <= 72; from += 8) {
        List<String> some = order.subList(from, from + 8);
        assertThat(some).as("hot is preferred").filteredOn("Hot"::equals).hasSizeGreaterThan(4);
        assertThat(some).as("cold has its turn").contains("Cold");
      }
    }
  }

  @Test
  void aFloodOfHotEventsLetsColdOnesThrough() {
    try (PlainOutbox node = new PlainOutbox(b -> b.workers(2).hotQueueCapacity(50))) {
      node.listeners.register("Hot", e -> {}).register("Cold", node::record);
      for (int i = 0; i < 100; i++) {
        node.cold(event("Cold"), 0);
      }
      Eventually.await(
          "all cold events delivered while hot ones keep coming",
          () -> {
            while (node.hot(event("Hot"))) {
              // until it is full again
            }
            return node.delivered.size() == 100;
          });
    }
  }

  @Test
  void eightPublishersAndFourWorkersDeliverEachOfAHundredThousandEventsOnce() throws Exception {
    int publishers = 8;
    int each = 12_500;
    Map<String, AtomicInteger> deliveries = new ConcurrentHashMap<>();
    try (PlainOutbox node =
        new PlainOutbox(b -> b.workers(4).hotQueueCapacity(200_000).maxInFlightBytes(1L << 30))) {
      node.listeners.register(
          "Made",
          e -> deliveries.computeIfAbsent(e.eventId(), i -> new AtomicInteger()).addAndGet(1));
      List<Thread> threads = new ArrayList<>();
      for (int p = 0; p < publishers; p++) {
        Thread thread =
            new Thread(
                () -> {
                  for (int i = 0; i < each; i++) {
                    node.publish("Made");
                  }
                });
        threads.add(thread);
        thread.start();
      }
      for (Thread thread : threads) {
        thread.join();
      }
      node.awaitIdle();
      assertThat(node.table.count(EventStatus.DONE)).isEqualTo((long) publishers * each);
      assertThat(deliveries).hasSize(publishers * each);
      assertThat(deliveries.values()).allMatch(count -> count.get() == 1);
    }
  }

  @Test
  void numbersOutOfRangeAreNamedAllAtOnce() {
    assertThatThrownBy(
            () ->
                new PlainOutbox(
                    b ->
                        b.maxAttempts(0)
                            .workers(0)
                            .hotQueueCapacity(0)
                            .coldQueueCapacity(0)
                            .closeTimeout(java.time.Duration.ofMillis(-1))))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContainingAll(
            "maxAttempts", "workers", "hotQueueCapacity", "coldQueueCapacity", "closeTimeout");
  }
}
