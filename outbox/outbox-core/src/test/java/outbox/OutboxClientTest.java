package outbox;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import outbox.memory.PlainOutbox;
import outbox.model.EventStatus;
import outbox.spi.TraceContext;

/** Publishing inside a transaction. */
class OutboxClientTest {
  private static final String TRACE = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";

  private final PlainOutbox node = new PlainOutbox();

  @AfterEach
  void close() {
    node.close();
  }

  private OutboxClient traced(TraceContext trace) {
    return new OutboxClient(node.transactions, node.table, node.dispatcher, node.metrics, trace);
  }

  @Test
  void outsideOfATransactionItRefuses() {
    assertThatThrownBy(() -> node.client.publish(EventEnvelope.ofJson("Made", "{}")))
        .isInstanceOf(IllegalStateException.class)
        .hasMessage(
            "publish needs an active transaction on this thread but found none; begin one with"
                + " JdbcOutbox.begin() or JdbcTransactionManager, or call from a @Transactional method,"
                + " by way of its bean and on the same thread; after a commit, in a"
                + " @TransactionalEventListener, with Propagation.REQUIRES_NEW");
    assertThatThrownBy(() -> node.client.publishAll(List.of()))
        .isInstanceOf(IllegalStateException.class);
    assertThat(node.table.all()).isEmpty();
  }

  @Test
  void nullIsRefusedByNameAndNothingIsWritten() {
    List<EventEnvelope> holey = Arrays.asList(EventEnvelope.ofJson("Made", "{}"), null);
    node.transactions.commit(
        () -> {
          assertThatNullPointerException()
              .isThrownBy(() -> node.client.publish(null))
              .withMessage("publish needs an event but was given null");
          assertThatNullPointerException()
              .isThrownBy(() -> node.client.publishAll(null))
              .withMessage("publishAll needs a list of events but was given null");
          assertThatNullPointerException()
              .isThrownBy(() -> node.client.publishAll(holey))
              .withMessage("publishAll needs events only but the one at index 1 was null");
          return null;
        });
    assertThat(node.table.all()).isEmpty();
  }

  @Test
  void theEventIsInTheTableAfterTheCommitAndDelivered() {
    node.listeners.register("Made", node::record);
    EventEnvelope event = EventEnvelope.ofJson("Made", "{}");
    String id = node.transactions.commit(() -> node.client.publish(event));
    assertThat(id).isEqualTo(event.eventId());
    node.await(event, EventStatus.DONE);
    assertThat(node.delivered).containsExactly(event);
  }

  @Test
  void aRolledBackEventIsNeitherStoredNorDelivered() {
    node.listeners.register("Made", node::record);
    node.transactions.rollBack(() -> node.client.publish(EventEnvelope.ofJson("Made", "{}")));
    node.close();
    assertThat(node.table.all()).isEmpty();
    assertThat(node.delivered).isEmpty();
  }

  @Test
  void nothingIsQueuedBeforeTheCommit() {
    node.listeners.register("Made", node::record);
    node.transactions.commit(
        () -> {
          node.client.publish(EventEnvelope.ofJson("Made", "{}"));
          assertThat(node.dispatcher.inFlight()).isZero();
          return null;
        });
    assertThat(node.metrics.of("hot")).isEqualTo(1);
  }

  @Test
  void severalEventsKeepTheirOrder() {
    node.listeners.register("Made", node::record);
    List<EventEnvelope> events =
        List.of(
            EventEnvelope.ofJson("Made", "1"),
            EventEnvelope.ofJson("Made", "2"),
            EventEnvelope.ofJson("Made", "3"));
    List<String> ids = node.transactions.commit(() -> node.client.publishAll(events));
    assertThat(ids).isEqualTo(events.stream().map(EventEnvelope::eventId).toList());
    node.await(events.get(2), EventStatus.DONE);
    assertThat(List.copyOf(node.delivered)).isEqualTo(events);
    List<String> none = node.transactions.commit(() -> node.client.publishAll(List.of()));
    assertThat(none).isEmpty();
  }

  @Test
  void theTraceOfThePublisherReachesTheListener() {
    node.listeners.register("Made", node::record);
    EventEnvelope event = EventEnvelope.builder("Made").header("h", "1").payloadJson("{}").build();
    OutboxClient client = traced(() -> TRACE);
    node.transactions.commit(() -> client.publish(event));
    node.await(event, EventStatus.DONE);
    EventEnvelope delivered = node.delivered.remove();
    assertThat(delivered.headers()).containsEntry("traceparent", TRACE).containsEntry("h", "1");
    assertThat(delivered.eventId()).isEqualTo(event.eventId());
    assertThat(event.headers()).doesNotContainKey("traceparent");
  }

  @Test
  void aTraceThatIsThereAlreadyIsKept() {
    EventEnvelope event =
        EventEnvelope.builder("Made").header("traceparent", "mine").payloadJson("{}").build();
    OutboxClient client = traced(() -> TRACE);
    String id = node.transactions.commit(() -> client.publish(event));
    assertThat(node.table.row(id).orElseThrow().event().headers())
        .containsEntry("traceparent", "mine");
  }

  @Test
  void withoutATraceThereIsNoHeader() {
    OutboxClient client = traced(TraceContext.NONE);
    String id = node.transactions.commit(() -> client.publish(EventEnvelope.ofJson("Made", "{}")));
    assertThat(node.table.row(id).orElseThrow().event().headers()).isEmpty();
  }

  @Test
  void delayedEventsAreStoredAndNotQueued() {
    node.listeners.register("Made", node::record);
    EventEnvelope after =
        EventEnvelope.builder("Made").payloadJson("1").deliverAfter(Duration.ofHours(1)).build();
    EventEnvelope at =
        EventEnvelope.builder("Made")
            .payloadJson("2")
            .availableAt(Instant.now().plusSeconds(3_600))
            .build();
    EventEnvelope now = EventEnvelope.ofJson("Made", "3");
    node.transactions.commit(() -> node.client.publishAll(List.of(after, at, now)));
    node.await(now, EventStatus.DONE);
    assertThat(node.metrics.of("hot")).isEqualTo(1);
    assertThat(node.delivered).containsExactly(now);
    assertThat(node.table.status(after.eventId())).isEqualTo(EventStatus.NEW);
    assertThat(node.table.status(at.eventId())).isEqualTo(EventStatus.NEW);
  }

  @Test
  void anInsertThatFailsIsThePublishersTrouble() {
    node.table.fault =
        (statement, id) -> {
          throw new OutboxException("the table is missing", null);
        };
    assertThatThrownBy(
            () ->
                node.transactions.commit(
                    () -> node.client.publish(EventEnvelope.ofJson("Made", "{}"))))
        .isInstanceOf(OutboxException.class);
    assertThat(node.metrics.of("hot")).isZero();
  }
}
