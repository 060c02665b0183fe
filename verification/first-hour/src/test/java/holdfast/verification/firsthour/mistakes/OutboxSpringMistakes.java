package holdfast.verification.firsthour.mistakes;

import static holdfast.verification.firsthour.mistakes.Messages.failedStart;
import static holdfast.verification.firsthour.mistakes.Messages.running;
import static holdfast.verification.firsthour.mistakes.Messages.thrown;
import static holdfast.verification.firsthour.mistakes.Messages.warnedAtStart;
import static holdfast.verification.firsthour.mistakes.Mistake.Occasion.BOOT;
import static holdfast.verification.firsthour.mistakes.Mistake.Occasion.CALL;
import static holdfast.verification.firsthour.mistakes.Mistake.Occasion.START_LOG;

import holdfast.spring.test.TwoDataSources;
import holdfast.verification.firsthour.mistakes.Mistake.Library;
import holdfast.verification.firsthour.mistakes.SpringSetups.Database;
import holdfast.verification.firsthour.mistakes.SpringSetups.WithOutbox;
import java.util.List;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.scheduling.annotation.Async;
import org.springframework.transaction.annotation.Transactional;
import outbox.EventEnvelope;
import outbox.EventListener;
import outbox.OutboxClient;
import outbox.spring.boot.OutboxListener;

/** Mistakes with the outbox in an application with Spring Boot. */
final class OutboxSpringMistakes {

  private OutboxSpringMistakes() {}

  /** The service of a new user. */
  static class Orders {
    private final OutboxClient outbox;

    Orders(OutboxClient outbox) {
      this.outbox = outbox;
    }

    @Transactional
    public void place() {
      outbox.publish(EventEnvelope.ofJson("OrderPlaced", "{\"id\":1}"));
    }

    @Transactional(readOnly = true)
    public void placeReadOnly() {
      outbox.publish(EventEnvelope.ofJson("OrderPlaced", "{\"id\":1}"));
    }

    /** Calls its own method, which does not pass the proxy that begins the transaction. */
    public void placeAll() {
      place();
    }
  }

  @Configuration
  static class OrdersBean {
    @Bean
    Orders service(OutboxClient outbox) {
      return new Orders(outbox);
    }
  }

  @Import({Database.class, WithOutbox.class, OrdersBean.class})
  static class App {}

  @Import({SpringSetups.DatabaseDown.class, WithOutbox.class, OrdersBean.class})
  static class DatabaseDown {}

  @Import({WithOutbox.class, OrdersBean.class})
  static class NoDataSource {}

  @Import({WithOutbox.class, OrdersBean.class, TwoDataSources.class})
  static class TwoDatabases {}

  @Import({WithOutbox.class, TwoDataSources.class})
  static class OnlyListenersOnTwoDatabases {
    @OutboxListener("OrderPlaced")
    void placed(String json) {}
  }

  @Import({Database.class, WithOutbox.class})
  static class WithoutPayloadType {
    @OutboxListener
    void shipped(PayloadMistakes.OrderShipped order) {}
  }

  @Import({Database.class, WithOutbox.class})
  static class WrongParameter {
    @OutboxListener("OrderPlaced")
    void placed(Integer number) {}
  }

  @Import({Database.class, WithOutbox.class})
  static class StaticListener {
    @OutboxListener("OrderPlaced")
    static void placed(String json) {}
  }

  @Import({Database.class, WithOutbox.class})
  static class AsynchronousListener {
    @Async
    @OutboxListener("OrderPlaced")
    void placed(String json) {}
  }

  @Import({Database.class, WithOutbox.class})
  static class AnsweringListener {
    @OutboxListener("OrderPlaced")
    String placed(String json) {
      return json;
    }
  }

  static class TransactionalListener {
    @Transactional
    public void other() {}

    @OutboxListener("OrderPlaced")
    public final void placed(String json) {}
  }

  @Import({Database.class, WithOutbox.class})
  static class FinalListener {
    @Bean
    TransactionalListener listener() {
      return new TransactionalListener();
    }
  }

  /** Nothing that the outbox could call. */
  static class Mail {}

  static class Audit implements EventListener {
    @Override
    public void onEvent(EventEnvelope event) {}
  }

  @Import({Database.class, WithOutbox.class})
  static class ListenerWithoutType {
    @Bean
    Audit audit() {
      return new Audit();
    }
  }

  @Import({Database.class, WithOutbox.class})
  static class ListenerOfAnotherType {
    @Bean
    @OutboxListener("OrderPlaced")
    Mail mail() {
      return new Mail();
    }
  }

  static List<Mistake> all() {
    MistakeList list = new MistakeList(Library.OUTBOX);
    beans(list);
    properties(list);
    listeners(list);
    use(list);
    return list.all();
  }

