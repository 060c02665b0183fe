package eventlog.spring;

import holdfast.spring.test.ExitingApp;
import holdfast.testkit.process.LastLineContract;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** The last line is in the application's log, in the format of Logback. */
class LastLineTest extends LastLineContract {

  @Configuration
  @EnableAutoConfiguration
  static class App {
    @Bean
    Api api() {
      return new Api();
    }
  }

  LastLineTest() {
    super(" INFO .* : eventlog accepted=0 .* closed$", ExitingApp.class, App.class.getName());
  }
}
