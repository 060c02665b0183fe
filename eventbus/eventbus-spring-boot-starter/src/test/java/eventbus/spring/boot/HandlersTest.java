package eventbus.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;

import eventbus.Event;
import eventbus.EventBus;
import eventbus.NonRetryableException;
import eventbus.spring.EventBusHandler;
import holdfast.testkit.threads.Eventually;
import holdfast.testkit.threads.Inbox;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.aop.support.AopUtils;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Scope;
import org.springframework.context.annotation.ScopedProxyMode;
import org.springframework.core.annotation.AliasFor;
import org.springframework.core.annotation.Order;
import org.springframework.transaction.annotation.Transactional;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/** Which methods are handlers, and what they are given. */
class HandlersTest {

  /** An annotation of the application's own that stands for the handler's. */
  @EventBusHandler
  @Retention(RetentionPolicy.RUNTIME)
  @interface OnOrder {
    @AliasFor(annotation = EventBusHandler.class, attribute = "type")
    String[] value();
  }

  static class Methods {
    private final Inbox inbox;

    Methods(Inbox inbox) {
      this.inbox = inbox;
    }

    @EventBusHandler("Event")
    void event(Event event) {
      inbox.take(event.type() + event.payload());
    }

    @EventBusHandler(type = "Payload")
    void payload(String payload) {
      inbox.take(payload);
    }

    @EventBusHandler("Both")
    void both(String payload, Event event) {
      inbox.take(payload + event.type());
    }

    @EventBusHandler("Turned")
    private void turned(Event event, String payload) {
      inbox.take(payload + event.type());
    }

    @EventBusHandler({"One", "Two"})
    @EventBusHandler(type = "Three", id = "third")
    void several(Event event) {
      inbox.take("several " + event.type());
    }

    @OnOrder("Composed")
    void composed(Event event) {
      inbox.take("composed");
    }
  }

  static class Chain {
    private final EventBus bus;
    private final Inbox inbox;

    Chain(EventBus bus, Inbox inbox) {
      this.bus = bus;
      this.inbox = inbox;
    }

    @Transactional
    @EventBusHandler("Start")
    void next(Event event) {
      assertThat(TransactionSynchronizationManager.isActualTransactionActive()).isTrue();
      bus.publish(Event.of("End", "{}"));
    }

    @EventBusHandler("End")
    public void end(Event event) {
      inbox.take("end");
    }
  }

  /** What a JDK proxy shows of its bean. */
  interface Door {
    void knock(Event event);
  }

  static class House implements Door {
    private final Inbox inbox;

    House(Inbox inbox) {
      this.inbox = inbox;
    }

    @Override
    @EventBusHandler("Knock")
    public void knock(Event event) {
      inbox.take("come in");
    }
  }

  abstract static class Inherited<T> {
    abstract void take(T event);

    @EventBusHandler("Inherited")
    void inherited(Event event) {
      take(null);
    }
  }

  static class Heir extends Inherited<String> {
    private final Inbox inbox;

    Heir(Inbox inbox) {
      this.inbox = inbox;
    }

    @Override
    void take(String event) {
      inbox.take("inherited");
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
    Chain chain(EventBus bus, Inbox inbox) {
      return new Chain(bus, inbox);
    }

    @Bean
    @Scope(proxyMode = ScopedProxyMode.INTERFACES)
    House house(Inbox inbox) {
      return new House(inbox);
    }

    @Bean
    Heir heir(Inbox inbox) {
      return new Heir(inbox);
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "Event>Event{}",
        "Payload>{}",
        "Both>{}Both",
        "Turned>{}Turned",
        "One>several One",
        "Two>several Two",
        "Three>several Three",
        "Composed>composed",
        "Start>end",
        "Knock>come in",
        "Inherited>inherited"
      })
  void anEventReachesItsHandler(String line) {
    String type = line.substring(0, line.indexOf('>'));
    String taken = line.substring(line.indexOf('>') + 1);
    Contexts.runner()
        .withUserConfiguration(Beans.class)
        .run(
            context -> {
              Contexts.publish(context, type);

              assertThat(context.getBean(Inbox.class).next()).isEqualTo(taken);
              assertThat(AopUtils.isCglibProxy(context.getBean(Chain.class))).isTrue();
              assertThat(AopUtils.isJdkDynamicProxy(context.getBean("house"))).isTrue();
            });
  }

  static class Several {
    private final Inbox inbox;
    private volatile boolean broken = true;

    Several(Inbox inbox) {
      this.inbox = inbox;
    }

    @Order(2)
    @EventBusHandler(type = "Order", id = "stock")
    void second(Event event) {
      inbox.take("stock");
      if (broken) {
        broken = false;
        throw new IllegalStateException("no stock yet");
      }
    }

    @Order(1)
    @EventBusHandler(type = "Order", id = "mail")
    void first(Event event) {
      inbox.take("mail");
    }
  }

  @Test
  void handlersOfOneTypeRunInTheirOrderAndOnARetryOnlyThoseThatAreNotDone() {
    Contexts.runner()
        .withBean(Inbox.class)
        .withBean(Several.class)
        .withPropertyValues("eventbus.retry.base-delay=1ms")
        .run(
            context -> {
              long id = Contexts.publish(context, "Order");
              Eventually.await("done", () -> Contexts.logged(context, id).equals("COMPLETED"));

              assertThat(context.getBean(Inbox.class).all())
                  .containsExactly("mail", "stock", "stock");
            });
  }

  static class Fails {
    @EventBusHandler("Fails")
    void fail(Event event) throws NonRetryableException {
      throw new NonRetryableException("never");
    }

    @EventBusHandler("Breaks")
    void breaks(Event event) {
      throw new AssertionError("an error is a failure too");
    }
  }

  @Test
  void whatAHandlerMethodThrowsIsWhatTheBusSees() {
    Contexts.runner()
        .withBean(Fails.class)
        .withPropertyValues("eventbus.retry.max-attempts=1")
        .run(
            context -> {
              long failed = Contexts.publish(context, "Fails");
              long broken = Contexts.publish(context, "Breaks");
              Eventually.await("failed", () -> Contexts.logged(context, failed).equals("FAILED"));
              Eventually.await("broken", () -> Contexts.logged(context, broken).equals("FAILED"));

              assertThat(Contexts.bus(context).log().find(failed).orElseThrow().error())
                  .contains("NonRetryableException", "never");
              assertThat(Contexts.bus(context).log().find(broken).orElseThrow().error())
                  .contains("AssertionError", "an error is a failure too");
            });
  }

  static class PublishesEarly {
    PublishesEarly(EventBus bus) {
      bus.publish(Event.of("Taken", "{}"));
    }
  }

  @Test
  void anEventPublishedWhileBeansAreMadeWaitsForItsHandler() {
    Contexts.runner()
        .withBean(PublishesEarly.class)
        .withBean(Desk.class)
        .run(context -> Eventually.await("taken", () -> context.getBean(Desk.class).taken() == 1));
  }
}
