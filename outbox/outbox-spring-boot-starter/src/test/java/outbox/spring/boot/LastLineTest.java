package outbox.spring.boot;

import holdfast.spring.test.ExitingApp;
import holdfast.testkit.process.LastLineContract;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.annotation.Configuration;

/** The last line is in the application's log, in the format of Logback. */
class LastLineTest extends LastLineContract {

  @Configuration
  @EnableAutoConfiguration
  static class App {}

  LastLineTest() {
    super(" INFO .* : outbox dispatcher closed CloseReport", ExitingApp.class, App.class.getName());
  }
}
