package eventlog.spring;

import static org.assertj.core.api.Assertions.assertThat;

import eventlog.EventLogEntry;
import holdfast.testkit.time.SettableTime;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Timeout;
import org.slf4j.MDC;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ApplicationContext;

/** A shop whose methods are logged, on a clock that stands still. */
@Timeout(60)
abstract class LogEventFixture {

  /** What is thrown on purpose. */
  static final class Broken extends Exception {
    private static final long serialVersionUID = 1L;

    Broken(String message) {
      super(message);
    }
  }

  /** The steps of an order. */
  static class Warehouse {
    private final SettableTime time;
    private volatile String seen = "";

    Warehouse(SettableTime time) {
      this.time = time;
    }

    @LogEvent(step = "ReserveStock", sequence = 2, targetSystem = "warehouse")
    public int reserve() {
      time.advance(Duration.ofMillis(250));
      seen = MDC.get("correlationId") + " " + MDC.get("traceId");
      return 3;
    }

    @LogEvent(step = "Count", start = true, summary = "Stock is counted")
    public void count() {}

    public String seen() {
      return seen;
    }

    public int unlogged() {
      return 1;
    }
  }

  /** The process. */
  static class Shop {
    private final Warehouse warehouse;

    Shop(Warehouse warehouse) {
      this.warehouse = warehouse;
    }

    @LogEvent(value = "PlaceOrder", originatingSystem = "web")
    public int place() {
      return warehouse.reserve();
    }

    @LogEvent("PlaceOrder")
    public int fail(Exception e) throws Exception {
      throw e;
    }

    @LogEvent("Ship")
    public CompletionStage<String> ship(CompletionStage<String> shipped) {
      return shipped;
    }

    @LogEvent
    public void unnamed() {}
  }

  /** Something that is known by its interface. */
  interface Greeter {
    /** Says hello. */
    String greet();
  }

  /** Its maker. */
  static final class PoliteGreeter implements Greeter {
    @Override
    @LogEvent("Greet")
    public String greet() {
      return "hello";
    }
  }

  @AfterEach
  void clear() {
    MDC.clear();
  }

  static ApplicationContextRunner app() {
    return Contexts.withApi()
        .withBean(SettableTime.class, () -> new SettableTime())
        .withBean(Warehouse.class)
        .withBean(Shop.class)
        .withPropertyValues("eventlog.async.max-batch-wait=0ms");
  }

  static void run(Consumer<ApplicationContext> test) {
    app()
        .run(
            context -> {
              assertThat(context).hasNotFailed();
              test.accept(context);
            });
  }

  static List<EventLogEntry> await(ApplicationContext context, int count) {
    return context.getBean(Api.class).await(count);
  }
}
