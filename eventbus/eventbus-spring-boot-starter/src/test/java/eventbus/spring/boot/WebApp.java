package eventbus.spring.boot;

import eventbus.spring.EventBusHandler;
import holdfast.spring.test.ActuatorApp;
import holdfast.testkit.db.TestDatabase;
import java.util.List;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** A shop whose handler can be broken, and calls to its Actuator. */
final class WebApp extends ActuatorApp {

  /** Handles, and fails when it is told to. */
  static class Shop {
    private volatile boolean broken;

    void broken(boolean broken) {
      this.broken = broken;
    }

    @EventBusHandler({"OrderPlaced", "OrderPaid"})
    void take(String payload) {
      if (broken) {
        throw new IllegalStateException("the handler is broken");
      }
    }
  }

  @Configuration
  @EnableAutoConfiguration
  static class App {
    @Bean
    Shop shop() {
      return new Shop();
    }
  }

  private WebApp(List<String> properties) {
    super(App.class, "eventbus", properties);
  }

  static WebApp on(TestDatabase database, String... more) {
    return new WebApp(
        above(
            database, more, "eventbus.initialize-schema=always", "eventbus.retry.max-attempts=1"));
  }

  Shop shop() {
    return bean(Shop.class);
  }
}
