package holdfast.verification.firsthour.exit;

import eventlog.spi.Answer;
import eventlog.spi.EventLogClient;
import holdfast.spring.test.ExitingApp;
import holdfast.testkit.process.LastLineContract;
import java.util.List;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import tracer.sink.TraceSink;

/** The last line of each starter is in the application's log, in the format of Logback. */
class LastLineTest extends LastLineContract {

  @Configuration
  @EnableAutoConfiguration(
      excludeName = "org.springframework.boot.flyway.autoconfigure.FlywayAutoConfiguration")
  static class App {
    @Bean
    EventLogClient client() {
      return events -> Answer.delivered();
    }

    @Bean(destroyMethod = "")
    TraceSink sink() {
      return batch -> {};
    }
  }

  LastLineTest() {
    super(
        List.of(
            " INFO .* : outbox dispatcher closed CloseReport",
            " INFO .* : outbox closed, ledger of all nodes: outbox accepted=0 ",
            " INFO .* : eventbus closed CloseReport",
            " INFO .* : eventbus closed, ledger of all nodes: eventbus accepted=0 ",
            " INFO .* : eventlog accepted=0 .* closed$",
            " INFO .* : failover closed failover accepted=0 ",
            " INFO .* : tracer closed tracer accepted=0 "),
        ExitingApp.class,
        App.class.getName());
  }
}
