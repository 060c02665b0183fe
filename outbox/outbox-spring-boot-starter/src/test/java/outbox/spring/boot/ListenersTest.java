package outbox.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;

import holdfast.testkit.threads.Eventually;
import holdfast.testkit.threads.Inbox;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.aop.support.AopUtils;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.annotation.Order;
import org.springframework.transaction.annotation.Transactional;
import org.springframework.transaction.support.TransactionSynchronizationManager;
import outbox.EventEnvelope;
import outbox.EventListener;
import outbox.NonRetryableException;
import outbox.OutboxClient;

class ListenersTest {

  static class Methods {
    private final Inbox inbox;

    Methods(Inbox inbox) {
      this.inbox = inbox;
    }

    @OutboxListener("Envelope")
    void envelope(EventEnvelope event) {
      inbox.take(event.eventType());
    }

    @OutboxListener("Payload")
    void payload(String json) {
      inbox.take(json);
    }

    @OutboxListener({"One", "Two"})
    @OutboxListener("Three")
    void several(EventEnvelope event) {
      inbox.take("several " + event.eventType());
    }
  }

  static class Chain {
    private final OutboxClient client;
    private final Inbox inbox;

    Chain(OutboxClient client, Inbox inbox) {
      this.client = client;
      this.inbox = inbox;
    }

    @Transactional
    @OutboxListener("Start")
    public void next(EventEnvelope event) {
      assertThat(TransactionSynchronizationManager.isActualTransactionActive()).isTrue();
      client.publish(EventEnvelope.ofJson("End", "{}"));
    }

    @OutboxListener("End")
    public void end(EventEnvelope event) {
      inbox.take("end");
    }
  }

  @OutboxListener("Class")
  static class ListenerClass implements EventListener {
    private final Inbox inbox;

    ListenerClass(Inbox inbox) {
      this.inbox = inbox;
    }

    @Override
    public void onEvent(EventEnvelope event) {
      inbox.take("class " + event.eventType());
    }
  }

  static class Ordered {
    private final Inbox inbox;

    Ordered(Inbox inbox) {
      this.inbox = inbox;
    }

    @Order(2)
    @OutboxListener("Ordered")
    void second(String json) {
      inbox.take("second");
    }

    @Order(1)
    @OutboxListener("Ordered")
    void first(String json) {
      inbox.take("first");
    }

    @OutboxListener("*")
    void all(EventEnvelope event) {
      inbox.take("all " + event.eventType());
    }
  }

  @Configuration
  static class Beans {
    @Bean
    Inbox inbox() {
      return new Inbox();
    }

    @Bean
    Methods methods(Inbox inbox) {
      return new Methods(inbox);
    }

    @Bean
    Chain chain(OutboxClient client, Inbox inbox) {
      return new Chain(client, inbox);
    }

    @Bean
    ListenerClass listenerClass(Inbox inbox) {
      return new ListenerClass(inbox);
    }

    @Bean
    @OutboxListener("Lambda")
    @OutboxListener("Lambda2")
    EventListener lambda(Inbox inbox) {
      return event -> inbox.take("lambda " + event.eventType());
    }
  }

  @Configuration
  static class OrderedBeans {
    @Bean
    Inbox inbox() {
      return new Inbox();
    }

    @Bean
    Ordered ordered(Inbox inbox) {
      return new Ordered(inbox);
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "Envelope>Envelope",
        "Payload>{}",
        "One>several One",
        "Two>several Two",
        "Three>several Three",
        "Class>class Class",
        "Lambda>lambda Lambda",
        "Lambda2>lambda Lambda2",
        "Start>end"
      })
  void anEventReachesItsListener(String line) {
    String type = line.substring(0, line.indexOf('>'));
    String taken = line.substring(line.indexOf('>') + 1);
    Contexts.runner()
        .withUserConfiguration(Beans.class)
        .run(
            context -> {
              Contexts.publish(context, type, "{}");

              assertThat(context.getBean(Inbox.class).next()).isEqualTo(taken);
              assertThat(AopUtils.isAopProxy(context.getBean(Chain.class))).isTrue();
            });
  }

  @Test
  void listenersOfOneEventRunInTheirOrderAndThoseOfAllTypesLast() {
    Contexts.runner()
        .withUserConfiguration(OrderedBeans.class)
        .run(
            context -> {
              Contexts.publish(context, "Ordered", "{}");

              Inbox inbox = context.getBean(Inbox.class);
              assertThat(inbox.next()).isEqualTo("first");
              assertThat(inbox.next()).isEqualTo("second");
              assertThat(inbox.next()).isEqualTo("all Ordered");
            });
  }

  static class TakesBytesAsText {
    @OutboxListener("Bytes")
    void payload(String json) {
      throw new AssertionError("must not be called");
    }
  }

  @Test
  void bytesForAListenerOfTextAreDeadAtOnceNotRepeated() {
    Contexts.runner()
        .withBean(TakesBytesAsText.class)
        .run(
            context -> {
              String id =
                  Contexts.publish(
                      context, EventEnvelope.builder("Bytes").payloadBytes(new byte[] {1}).build());

              Eventually.await("dead", () -> Contexts.status(context, id) == 3);
            });
  }

  static class Fails {
    @OutboxListener("Fails")
    void fail(EventEnvelope event) throws NonRetryableException {
      throw new NonRetryableException("never");
    }
  }

  @Test
  void whatAListenerMethodThrowsIsWhatTheEngineSees() {
    Contexts.runner()
        .withBean(Fails.class)
        .run(
            context -> {
              String id = Contexts.publish(context, "Fails", "{}");

              Eventually.await("dead", () -> Contexts.status(context, id) == 3);
            });
  }

  static class PublishesEarly {
    PublishesEarly(
        OutboxClient client,
        org.springframework.transaction.PlatformTransactionManager transactions) {
      new org.springframework.transaction.support.TransactionTemplate(transactions)
          .executeWithoutResult(tx -> client.publish(EventEnvelope.ofJson("Early", "{}")));
    }
  }

  static class Late {
    private final CountDownLatch called = new CountDownLatch(1);

    @OutboxListener("Early")
    void take(String json) {
      called.countDown();
    }
  }

  @Test
  void anEventPublishedWhileBeansAreMadeWaitsForItsListener() {
    Contexts.runner()
        .withBean(PublishesEarly.class)
        .withBean(Late.class)
        .run(
            context ->
                Eventually.await(
                    "delivered", () -> context.getBean(Late.class).called.getCount() == 0));
  }
}
