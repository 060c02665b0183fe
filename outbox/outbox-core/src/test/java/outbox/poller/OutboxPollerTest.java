package outbox.poller;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import holdfast.testkit.log.CapturedLog;
import holdfast.testkit.threads.Eventually;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.logging.Level;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import outbox.EventEnvelope;
import outbox.memory.Gate;
import outbox.memory.PlainOutbox;
import outbox.model.EventStatus;
import outbox.model.OutboxEvent;
import outbox.spi.MetricsExporter;

/** Single looks into the table of an application's own five-method store. */
class OutboxPollerTest {
  private static final Duration INTERVAL = Duration.ofSeconds(5);

  private final CapturedLog log = new CapturedLog("outbox");
  private final Gate gate = new Gate();

  @AfterEach
  void stopListening() {
    log.close();
  }

  private static EventEnvelope[] events(String type, int count) {
    return Stream.generate(() -> EventEnvelope.ofJson(type, "{\"n\":1}"))
        .limit(count)
        .toArray(EventEnvelope[]::new);
  }

  private static OutboxEvent withHeaders(OutboxEvent row, String headers) {
    return new OutboxEvent(
        row.eventId(),
        row.eventType(),
        row.aggregateType(),
        row.aggregateId(),
        row.tenantId(),
        row.payload(),
        headers,
        row.attempts(),
        row.createdAt(),
        row.payloadEncoding());
  }

  @Test
  void whatIsDueIsDeliveredAsItWasPublished() {
    try (PlainOutbox node = new PlainOutbox();
        OutboxPoller poller = node.poller(200, INTERVAL)) {
      node.listeners.registerAll(node::record);
      EventEnvelope json =
          EventEnvelope.builder("Made")
              .aggregateType("User")
              .aggregateId("7")
              .tenantId("t")
              .header("h", "1")
              .payloadJson("[1]")
              .build();
      EventEnvelope bytes =
          EventEnvelope.builder("Made").payloadBytes(new byte[] {(byte) 0xff, 0}).build();
      node.table.insert(json, bytes);
      poller.poll();
      node.await(json, EventStatus.DONE);
      node.await(bytes, EventStatus.DONE);
      assertThat(node.delivered).hasSize(2);
      EventEnvelope first = node.delivered.remove();
      assertThat(first)
          .usingRecursiveComparison()
          .ignoringFieldsOfTypes(byte[].class)
          .isEqualTo(json);
      assertThat(node.delivered.remove().payloadBytes()).containsExactly(0xff, 0);
      assertThat(node.metrics.of("cold")).isEqualTo(2);
    }
  }

  @Test
  void aLookIsSkippedWhileTheColdQueueIsFull() throws Exception {
    try (PlainOutbox node = new PlainOutbox(b -> b.coldQueueCapacity(1));
        OutboxPoller poller = node.poller(200, INTERVAL)) {
      node.listeners.register("Slow", gate);
      node.publish("Slow");
      gate.awaitEntered();
      node.cold(EventEnvelope.ofJson("Slow", "{}"), 0);
      poller.poll();
      assertThat(node.table.polls).hasValue(0);
      assertThat(node.metrics.lags).isEmpty();
      gate.open();
      node.awaitIdle();
      poller.poll();
      assertThat(node.table.polls).hasValue(1);
    }
  }

  @Test
  void aLookStopsQueueingWhenTheColdQueueBecomesFull() throws Exception {
    try (PlainOutbox node = new PlainOutbox(b -> b.coldQueueCapacity(3));
        OutboxPoller poller = node.poller(200, INTERVAL)) {
      node.listeners.register("Slow", gate).register("Made", node::record);
      node.publish("Slow");
      gate.awaitEntered();
      node.table.insert(events("Made", 10));
      poller.poll();
      assertThat(node.metrics.of("cold")).isEqualTo(3);
      assertThat(node.dispatcher.inFlight()).isEqualTo(4);
      gate.open();
      Eventually.await(
          "all done",
          () -> {
            poller.poll();
            return node.table.count(EventStatus.DONE) == 11;
          });
      assertThat(node.delivered).hasSize(10);
    }
  }

  @Test
  void whatWaitsIsNotQueuedAgainByLaterLooks() throws Exception {
    try (PlainOutbox node = new PlainOutbox();
        OutboxPoller poller = node.poller(200, INTERVAL)) {
      node.listeners.register("Slow", gate).register("Made", node::record);
      node.publish("Slow");
      gate.awaitEntered();
      node.table.insert(events("Made", 10));
      for (int i = 0; i < 5; i++) {
        poller.poll();
      }
      assertThat(node.metrics.of("cold")).isEqualTo(10);
      gate.open();
      node.awaitIdle();
      assertThat(node.delivered).hasSize(10);
    }
  }