  private static void beans(MistakeList list) {
    list.add(
            "Spring: no DataSource",
            BOOT,
            () -> failedStart(NoDataSource.class),
            "a bean wants OutboxClient",
            "the outbox needs a DataSource but there is none",
            "set spring.datasource.url")
        .add(
            "Spring: two DataSources",
            BOOT,
            () -> failedStart(TwoDatabases.class),
            "the outbox needs one DataSource",
            "but there are [orders, archive], none primary",
            "mark the one your business transactions are on as @Primary")
        .add(
            "Spring: two DataSources and only listeners",
            START_LOG,
            () -> warnedAtStart("outbox", OnlyListenersOnTwoDatabases.class),
            "no @OutboxListener will be called",
            "[orders, archive]",
            "mark the one your business transactions are on as @Primary")
        .add(
            "Spring: missing bean, the outbox is switched off",
            BOOT,
            () -> failedStart(App.class, "outbox.enabled=false"),
            "a bean wants OutboxClient",
            "no outbox was made from it",
            "set outbox.enabled=true")
        .add(
            "Spring: missing table",
            BOOT,
            () -> failedStart(App.class, "outbox.initialize-schema=never"),
            "table outbox_event must exist",
            "but was not found",
            "set outbox.initialize-schema=always")
        .add(
            "Spring: database down",
            BOOT,
            () -> failedStart(DatabaseDown.class, "outbox.initialize-schema=never"),
            "outbox could not reach its database",
            "Connection to localhost:1 refused",
            "check spring.datasource.url");
  }

  private static void properties(MistakeList list) {
    list.add(
            "Spring: mistyped property",
            START_LOG,
            () -> warnedAtStart("holdfast.spring", App.class, "outbox.worker=8"),
            "no library knows it, so it has no effect",
            "property 'outbox.worker' is set",
            "the nearest known one is 'outbox.workers'")
        .add(
            "Spring: property with a text instead of a number",
            BOOT,
            () -> failedStart(App.class, "outbox.workers=many"),
            "Failed to bind properties under 'outbox.workers'",
            "Value: \"many\"",
            "Update your application's configuration")
        .add(
            "Spring: zero workers and a negative time",
            BOOT,
            () -> failedStart(App.class, "outbox.workers=0", "outbox.close-timeout=-1s"),
            "the properties of the outbox are out of range",
            "but was 0; outbox.close-timeout must be zero or more but was PT-1S",
            "outbox.workers must be 1 or more")
        .add(
            "Spring: lease shorter than its renewals",
            BOOT,
            () -> failedStart(App.class, "outbox.lease.length=5s", "outbox.lease.renew-every=5s"),
            "outbox.lease.length must",
            "but was PT5S",
            "be more than PT11S (twice renew-every plus drift)")
        .add(
            "Spring: reserved word as a table name",
            BOOT,
            () -> failedStart(App.class, "outbox.table=select"),
            "outbox.table: table name must not be a reserved word",
            "but was 'select'",
            "take another such as 'my_select'");
  }

  private static void listeners(MistakeList list) {
    list.add(
            "Spring: listener with an unsupported parameter",
            BOOT,
            () -> failedStart(WrongParameter.class),
            "must take an EventEnvelope, its payload (a String or an object of a class of yours, not generic) or both",
            "but takes (Integer)",
            "write void placed(EventEnvelope event)")
        .add(
            "Spring: listener of a payload class without a type",
            BOOT,
            () -> failedStart(WithoutPayloadType.class),
            "OrderShipped must have an event type",
            "but has none",
            "put @PayloadType(\"OrderShipped\") on it")
        .add(
            "Spring: listener of an unsupported type",
            BOOT,
            () -> failedStart(ListenerOfAnotherType.class),
            "bean 'mail' must be an EventListener",
            "but is a holdfast.verification.firsthour.mistakes.OutboxSpringMistakes$Mail",
            "implement EventListener")
        .add(
            "Spring: static listener method",
            BOOT,
            () -> failedStart(StaticListener.class),
            "must be a method of the bean",
            "but is static",
            "remove the modifier static")
        .add(
            "Spring: final listener method behind a proxy",
            BOOT,
            () -> failedStart(FinalListener.class),
            "must not be final",
            "TransactionalListener.placed of bean 'listener'",
            "remove the modifier final")
        .add(
            "Spring: asynchronous listener method",
            BOOT,
            () -> failedStart(AsynchronousListener.class),
            "must end with its work",
            "but is @Async",
            "remove @Async")
        .add(
            "Spring: listener method that returns something",
            BOOT,
            () -> failedStart(AnsweringListener.class),
            "must return void",
            "but returns String",
            "wait for the result inside the method")
        .add(
            "Spring: listener without a type",
            BOOT,
            () -> failedStart(ListenerWithoutType.class),
            "bean 'audit' is an EventListener and must say of which types",
            "but does not",
            "put @OutboxListener(\"...\") on");
  }

  private static void use(MistakeList list) {
    list.add(
            "Spring: self-invocation of a transactional method",
            CALL,
            () -> running(App.class, it -> thrown(it.getBean(Orders.class)::placeAll)),
            "publish needs an active transaction on this thread",
            "but found none",
            "call from a @Transactional method, by way of its bean")
        .add(
            "Spring: publish in a read-only transaction",
            CALL,
            () -> running(App.class, it -> thrown(it.getBean(Orders.class)::placeReadOnly)),
            "the transaction on this thread must be able to write",
            "but is read-only",
            "remove readOnly = true");
  }
}
