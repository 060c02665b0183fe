package outbox.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;

import holdfast.payload.PayloadType;
import holdfast.payload.Payloads;
import holdfast.testkit.threads.Eventually;
import holdfast.testkit.threads.Inbox;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.springframework.context.ApplicationContext;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.transaction.support.TransactionTemplate;
import outbox.EventEnvelope;
import outbox.OutboxClient;
import outbox.model.EventStatus;

/** Listeners that take objects. */
class PayloadListenersTest {

  @PayloadType("OrderPaid")
  record OrderPaid(long orderId) {}

  /** What one listener knows of it. */
  record Payment(long orderId) {}

  record Unnamed(int id) {}

  record Box<T>(T content) {}

  static class Methods {
    private final Inbox inbox;

    Methods(Inbox inbox) {
      this.inbox = inbox;
    }

    @OutboxListener
    void object(OrderPaid paid) {
      inbox.take("paid " + paid.orderId());
    }

    @OutboxListener("OrderRefunded")
    void ownClass(EventEnvelope event, Payment payment) {
      inbox.take(event.eventType() + payment.orderId());
    }

    @OutboxListener("Text")
    void both(String json, EventEnvelope event) {
      inbox.take(json + event.eventType());
    }
  }

  static class WithoutType {
    @OutboxListener
    void on(Unnamed payload) {}
  }

  static class OfAllTypes {
    @OutboxListener("*")
    void on(OrderPaid payload) {}
  }

  static class Generic {
    @OutboxListener("X")
    void on(Box<String> payload) {}
  }

  static class OfTheJdk {
    @OutboxListener("X")
    void on(List<String> payload) {}
  }

  static class Registered {
    private final Inbox inbox;

    Registered(Inbox inbox) {
      this.inbox = inbox;
    }

    @OutboxListener
    void on(Unnamed payload) {
      inbox.take("registered " + payload.id());
    }
  }

  private static String publishPayload(ApplicationContext context, Object payload) {
    return context
        .getBean(TransactionTemplate.class)
        .execute(tx -> context.getBean(OutboxClient.class).publishPayload(payload));
  }

  @Test
  void aListenerTakesAnObjectAndTheEvent() {
    Contexts.runner()
        .withBean(Inbox.class)
        .withBean(Methods.class)
        .run(
            context -> {
              Inbox inbox = context.getBean(Inbox.class);
              publishPayload(context, new OrderPaid(7));
              assertThat(inbox.next()).isEqualTo("paid 7");
              Contexts.publish(context, "OrderRefunded", "{\"orderId\":8,\"new\":1}");
              assertThat(inbox.next()).isEqualTo("OrderRefunded8");
              Contexts.publish(context, "Text", "1");
              assertThat(inbox.next()).isEqualTo("1Text");
            });
  }

  @Test
  void anUnreadablePayloadIsDeadAtOnceWithTheReason() {
    Contexts.runner()
        .withBean(Inbox.class)
        .withBean(Methods.class)
        .run(
            context -> {
              String id = Contexts.publish(context, "OrderPaid", "{\"orderId\":\"secret\"}");

              Eventually.await(
                  "dead", () -> Contexts.status(context, id) == EventStatus.DEAD.code());
              assertThat(
                      context
                          .getBean(JdbcTemplate.class)
                          .queryForObject(
                              "SELECT last_error FROM outbox_event WHERE event_id = ?",
                              String.class,
                              id))
                  .contains("OrderPaid: field orderId is no long")
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
              publishPayload(context, new Unnamed(3));
              assertThat(context.getBean(Inbox.class).next()).isEqualTo("registered 3");
            });
  }

  @Test
  void aListenerThatCannotTakeItsPayloadFailsTheStartWithTheFix() {
    assertFails(
        WithoutType.class,
        "WithoutType.on",
        "PayloadListenersTest$Unnamed must have an event type but has none",
        "put @PayloadType(\"Unnamed\") on it");
    assertFails(OfAllTypes.class, "must name the types whose payload is a OrderPaid", "name them");
    assertFails(Generic.class, "not generic", "takes (Box)");
    assertFails(OfTheJdk.class, "must take an EventEnvelope", "takes (List)");
  }

  private static void assertFails(Class<?> bean, String... texts) {
    Contexts.runner()
        .withBean(bean)
        .run(context -> assertThat(context.getStartupFailure()).hasMessageContainingAll(texts));
  }
}