  @Test
  void whatWasMarkedAfterItWasReadIsNotDeliveredAgain() throws Exception {
    try (PlainOutbox node = new PlainOutbox();
        OutboxPoller poller = node.poller(200, INTERVAL)) {
      node.listeners.register("Made", gate).register("Made", node::record);
      EventEnvelope event = node.publish("Made");
      gate.awaitEntered();
      // The row is read as NEW; before it is queued, the running delivery ends and is marked.
      node.table.damage =
          row -> {
            gate.open();
            node.await(event, EventStatus.DONE);
            node.awaitIdle();
            return row;
          };
      poller.poll();
      node.awaitIdle();
      assertThat(node.delivered).hasSize(1);
      assertThat(node.metrics.of("cold")).isZero();
    }
  }

  @Test
  void aRowThatCannotBeDecodedIsDeadAndTheOthersAreDelivered() {
    try (PlainOutbox node = new PlainOutbox();
        OutboxPoller poller = node.poller(200, INTERVAL)) {
      node.listeners.registerAll(node::record);
      EventEnvelope[] events = events("Made", 3);
      node.table.insert(events);
      node.table.damage =
          row -> row.eventId().equals(events[0].eventId()) ? withHeaders(row, "{\"broken\":") : row;
      poller.poll();
      node.await(events[0], EventStatus.DEAD);
      node.await(events[1], EventStatus.DONE);
      node.await(events[2], EventStatus.DONE);
      assertThat(node.table.row(events[0].eventId()).orElseThrow().error())
          .startsWith("cannot be decoded: ");
      assertThat(node.metrics.of("dead")).isEqualTo(1);
      assertThat(log.messages(Level.SEVERE))
          .anyMatch(m -> m.contains("cannot decode eventId=" + events[0].eventId()));
    }
  }

  @Test
  void aRowThatCannotBeGivenUpDoesNotHoldTheOthersBack() {
    try (PlainOutbox node = new PlainOutbox();
        OutboxPoller poller = node.poller(200, INTERVAL)) {
      node.listeners.registerAll(node::record);
      EventEnvelope[] events = events("Made", 2);
      node.table.insert(events);
      node.table.damage =
          row -> row.eventId().equals(events[0].eventId()) ? withHeaders(row, "x") : row;
      node.table.fault =
          (statement, id) -> {
            if (statement.equals("dead")) {
              throw new IllegalStateException("not today");
            }
          };
      poller.poll();
      node.await(events[1], EventStatus.DONE);
      assertThat(node.table.status(events[0].eventId())).isEqualTo(EventStatus.NEW);
    }
  }

  @Test
  void theLagIsThatOfTheOldestAndZeroOnceTheBacklogIsGone() {
    try (PlainOutbox node = new PlainOutbox();
        OutboxPoller poller = node.poller(200, INTERVAL)) {
      node.listeners.registerAll(node::record);
      Instant now = Instant.now();
      EventEnvelope old =
          EventEnvelope.builder("Made").payloadJson("1").occurredAt(now.minusSeconds(90)).build();
      node.table.insert(EventEnvelope.ofJson("Made", "2"), old);
      poller.poll();
      assertThat(node.metrics.lags).singleElement().matches(lag -> lag >= 90_000 && lag < 120_000);
      node.await(old, EventStatus.DONE);
      node.awaitIdle();
      poller.poll();
      assertThat(List.copyOf(node.metrics.lags).get(1)).isZero();
    }
  }

  @Test
  void theLagStaysAsItWasWhileTheDatabaseFails() {
    try (PlainOutbox node = new PlainOutbox();
        OutboxPoller poller = node.poller(200, INTERVAL)) {
      node.table.down = true;
      poller.poll();
      node.table.down = false;
      node.table.fault =
          (statement, id) -> {
            throw new IllegalStateException("broken");
          };
      poller.poll();
      assertThat(node.metrics.lags).isEmpty();
      assertThat(log.messages(Level.SEVERE))
          .singleElement()
          .asString()
          .startsWith("outbox database access failed during=poll");
    }
  }

  @Test
  void anEventInTheFutureHasNoNegativeLag() {
    try (PlainOutbox node = new PlainOutbox();
        OutboxPoller poller =
            new OutboxPoller(
                node.table, node.table, node.dispatcher, Duration.ZERO, 10, 1_000, node.metrics)) {
      AtomicInteger looks = new AtomicInteger();
      node.listeners.registerAll(node::record);
      node.table.insert(events("Made", 1));
      node.table.damage =
          row -> {
            looks.incrementAndGet();
            return new OutboxEvent(
                row.eventId(),
                row.eventType(),
                null,
                null,
                null,
                row.payload(),
                null,
                0,
                Instant.now().plusSeconds(60),
                null);
          };
      poller.poll();
      assertThat(looks).hasValue(1);
      assertThat(node.metrics.lags).containsExactly(0L);
    }
  }

  @Test
  void settingsOutOfRangeAreNamedAllAtOnce() {
    try (PlainOutbox node = new PlainOutbox()) {
      assertThatThrownBy(
              () ->
                  new OutboxPoller(
                      node.table,
                      node.table,
                      node.dispatcher,
                      Duration.ofMillis(-1),
                      0,
                      0,
                      MetricsExporter.NOOP))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContainingAll("skipRecent", "batchSize", "intervalMs");
    }
  }
}
