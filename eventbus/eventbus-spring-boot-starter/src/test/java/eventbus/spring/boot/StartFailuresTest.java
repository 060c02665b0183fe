package eventbus.spring.boot;

import static holdfast.spring.test.Starts.assertSays;
import static org.assertj.core.api.Assertions.assertThat;

import eventbus.EventBus;
import eventbus.spring.EventBusHandler;
import holdfast.spring.test.Starts;
import holdfast.spring.test.TwoDataSources;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;

/** What a newcomer reads when something is missing: what is wrong, and what to do. */
@ExtendWith(OutputCaptureExtension.class)
class StartFailuresTest {

  @Configuration
  @EnableAutoConfiguration
  static class App {}

  @Configuration
  static class Publisher {
    @Bean
    Runnable publisher(EventBus bus) {
      return bus::wakeUp;
    }
  }

  @Configuration
  @Import({App.class, Publisher.class})
  static class PublisherApp {}

  @Configuration
  @Import({App.class, Publisher.class, TwoDataSources.class})
  static class PublisherWithTwoDataSources {}

  @Configuration
  @Import({App.class, TwoDataSources.class})
  static class HandlerWithTwoDataSources {
    @EventBusHandler("OrderPlaced")
    void take(String json) {}
  }

  @Configuration
  @Import(App.class)
  static class WrongHandler {
    @EventBusHandler("OrderPlaced")
    void take(Integer number) {}
  }

  @Test
  void noTable(CapturedOutput output) {
    assertSays(
        output,
        "table events must exist but was not found",
        "set eventbus.initialize-schema=always (it is never,",
        App.class,
        "eventbus.initialize-schema=never");
  }

  @Test
  void noDatabaseForTheTables(CapturedOutput output) {
    assertSays(
        output,
        "event bus could not create its tables",
        "the database could not be reached: check spring.datasource.url",
        App.class,
        "eventbus.initialize-schema=always",
        "spring.datasource.url=jdbc:h2:tcp://localhost:1/none",
        "spring.datasource.hikari.connection-timeout=300");
  }

  @Test
  void noDataSource(CapturedOutput output) {
    assertSays(
        output,
        "a bean wants EventBus, but the event bus needs a DataSource but there is none",
        "set spring.datasource.url",
        PublisherApp.class,
        "spring.autoconfigure.exclude="
            + "org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration");
  }

  @Test
  void twoDataSources(CapturedOutput output) {
    assertSays(
        output,
        "the event bus needs one DataSource but there are [orders, archive], none primary",
        "@Primary",
        PublisherWithTwoDataSources.class);
  }

  @Test
  void twoDataSourcesAndOnlyHandlers(CapturedOutput output) {
    Starts.run(HandlerWithTwoDataSources.class);

    assertThat(output.getOut())
        .contains("no @EventBusHandler will be called", "[orders, archive]", "@Primary");
  }

  @Test
  void switchedOff(CapturedOutput output) {
    assertSays(
        output,
        "there is a DataSource, but no event bus was made from it",
        "set eventbus.enabled=true",
        PublisherApp.class,
        "eventbus.enabled=false");
  }

  @Test
  void aPropertyOutOfRange(CapturedOutput output) {
    assertSays(
        output,
        "eventbus.workers must be 1 or more but was 0",
        "correct the settings",
        App.class,
        "eventbus.workers=0");
  }

  @Test
  void aHandlerWithTheWrongParameter(CapturedOutput output) {
    assertSays(output, "WrongHandler.take of bean", "correct these methods", WrongHandler.class);
  }

  @Test
  void whereAllIsWellNothingIsSaid(CapturedOutput output) {
    Starts.run(PublisherApp.class);

    assertThat(output.getOut()).doesNotContain("eventbus is not there", "FAILED");
  }
}
