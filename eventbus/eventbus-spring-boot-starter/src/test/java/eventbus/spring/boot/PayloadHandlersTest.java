package eventbus.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;

import eventbus.Event;
import eventbus.spring.EventBusHandler;
import holdfast.payload.PayloadType;
import holdfast.payload.Payloads;
import holdfast.testkit.threads.Eventually;
import holdfast.testkit.threads.Inbox;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Handlers that take objects. */
class PayloadHandlersTest {

  @PayloadType("OrderPaid")
  record OrderPaid(long orderId) {}

  /** What one handler knows of it. */
  record Payment(long orderId) {}

  record Unnamed(int id) {}

  static class Methods {
    private final Inbox inbox;

    Methods(Inbox inbox) {
      this.inbox = inbox;
    }

    @EventBusHandler
    void object(OrderPaid paid) {
      inbox.take("paid " + paid.orderId());
    }

    @EventBusHandler("OrderRefunded")
    void ownClass(Event event, Payment payment) {
      inbox.take(event.type() + payment.orderId());
    }
  }

  static class TwoOfOneType {
    @EventBusHandler
    void one(OrderPaid paid) {}

    @EventBusHandler(type = "OrderPaid")
    void other(Event event) {}
  }

  static class WithoutType {
    @EventBusHandler
    void on(Unnamed payload) {}
  }

  static class OfTheJdk {
    @EventBusHandler("X")
    void on(Map<String, String> payload) {}
  }

  static class Registered {
    private final Inbox inbox;

    Registered(Inbox inbox) {
      this.inbox = inbox;
    }

    @EventBusHandler
    void on(Unnamed payload) {
      inbox.take("registered " + payload.id());
    }
  }

  @Test
  void aHandlerTakesAnObjectAndTheEvent() {
    Contexts.runner()
        .withBean(Inbox.class)
        .withBean(Methods.class)
        .run(
            context -> {
              Inbox inbox = context.getBean(Inbox.class);
              Contexts.bus(context).publishPayload(new OrderPaid(7));
              assertThat(inbox.next()).isEqualTo("paid 7");
              Contexts.bus(context).publish(Event.of("OrderRefunded", "{\"orderId\":8,\"new\":1}"));
              assertThat(inbox.next()).isEqualTo("OrderRefunded8");
            });
  }

  @Test
  void anUnreadablePayloadIsFailedAtOnceWithTheReason() {
    Contexts.runner()
        .withBean(Inbox.class)
        .withBean(Methods.class)
        .run(
            context -> {
              long id = Contexts.bus(context).publish(Event.of("OrderPaid", "secret"));

              Eventually.await("failed", () -> Contexts.logged(context, id).equals("FAILED"));
              assertThat(Contexts.bus(context).log().find(id).orElseThrow().error())
                  .contains("OrderPaid: it is not JSON at line 1, column 1")
                  .doesNotContain("secret");
            });
  }

  @Test
  void aClassMayBeRegisteredInABean() {
    Contexts.runner()
        .withBean(Inbox.class)
        .withBean(Registered.class)
        .withBean(
            Payloads.class, () -> Payloads.discovered().with(Unnamed.class, "SomethingUnnamed"))
        .run(
            context -> {
              Contexts.bus(context).publishPayload(new Unnamed(3));
              assertThat(context.getBean(Inbox.class).next()).isEqualTo("registered 3");
            });
  }

  @Test
  void aHandlerThatCannotTakeItsPayloadFailsTheStartWithTheFix() {
    assertFails(
        WithoutType.class,
        "WithoutType.on",
        "PayloadHandlersTest$Unnamed must have an event type but has none",
        "put @PayloadType(\"Unnamed\") on it");
    assertFails(OfTheJdk.class, "must take an Event", "not generic", "takes (Map)");
    assertFails(TwoOfOneType.class, "both handle 'OrderPaid' under the id 'default'");
  }

  private static void assertFails(Class<?> bean, String... texts) {
    Contexts.runner()
        .withBean(bean)
        .run(context -> assertThat(context.getStartupFailure()).hasMessageContainingAll(texts));
  }
}
