package outbox.dispatch;

import static org.assertj.core.api.Assertions.assertThat;

import holdfast.testkit.threads.Eventually;
import holdfast.testkit.time.SettableTime;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import outbox.EventEnvelope;
import outbox.NonRetryableException;
import outbox.memory.PlainOutbox;
import outbox.model.EventStatus;

/** Which outcomes wait for others, on a clock that stands still until it is moved. */
@Timeout(60)
class OutcomeFlushTest {

  private static EventEnvelope waitingForItsOutcome(PlainOutbox node) {
    node.await(node.publish("Made"), EventStatus.DONE);
    node.awaitIdle();
    EventEnvelope waiting = node.publish("Made");
    Eventually.await("delivered", () -> node.delivered.contains(waiting));
    return waiting;
  }

  @Test
  void anOutcomeAfterAPauseIsRecordedAtOnceAndOneSoonAfterWaitsForOthers() {
    SettableTime time = new SettableTime();
    try (PlainOutbox node = new PlainOutbox(time, b -> b)) {
      node.listeners.register("Made", node::record);
      EventEnvelope waiting = waitingForItsOutcome(node);
      assertThat(node.table.status(waiting.eventId())).isEqualTo(EventStatus.NEW);
      Eventually.await(
          "recorded",
          () -> {
            time.advance(Duration.ofMillis(20));
            return node.table.status(waiting.eventId()) == EventStatus.DONE;
          });
    }
  }

  @Test
  void theOutcomeOfAnOrderedEventWaitsForNoOther() {
    try (PlainOutbox node = new PlainOutbox(new SettableTime(), b -> b)) {
      node.listeners.register("Made", node::record);
      waitingForItsOutcome(node);
      EventEnvelope ordered =
          EventEnvelope.builder("Made")
              .aggregateType("Order")
              .aggregateId("7")
              .ordered()
              .payloadJson("1")
              .build();
      node.table.insert(ordered);
      node.hot(ordered);
      node.await(ordered, EventStatus.DONE);
    }
  }

  @Test
  void theOutcomeOfAFailureWaitsForNoOther() {
    try (PlainOutbox node = new PlainOutbox(new SettableTime(), b -> b)) {
      node.listeners
          .register("Made", node::record)
          .register(
              "Bad",
              event -> {
                throw new NonRetryableException("never");
              });
      waitingForItsOutcome(node);
      node.await(node.publish("Bad"), EventStatus.DEAD);
    }
  }
}
