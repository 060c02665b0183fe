package holdfast.verification.firsthour.mistakes;

import static holdfast.verification.firsthour.mistakes.Messages.failedStart;
import static holdfast.verification.firsthour.mistakes.Messages.running;
import static holdfast.verification.firsthour.mistakes.Messages.thrown;
import static holdfast.verification.firsthour.mistakes.Messages.warnedAtStart;
import static holdfast.verification.firsthour.mistakes.Mistake.Occasion.BOOT;
import static holdfast.verification.firsthour.mistakes.Mistake.Occasion.CALL;
import static holdfast.verification.firsthour.mistakes.Mistake.Occasion.START_LOG;

import eventbus.Event;
import eventbus.EventBus;
import eventbus.spring.EventBusHandler;
import holdfast.spring.test.TwoDataSources;
import holdfast.verification.firsthour.mistakes.Mistake.Library;
import holdfast.verification.firsthour.mistakes.SpringSetups.Database;
import holdfast.verification.firsthour.mistakes.SpringSetups.WithEventBus;
import java.util.List;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.transaction.annotation.Transactional;

/** Mistakes with the event bus in an application with Spring Boot. */
final class EventBusSpringMistakes {

  private EventBusSpringMistakes() {}

  /** The service of a new user. */
  static class Orders {
    private final EventBus bus;

    Orders(EventBus bus) {
      this.bus = bus;
    }

    @Transactional(readOnly = true)
    public void place() {
      bus.publish(Event.of("OrderPlaced", "{\"id\":1}"));
    }
  }

  @Configuration
  static class OrdersBean {
    @Bean
    Orders service(EventBus bus) {
      return new Orders(bus);
    }
  }

  @Import({Database.class, WithEventBus.class, OrdersBean.class})
  static class App {}

  @Import({SpringSetups.DatabaseDown.class, WithEventBus.class, OrdersBean.class})
  static class DatabaseDown {}

  @Import({WithEventBus.class, OrdersBean.class})
  static class NoDataSource {}

  @Import({WithEventBus.class, OrdersBean.class, TwoDataSources.class})
  static class TwoDatabases {}

  @Import({Database.class, WithEventBus.class})
  static class WrongParameter {
    @EventBusHandler("OrderPlaced")
    void placed(Integer number) {}
  }

  @Import({Database.class, WithEventBus.class})
  static class WithoutPayloadType {
    @EventBusHandler
    void shipped(PayloadMistakes.OrderShipped order) {}
  }

  @Import({Database.class, WithEventBus.class})
  static class WithoutType {
    @EventBusHandler
    void placed(String json) {}
  }

  static class Mail {
    @EventBusHandler("OrderPlaced")
    void placed(String json) {}
  }

  static class Shipment {
    @EventBusHandler("OrderPlaced")
    void placed(String json) {}
  }

  @Import({Database.class, WithEventBus.class, Mail.class, Shipment.class})
  static class TwoHandlers {}

  interface Shipping {
    void ship();
  }

  static class PrivateHandler implements Shipping {
    @Override
    @Transactional
    public void ship() {}

    @EventBusHandler("OrderPlaced")
    private void placed(String json) {}
  }

  @Import({Database.class, WithEventBus.class})
  static class PrivateHandlerApp {
    @Bean
    PrivateHandler shipping() {
      return new PrivateHandler();
    }
  }

  static List<Mistake> all() {
    MistakeList list = new MistakeList(Library.EVENTBUS);
    beans(list);
    properties(list);
    handlers(list);
    return list.all();
  }

  private static void beans(MistakeList list) {
    list.add(
            "Spring: no DataSource",
            BOOT,
            () -> failedStart(NoDataSource.class),
            "a bean wants EventBus",
            "the event bus needs a DataSource but there is none",
            "set spring.datasource.url")
        .add(
            "Spring: two DataSources",
            BOOT,
            () -> failedStart(TwoDatabases.class),
            "the event bus needs one DataSource",
            "but there are [orders, archive], none primary",
            "mark the one your business transactions are on as @Primary")
        .add(
            "Spring: missing bean, the event bus is switched off",
            BOOT,
            () -> failedStart(App.class, "eventbus.enabled=false"),
            "a bean wants EventBus",
            "no event bus was made from it",
            "set eventbus.enabled=true")
        .add(
            "Spring: missing table",
            BOOT,
            () -> failedStart(App.class, "eventbus.initialize-schema=never"),
            "table events must exist",
            "but was not found",
            "set eventbus.initialize-schema=always")
        .add(
            "Spring: database down while tables are to be created",
            BOOT,
            () -> failedStart(DatabaseDown.class, "eventbus.initialize-schema=always"),
            "event bus could not create its tables",
            "Connection to localhost:1 refused",
            "check spring.datasource.url");
  }

  private static void properties(MistakeList list) {
    list.add(
            "Spring: mistyped property",
            START_LOG,
            () -> warnedAtStart("holdfast.spring", App.class, "eventbus.batchsizes=9"),
            "no library knows it, so it has no effect",
            "property 'eventbus.batchsizes' is set",
            "the nearest known one is 'eventbus.batch-size'")
        .add(
            "Spring: zero workers and a negative time",
            BOOT,
            () -> failedStart(App.class, "eventbus.workers=0", "eventbus.close-timeout=-1s"),
            "the properties of the event bus are out of range",
            "but was 0; eventbus.close-timeout must be zero or more but was PT-1S",
            "eventbus.workers must be 1 or more")
        .add(
            "Spring: heartbeat longer than the abandonment time-out",
            BOOT,
            () ->
                failedStart(
                    App.class, "eventbus.abandonment-timeout=10s", "eventbus.heartbeat=20s"),
            "eventbus.abandonment-timeout must",
            "but was PT10S",
            "be more than PT41S (twice heartbeat plus PT1S for clocks)")
        .add(
            "Spring: publish in a read-only transaction",
            CALL,
            () -> running(App.class, it -> thrown(it.getBean(Orders.class)::place)),
            "the transaction on this thread must be able to write",
            "but is read-only",
            "remove readOnly = true");
  }

  private static void handlers(MistakeList list) {
    list.add(
            "Spring: handler with an unsupported parameter",
            BOOT,
            () -> failedStart(WrongParameter.class),
            "must take an Event, its payload (a String or an object of a class of yours, not generic) or both",
            "but takes (Integer)",
            "write void placed(Event event)")
        .add(
            "Spring: handler of a payload class without a type",
            BOOT,
            () -> failedStart(WithoutPayloadType.class),
            "OrderShipped must have an event type",
            "but has none",
            "put @PayloadType(\"OrderShipped\") on it")
        .add(
            "Spring: handler without a type",
            BOOT,
            () -> failedStart(WithoutType.class),
            "must name a type",
            "but names none",
            "write @EventBusHandler(\"OrderPlaced\")")
        .add(
            "Spring: two handlers with the same id",
            BOOT,
            () -> failedStart(TwoHandlers.class),
            "not every @EventBusHandler method can handle events",
            "both handle 'OrderPlaced' under the id 'default'",
            "give each an id of its own")
        .add(
            "Spring: private handler method behind a proxy",
            BOOT,
            () -> failedStart(PrivateHandlerApp.class),
            "must be callable through the proxy of its bean",
            "but is not",
            "make it public and not private, declare it in an interface of the bean");
  }
}
