package eventbus;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;

import holdfast.payload.PayloadHandler;
import holdfast.payload.PayloadType;
import holdfast.payload.Payloads;
import holdfast.testkit.db.EachDatabase;
import java.sql.Connection;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

/** Objects as payloads: published, handled, and refused. */
class PayloadTest extends BusFixture {

  @PayloadType("OrderPlaced")
  private record OrderPlaced(long id, String item) {}

  /** What another handler knows of an order. */
  @PayloadType("OrderPlaced")
  private record PlacedItem(String item) {}

  private record Plain(int id) {}

  private final Queue<Object> taken = new ConcurrentLinkedQueue<>();

  @EachDatabase
  void handlersGetTheObjectThatWasPublishedEachAsItsOwnClass() throws Exception {
    EventBus bus =
        buses.started(
            b ->
                b.handler(OrderPlaced.class, taken::add)
                    .handler(PlacedItem.class, "stock", taken::add)
                    .handler(OrderPlaced.class, "log", (order, event) -> taken.add(event.id())));

    long id = bus.publishPayload(new OrderPlaced(7, "\"tea\" é"));

    awaitLogged(1);
    assertThat(buses.tables.loggedIds(EventStatus.COMPLETED)).containsExactly(id);
    assertThat(taken)
        .containsExactlyInAnyOrder(
            new OrderPlaced(7, "\"tea\" é"), new PlacedItem("\"tea\" é"), id);
  }

  @EachDatabase
  void theOneHandlerMayTakeTheEventToo() throws Exception {
    EventBus bus =
        buses.started(
            b ->
                b.handler(
                    OrderPlaced.class, (order, event) -> taken.add(order.item() + event.id())));

    long id = bus.publishPayload(new OrderPlaced(7, "tea"));

    awaitLogged(1);
    assertThat(taken).containsExactly("tea" + id);
  }

  @EachDatabase
  void anEventOfAnObjectCanHaveWhatEveryEventCanHave() throws Exception {
    EventBus bus = buses.made();
    try (Connection conn = buses.pool.getConnection()) {
      Event event = bus.eventOf(new OrderPlaced(7, "tea")).priority(0).header("h", "v").build();
      bus.publish(conn, event);
    }

    Event polled = bus.poll().orElseThrow();
    assertThat(polled.type()).isEqualTo("OrderPlaced");
    assertThat(polled.priority()).isZero();
    assertThat(polled.headers()).containsEntry("h", "v");
  }

  @EachDatabase
  void anUnreadablePayloadIsFailedAtOnceWithTheFieldAndWithoutTheData() throws Exception {
    EventBus bus = buses.started(b -> b.handler(OrderPlaced.class, taken::add));

    long id = bus.publish(Event.of("OrderPlaced", "{\"id\":\"secret\"}"));

    awaitLogged(1);
    assertThat(buses.tables.loggedIds(EventStatus.FAILED)).containsExactly(id);
    assertThat(buses.tables.logged(id).get("attempts").toString()).isEqualTo("1");
    assertThat((String) buses.tables.logged(id).get("error"))
        .contains("payload cannot be read as eventbus.PayloadTest$OrderPlaced: field id is no long")
        .doesNotContain("secret");
    assertThat(taken).isEmpty();
  }

  @EachDatabase
  void aHandlerThatCannotReadAPayloadLeavesTheOthersAlone() throws Exception {
    EventBus bus =
        buses.started(
            b ->
                b.handler(OrderPlaced.class, taken::add)
                    .handler("OrderPlaced", "log", event -> taken.add(event.payload())));

    bus.publish(Event.of("OrderPlaced", "no JSON"));

    awaitLogged(1);
    assertThat(taken).containsExactly("no JSON");
  }

  @EachDatabase
  void aRegisteredClassNeedsNoAnnotationWhereverItIsRegistered() throws Exception {
    EventBus bus =
        buses.started(
            b ->
                b.handler(Plain.class, taken::add)
                    .payloads(Payloads.discovered().with(Plain.class, "PlainThing")));

    long id = bus.publishPayload(new Plain(3));

    awaitLogged(1);
    assertThat(taken).containsExactly(new Plain(3));
    assertThat(buses.tables.logged(id).get("type")).isEqualTo("PlainThing");
  }

  @EachDatabase
  void aClassWithoutATypeIsRefusedWhenTheBusIsBuiltOrThePayloadPublished() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> buses.made(b -> b.handler(Plain.class, taken::add)))
        .withMessageContaining("eventbus.PayloadTest$Plain must have an event type");
    EventBus bus = buses.made();
    assertThatIllegalArgumentException()
        .isThrownBy(() -> bus.publishPayload(new Plain(1)))
        .withMessageContaining("put @PayloadType(\"Plain\") on it");
    assertThatNullPointerException()
        .isThrownBy(() -> bus.publishPayload(null))
        .withMessageContaining("an event needs a payload");
    assertThatNullPointerException()
        .isThrownBy(
            () ->
                buses.made(b -> b.handler(OrderPlaced.class, (PayloadHandler<OrderPlaced>) null)));
  }

  @EachDatabase
  void twoHandlersOfOneIdAreRefusedAlsoByTheirClasses() {
    assertThatIllegalArgumentException()
        .isThrownBy(
            () ->
                buses.made(
                    b ->
                        b.handler(OrderPlaced.class, taken::add)
                            .handler("OrderPlaced", event -> {})))
        .withMessageContaining("handlers of type 'OrderPlaced' must have ids of their own");
  }

  @EachDatabase
  void aRouterReplacesTheHandlersAddedBeforeIt() throws Exception {
    EventRouter router = new EventRouter().register("Other", event -> {});

    EventBus bus = buses.made(b -> b.handler(OrderPlaced.class, taken::add).router(router));

    assertThat(bus.router().types()).containsExactly("Other");
  }
}
