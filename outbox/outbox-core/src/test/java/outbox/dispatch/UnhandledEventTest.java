package outbox.dispatch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import holdfast.testkit.log.CapturedLog;
import holdfast.testkit.threads.Eventually;
import holdfast.testkit.time.SettableTime;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import java.util.logging.Level;
import org.junit.jupiter.api.Test;
import outbox.EventEnvelope;
import outbox.memory.MemoryTable;
import outbox.memory.PlainOutbox;
import outbox.model.EventStatus;
import outbox.poller.OutboxPoller;

/** Events for whose type nobody listens. */
class UnhandledEventTest {

  @Test
  void anEventNobodyListensToIsPutOffAndNeverDoneInSilence() {
    SettableTime time = new SettableTime();
    try (PlainOutbox node = new PlainOutbox(time, b -> b)) {
      EventEnvelope event = node.publish("Unknown");
      Eventually.await("released", () -> node.metrics.of("released") == 1);
      MemoryTable.Row row = node.table.row(event.eventId()).orElseThrow();
      assertThat(row.status()).isEqualTo(EventStatus.RETRY);
      assertThat(row.availableAt()).isEqualTo(SettableTime.START.plusSeconds(30));
      assertThat(row.error()).contains("no listener for type 'Unknown'");
      assertThat(node.metrics.of("success")).isZero();
      assertThat(node.metrics.of("failure")).isZero();
    }
  }

  @Test
  void anEventNobodyListensToDoesNotKeepThePollerBusy() throws Exception {
    SettableTime time = new SettableTime();
    try (PlainOutbox node = new PlainOutbox(time, b -> b);
        OutboxPoller poller = node.poller(200, Duration.ofSeconds(5))) {
      node.table.insert(
          EventEnvelope.builder("Unknown")
              .payloadJson("{}")
              .occurredAt(SettableTime.START)
              .build());
      poller.start();
      Eventually.await("released", () -> node.metrics.of("released") == 1);
      for (int i = 0; i < 20; i++) {
        time.awaitSleepers(3); // poller, status writer and watch
        LockSupport.parkNanos(1_000_000);
      }
      assertThat(node.table.polls).hasValue(1);
      assertThat(node.metrics.of("released")).isEqualTo(1);
    }
  }

  @Test
  void anEventNobodyListensToIsDeadAfterTheTimeSet() {
    SettableTime time = new SettableTime();
    UnhandledPolicy policy =
        new UnhandledPolicy(Duration.ofSeconds(30), Duration.ofHours(1), false);
    try (PlainOutbox node = new PlainOutbox(time, b -> b.unhandled(policy).maxAttempts(1))) {
      EventEnvelope event =
          EventEnvelope.builder("Unknown").payloadJson("{}").occurredAt(time.instant()).build();
      node.table.insert(event);
      node.cold(event, 0);
      node.await(event, EventStatus.RETRY);
      node.awaitIdle();
      time.advance(Duration.ofMinutes(59));
      node.cold(event, 1);
      Eventually.await("released again", () -> node.metrics.of("released") == 2);
      time.advance(Duration.ofMinutes(1));
      node.cold(event, 2);
      node.await(event, EventStatus.DEAD);
      assertThat(node.table.row(event.eventId()).orElseThrow().error())
          .contains("no listener for type 'Unknown'")
          .contains("register one");
    }
  }

  @Test
  void anOldEventIsNotDeadAtFirstSight() {
    SettableTime time = new SettableTime();
    try (PlainOutbox node = new PlainOutbox(time, b -> b)) {
      EventEnvelope event =
          EventEnvelope.builder("Unknown")
              .payloadJson("{}")
              .occurredAt(time.instant().minus(Duration.ofDays(3)))
              .build();
      node.table.insert(event);
      node.cold(event, 0);
      node.await(event, EventStatus.RETRY);
    }
  }

  @Test
  void eachTypeNobodyListensToIsWarnedOfOnceAndNamedUntilSomebodyListens() {
    try (CapturedLog log = new CapturedLog("outbox");
        PlainOutbox node = new PlainOutbox()) {
      node.publish("Unknown\nERROR forged");
      node.publish("Unknown\nERROR forged");
      node.publish("Other");
      Eventually.await("released", () -> node.metrics.of("unhandled") == 3);
      Eventually.await("logged", () -> log.messages(Level.WARNING).size() == 2);
      assertThat(log.messages(Level.WARNING))
          .contains(
              "outbox has no listener on this node for type=Unknown\\nERROR forged, so its events"
                  + " are released for PT30S at a time; register a listener, or set the unhandled"
                  + " policy to done");
      assertThat(node.dispatcher.unhandledTypes())
          .containsExactly("Other", "Unknown\nERROR forged");
      node.listeners.register("Other", node::record);
      node.await(node.publish("Other"), EventStatus.DONE);
      node.awaitIdle();
      Eventually.await("named no more", () -> node.dispatcher.unhandledTypes().size() == 1);
    }
  }

  @Test
  void itCanBeSetToDone() {
    try (PlainOutbox node = new PlainOutbox(b -> b.unhandled(UnhandledPolicy.DONE))) {
      node.await(node.publish("Unknown"), EventStatus.DONE);
    }
  }

  @Test
  void theDefaultReleasesForHalfAMinuteAndGivesUpAfterAnHour() {
    assertThat(UnhandledPolicy.DEFAULT.delay()).isEqualTo(Duration.ofSeconds(30));
    assertThat(UnhandledPolicy.DEFAULT.deadAfter()).isEqualTo(Duration.ofHours(1));
    assertThat(UnhandledPolicy.DEFAULT.done()).isFalse();
    assertThat(UnhandledPolicy.DONE.done()).isTrue();
  }

  @Test
  void negativeTimesAreRefused() {
    Duration negative = Duration.ofMillis(-1);
    assertThatThrownBy(() -> new UnhandledPolicy(negative, Duration.ZERO, false))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("PT-0.001S");
    assertThatThrownBy(() -> new UnhandledPolicy(Duration.ZERO, negative, false))
        .isInstanceOf(IllegalArgumentException.class);
  }
}
