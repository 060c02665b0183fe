package outbox.poller;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import holdfast.testkit.log.CapturedLog;
import holdfast.testkit.threads.Eventually;
import holdfast.testkit.time.SettableTime;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import outbox.EventEnvelope;
import outbox.memory.Gate;
import outbox.memory.PlainOutbox;
import outbox.model.EventStatus;

/** When the poller looks, on a clock that stands still unless the test moves it. */
@Timeout(60)
class PollingLoopTest {
  private static final Duration INTERVAL = Duration.ofSeconds(5);
  private static final Duration LITTLE = Duration.ofMillis(20);

  private final CapturedLog log = new CapturedLog("outbox");
  private final SettableTime time = new SettableTime();

  @AfterEach
  void stopListening() {
    log.close();
  }

  private EventEnvelope event(String type) {
    return EventEnvelope.builder(type).payloadJson("{}").occurredAt(time.instant()).build();
  }

  /** Waits until the poller and the status writer sleep, and stay asleep. */
  private void settle() throws InterruptedException {
    for (int i = 0; i < 5; i++) {
      time.awaitSleepers(3);
      LockSupport.parkNanos(2_000_000);
    }
  }

  /** Publishes an event that is delivered with the given call, and waits for its first failure. */
  private EventEnvelope failOnce(
      PlainOutbox node, OutboxPoller poller, AtomicInteger calls, int delivered) throws Exception {
    node.listeners.register(
        "Flaky",
        e -> {
          if (calls.incrementAndGet() < delivered) {
            throw new IllegalStateException("not yet");
          }
        });
    poller.start();
    settle();
    EventEnvelope event = event("Flaky");
    node.transactions.commit(() -> node.client.publish(event));
    node.await(event, EventStatus.RETRY);
    settle();
    return event;
  }

  @Test
  void itLooksAtOnceAndThenWithinEachInterval() throws Exception {
    try (PlainOutbox node = new PlainOutbox(time, b -> b);
        OutboxPoller poller = node.poller(200, INTERVAL)) {
      poller.start();
      poller.start();
      settle();
      assertThat(node.table.polls).hasValue(1);
      for (int looks = 2; looks < 6; looks++) {
        time.advance(INTERVAL);
        int expected = looks;
        Eventually.await("look " + looks, () -> node.table.polls.get() == expected);
        settle();
        assertThat(node.table.polls).hasValue(expected);
      }
    }
  }

  @Test
  void itWakesForARetryAndNotBefore() throws Exception {
    AtomicInteger calls = new AtomicInteger();
    try (PlainOutbox node = new PlainOutbox(time, b -> b.retryPolicy(attempts -> 300));
        OutboxPoller poller = node.poller(200, Duration.ofHours(1))) {
      EventEnvelope event = failOnce(node, poller, calls, 3);
      assertThat(node.table.polls).as("nothing is due yet").hasValue(1);
      time.advance(Duration.ofMillis(290));
      settle();
      assertThat(node.table.polls).hasValue(1);
      time.advance(LITTLE);
      Eventually.await("second attempt", () -> calls.get() == 2);
      Eventually.await(
          "second failure", () -> node.table.row(event.eventId()).orElseThrow().attempts() == 2);
      settle();
      time.advance(Duration.ofMillis(310));
      node.await(event, EventStatus.DONE);
      assertThat(calls).hasValue(3);
      settle();
      assertThat(node.table.polls.get()).isLessThanOrEqualTo(4);
    }
  }

  @Test
  void aRetryThatIsTooYoungToBeFoundIsLookedForAgainWhenItIsOldEnough() throws Exception {
    Duration skipRecent = Duration.ofSeconds(1);
    AtomicInteger calls = new AtomicInteger();
    try (PlainOutbox node = new PlainOutbox(time, b -> b.retryPolicy(attempts -> 300));
        OutboxPoller poller =
            new OutboxPoller(
                node.table,
                node.table,
                node.dispatcher,
                skipRecent,
                200,
                Duration.ofHours(1).toMillis(),
                node.metrics)) {
      EventEnvelope event = failOnce(node, poller, calls, 2);
      time.advance(Duration.ofMillis(310));
      settle();
      assertThat(calls).hasValue(1);
      time.advance(skipRecent);
      node.await(event, EventStatus.DONE);
    }
  }

