package outbox.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import holdfast.payload.PayloadException;
import holdfast.payload.PayloadHandler;
import holdfast.payload.PayloadMapper;
import holdfast.payload.PayloadType;
import holdfast.payload.Payloads;
import holdfast.testkit.db.EachDatabase;
import holdfast.testkit.db.TestDatabase;
import holdfast.testkit.threads.Eventually;
import java.sql.SQLException;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import outbox.EventEnvelope;
import outbox.model.EventStatus;

/** Objects as payloads: published, delivered, and refused. */
class PayloadTest {

  @PayloadType("OrderPlaced")
  private record OrderPlaced(long id, String item) {}

  /** What another consumer knows of an order. */
  @PayloadType("OrderPlaced")
  private record PlacedItem(String item) {}

  private record Plain(int id) {}

  private final Queue<Object> taken = new ConcurrentLinkedQueue<>();
  private Nodes nodes;

  @BeforeEach
  void open(TestDatabase database) throws SQLException {
    nodes = Nodes.on(database);
  }

  @AfterEach
  void close() throws SQLException {
    nodes.close();
  }

  private static String publishPayload(JdbcOutbox outbox, Object payload) {
    try (JdbcTransactionManager.Transaction tx = outbox.begin()) {
      String id = outbox.publishPayload(payload);
      tx.commit();
      return id;
    }
  }

  @EachDatabase
  void listenersGetTheObjectThatWasPublishedEachAsItsOwnClassInTheirOrder() throws Exception {
    JdbcOutbox outbox =
        nodes.started(
            b ->
                b.listener(OrderPlaced.class, taken::add)
                    .listener("OrderPlaced", event -> taken.add(event.eventType()))
                    .listener(
                        PlacedItem.class, (placed, event) -> taken.add(placed + event.eventId())));

    String id = publishPayload(outbox, new OrderPlaced(7, "\"tea\" é"));

    Eventually.await("done", () -> nodes.table.status(id) == EventStatus.DONE);
    assertThat(taken)
        .containsExactly(
            new OrderPlaced(7, "\"tea\" é"), "OrderPlaced", new PlacedItem("\"tea\" é") + id);
  }

  @EachDatabase
  void anEventThatComesFromTheTableIsReadAlike() throws Exception {
    String id = publishPayload(nodes.made(b -> b.publishOnly()), new OrderPlaced(7, "tea"));
    nodes.started(b -> b.listener(OrderPlaced.class, taken::add));

    Eventually.await("done", () -> nodes.table.status(id) == EventStatus.DONE);
    assertThat(taken).containsExactly(new OrderPlaced(7, "tea"));
  }

  @EachDatabase
  void anEventOfAnObjectCanHaveWhatEveryEventCanHave() throws Exception {
    Queue<EventEnvelope> events = new ConcurrentLinkedQueue<>();
    JdbcOutbox outbox =
        nodes.started(b -> b.listener(OrderPlaced.class, (order, event) -> events.add(event)));
    EventEnvelope event =
        outbox
            .eventOf(new OrderPlaced(7, "tea"))
            .aggregateType("Order")
            .aggregateId("7")
            .ordered()
            .header("source", "shop")
            .build();

    Nodes.publish(outbox, event);

    Eventually.await("delivered", () -> !events.isEmpty());
    assertThat(events.element().aggregateId()).isEqualTo("7");
    assertThat(events.element().isOrdered()).isTrue();
    assertThat(events.element().headers()).containsEntry("source", "shop");
  }

  @EachDatabase
  void anUnreadablePayloadIsDeadAtOnceWithTheFieldAndWithoutTheData() throws Exception {
    JdbcOutbox outbox = nodes.started(b -> b.listener(OrderPlaced.class, taken::add));

    String id = Nodes.publish(outbox, EventEnvelope.ofJson("OrderPlaced", "{\"id\":\"secret\"}"));

    Eventually.await("dead", () -> nodes.table.status(id) == EventStatus.DEAD);
    assertThat(nodes.table.number(id, "attempts").intValue()).isEqualTo(1);
    assertThat(nodes.table.row(id).get("last_error").toString())
        .contains("payload cannot be read as outbox.jdbc.PayloadTest$OrderPlaced: field id is no")
        .doesNotContain("secret");
    assertThat(taken).isEmpty();
  }

  @EachDatabase
  void bytesAreDeadAtOnce() throws Exception {
    JdbcOutbox outbox = nodes.started(b -> b.listener(OrderPlaced.class, taken::add));
    EventEnvelope bytes = EventEnvelope.builder("OrderPlaced").payloadBytes(new byte[] {1}).build();

    String id = Nodes.publish(outbox, bytes);

    Eventually.await("dead", () -> nodes.table.status(id) == EventStatus.DEAD);
    assertThat(nodes.table.row(id).get("last_error").toString()).contains("but is bytes");
  }

  @EachDatabase
  void aRegisteredClassNeedsNoAnnotationWhereverItIsRegistered() throws Exception {
    JdbcOutbox outbox =
        nodes.started(
            b ->
                b.listener(Plain.class, taken::add)
                    .payloads(Payloads.discovered().with(Plain.class, "PlainThing")));

    String id = publishPayload(outbox, new Plain(3));

    Eventually.await("done", () -> nodes.table.status(id) == EventStatus.DONE);
    assertThat(taken).containsExactly(new Plain(3));
    assertThat(nodes.table.row(id).get("event_type")).isEqualTo("PlainThing");
  }

  /** Knows one payload. */
  private static final class OneOrder implements PayloadMapper {
    @Override
    public String write(Object payload) {
      return "1";
    }

    @Override
    public <P> P read(String json, Class<P> type) {
      return type.cast(new OrderPlaced(Long.parseLong(json), "one"));
    }
  }

  @EachDatabase
  void theMapperCanBeAnother() throws Exception {
    JdbcOutbox outbox =
        nodes.started(
            b -> b.listener(OrderPlaced.class, taken::add).payloads(Payloads.of(new OneOrder())));

    String id = publishPayload(outbox, new OrderPlaced(9, "nine"));

    Eventually.await("done", () -> nodes.table.status(id) == EventStatus.DONE);
    assertThat(taken).containsExactly(new OrderPlaced(1, "one"));
  }

  @EachDatabase
  void aClassWithoutATypeIsRefusedWhenTheOutboxIsBuiltOrThePayloadPublished() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> nodes.made(b -> b.listener(Plain.class, taken::add)))
        .withMessageContaining("outbox.jdbc.PayloadTest$Plain must have an event type");
    JdbcOutbox outbox = nodes.made(b -> b);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> publishPayload(outbox, new Plain(1)))
        .withMessageContaining("put @PayloadType(\"Plain\") on it");
    assertThatNullPointerException()
        .isThrownBy(() -> publishPayload(outbox, null))
        .withMessageContaining("an event needs a payload");
    assertThatNullPointerException()
        .isThrownBy(
            () ->
                nodes.made(b -> b.listener(OrderPlaced.class, (PayloadHandler<OrderPlaced>) null)));
  }

  @PayloadType("Broken")
  private record Broken() {
    @SuppressWarnings("unused") // Jackson calls it
    public String getItem() {
      throw new IllegalStateException("no item");
    }
  }

  @EachDatabase
  void anObjectThatCannotBeWrittenIsRefused() {
    JdbcOutbox outbox = nodes.made(b -> b);

    assertThatThrownBy(() -> publishPayload(outbox, new Broken()))
        .isInstanceOf(PayloadException.class)
        .hasMessageContaining("PayloadTest$Broken cannot be written as JSON");
  }
}
