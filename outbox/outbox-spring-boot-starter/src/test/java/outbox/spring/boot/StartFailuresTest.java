package outbox.spring.boot;

import static holdfast.spring.test.Starts.assertSays;
import static org.assertj.core.api.Assertions.assertThat;

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
import outbox.OutboxClient;

/** What a newcomer reads when something is missing: what is wrong, and what to do. */
@ExtendWith(OutputCaptureExtension.class)
class StartFailuresTest {

  @Configuration
  @EnableAutoConfiguration
  static class App {}

  @Configuration
  static class Publisher {
    @Bean
    Object publisher(OutboxClient client) {
      return client;
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
  static class ListenerWithTwoDataSources {
    @OutboxListener("OrderPlaced")
    void take(String json) {}
  }

  @Configuration
  @Import(App.class)
  static class WrongListener {
    @OutboxListener("OrderPlaced")
    void take(Integer number) {}
  }

  @Test
  void noTable(CapturedOutput output) {
    assertSays(
        output,
        "table outbox_event must exist but was not found",
        "set outbox.initialize-schema=always (it is never,",
        App.class,
        "outbox.initialize-schema=never");
  }

  @Test
  void aColumnOfAnotherType(CapturedOutput output) {
    assertSays(
        output,
        "column available_at of table outbox_event must be TIMESTAMP(6) but is TIMESTAMP WITH TIME ZONE",
        "correct the table or the rights of the user",
        App.class,
        "outbox.initialize-schema=never",
        "spring.sql.init.schema-locations=classpath:outbox/spring/boot/zoned.sql");
  }

  @Test
  void noDatabase(CapturedOutput output) {
    assertSays(
        output,
        "outbox could not reach its database",
        "the database could not be reached: check spring.datasource.url",
        App.class,
        "outbox.initialize-schema=never",
        "spring.datasource.url=jdbc:h2:tcp://localhost:1/none",
        "spring.datasource.hikari.connection-timeout=300");
  }

  @Test
  void noDataSource(CapturedOutput output) {
    assertSays(
        output,
        "a bean wants OutboxClient, but the outbox needs a DataSource but there is none",
        "set spring.datasource.url",
        PublisherApp.class,
        "spring.autoconfigure.exclude="
            + "org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration");
  }

  @Test
  void twoDataSources(CapturedOutput output) {
    assertSays(
        output,
        "the outbox needs one DataSource but there are [orders, archive], none primary",
        "@Primary",
        PublisherWithTwoDataSources.class);
  }

  @Test
  void twoDataSourcesAndOnlyListeners(CapturedOutput output) {
    Starts.run(ListenerWithTwoDataSources.class);

    assertThat(output.getOut())
        .contains("no @OutboxListener will be called", "[orders, archive]", "@Primary");
  }

  @Test
  void switchedOff(CapturedOutput output) {
    assertSays(
        output,
        "there is a DataSource, but no outbox was made from it",
        "set outbox.enabled=true",
        PublisherApp.class,
        "outbox.enabled=false");
  }

  @Test
  void aPropertyOutOfRange(CapturedOutput output) {
    assertSays(
        output,
        "outbox.workers must be 1 or more but was 0",
        "correct the settings",
        App.class,
        "outbox.workers=0");
  }

  @Test
  void aListenerWithTheWrongParameter(CapturedOutput output) {
    assertSays(
        output,
        "must take an EventEnvelope, its payload (a String or an object of a class of yours, not"
            + " generic) or both but takes (Integer); write void take(EventEnvelope event)",
        "correct these listeners",
        WrongListener.class);
  }

  @Test
  void whereAllIsWellNothingIsSaid(CapturedOutput output) {
    Starts.run(PublisherApp.class);

    assertThat(output.getOut()).doesNotContain("outbox is not there", "FAILED");
  }
}