  @Test
  void aFullBatchIsFollowedByAnotherLookAtOnce() throws Exception {
    try (PlainOutbox node = new PlainOutbox(time, b -> b.workers(2));
        OutboxPoller poller = node.poller(10, INTERVAL)) {
      Gate gate = new Gate();
      node.listeners.register("Slow", gate).register("Made", node::record);
      for (int i = 0; i < 10; i++) {
        node.table.insert(event("Made"));
      }
      poller.start();
      Eventually.await("looked again", () -> node.table.polls.get() >= 2);
      settle();
      assertThat(node.table.polls.get()).as("and then no more").isLessThanOrEqualTo(3);
    }
  }

  @Test
  void aFullQueueIsFilledAgainAsSoonAsItHasRoomAndNotLookedAtBefore() throws Exception {
    try (PlainOutbox node = new PlainOutbox(time, b -> b.coldQueueCapacity(2));
        OutboxPoller poller = node.poller(200, INTERVAL)) {
      Gate gate = new Gate();
      node.listeners.register("Slow", gate).register("Made", node::record);
      node.table.insert(event("Slow"));
      for (int i = 0; i < 9; i++) {
        node.table.insert(event("Made"));
      }
      poller.start();
      gate.awaitEntered();
      Eventually.await("a full queue", () -> node.metrics.of("cold") == 3);
      settle();
      int polls = node.table.polls.get();
      time.advance(INTERVAL.dividedBy(2));
      settle();
      assertThat(node.table.polls).hasValue(polls);
      gate.open();
      Eventually.await("all without time going by", () -> node.delivered.size() == 9);
    }
  }

  @Test
  void rowsThatAreInHandAlreadyDoNotKeepItBusy() throws Exception {
    try (PlainOutbox node = new PlainOutbox(time, b -> b);
        OutboxPoller poller = node.poller(5, INTERVAL)) {
      Gate gate = new Gate();
      node.listeners.register("Slow", gate);
      for (int i = 0; i < 20; i++) {
        node.table.insert(event("Slow"));
      }
      poller.start();
      gate.awaitEntered();
      settle();
      assertThat(node.table.polls.get()).isLessThanOrEqualTo(2);
      gate.open();
    }
  }

  @Test
  void itOutlivesADatabaseThatFails() throws Exception {
    try (PlainOutbox node = new PlainOutbox(time, b -> b);
        OutboxPoller poller = node.poller(200, INTERVAL)) {
      node.listeners.register("Made", node::record);
      node.table.down = true;
      poller.start();
      settle();
      time.advance(INTERVAL);
      settle();
      assertThat(log.messages(java.util.logging.Level.SEVERE))
          .singleElement()
          .asString()
          .startsWith("outbox database access failed during=poll error=java.sql.SQLException");
      node.table.down = false;
      EventEnvelope event = event("Made");
      node.table.insert(event);
      time.advance(INTERVAL);
      node.await(event, EventStatus.DONE);
    }
  }

  @Test
  void aClosedPollerLooksNoMoreAndCannotBeStarted() throws Exception {
    try (PlainOutbox node = new PlainOutbox(time, b -> b)) {
      OutboxPoller poller = node.poller(200, INTERVAL);
      poller.start();
      settle();
      poller.close();
      poller.close();
      time.advance(INTERVAL.multipliedBy(3));
      assertThat(node.table.polls).hasValue(1);
      assertThatThrownBy(poller::start)
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining("outbox-poller is closed");
    }
  }

  @Test
  void aPollerThatWasNeverStartedCanBeClosed() {
    try (PlainOutbox node = new PlainOutbox(time, b -> b)) {
      node.poller(200, INTERVAL).close();
      assertThat(node.table.polls).hasValue(0);
    }
  }
}
