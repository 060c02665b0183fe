package eventlog.spring;

import static org.assertj.core.api.Assertions.assertThat;

import eventlog.AsyncEventLogger;
import holdfast.spring.test.Starts;
import java.time.Duration;
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
  static class App {
    @Bean
    Object user(AsyncEventLogger logger) {
      return logger.getClass();
    }
  }

  private static void assertSays(
      CapturedOutput output, String description, String action, String... properties) {
    Starts.assertSays(output, description, action, App.class, properties);
  }

  @Test
  void noClient(CapturedOutput output) {
    assertSays(
        output,
        "a bean wants AsyncEventLogger, but the event log needs a client but there is none",
        "set eventlog.base-url, or define an EventLogClient bean, or set eventlog.enabled=false");
  }

  @Test
  void switchedOff(CapturedOutput output) {
    assertSays(
        output,
        "the event log is switched off by eventlog.enabled=false",
        "set eventlog.enabled=true",
        "eventlog.enabled=false");
  }

  @Test
  void allBadPropertiesAreNamedAtOnce(CapturedOutput output) {
    assertSays(
        output,
        "the properties of the event log are out of range",
        "correct the settings of the event log",
        "eventlog.base-url=nowhere",
        "eventlog.api-key-header= ",
        "eventlog.connect-timeout=0s",
        "eventlog.request-timeout=-1s",
        "eventlog.gzip-from-bytes=-1",
        "eventlog.async.queue-capacity=0",
        "eventlog.async.base-retry-delay=10ms",
        "eventlog.async.max-retry-delay=9ms",
        "eventlog.async.replay-interval-ms=0",
        "eventlog.async.max-spillover-events=0",
        "eventlog.async.max-spillover-size-mb=0",
        "eventlog.async.max-quarantine-size-mb=-2",
        "eventlog.async.spillover-path=a\0b",
        "eventlog.health.nearly-full-percent=101",
        "eventlog.mdc.trace-id= ",
        "eventlog.redaction.fields[0]=password",
        "eventlog.redaction.fields[1]= ");

    assertThat(output.getOut())
        .contains(
            "eventlog.base-url must be an address that begins with http:// or https:// but was"
                + " 'nowhere'")
        .contains("eventlog.api-key-header must have a name")
        .contains("eventlog.connect-timeout must be more than zero but was PT0S")
        .contains("eventlog.request-timeout must be more than zero but was PT-1S")
        .contains("eventlog.gzip-from-bytes must be 0 or more but was -1")
        .contains("eventlog.async.queue-capacity must be from 1 to ")
        .contains("eventlog.async.max-retry-delay must be from 10 ms to a year but was PT0.009S")
        .contains("eventlog.async.replay-interval must be from 1 ms to a year but was PT0S")
        .contains("eventlog.async.max-spillover-events must be 1 or more but was 0")
        .containsPattern("eventlog.async.max-spillover-size-mb must be from 1 to \\d+ but was 0")
        .containsPattern("eventlog.async.max-quarantine-size-mb must be from 0 to \\d+ but was -2")
        .contains("eventlog.async.spillover-path must be the path of a directory")
        .contains("eventlog.health.nearly-full-percent must be from 1 to 100 but was 101")
        .contains("eventlog.mdc.trace-id must be a key")
        .contains("eventlog.redaction.fields must have no blank name")
        .doesNotContain("SizeBytes");
  }

  @Configuration
  @Import(App.class)
  static class CustomizedLogger {
    @Bean
    EventLogCustomizer customizer() {
      return builder -> builder.queueCapacity(0);
    }
  }

  @Configuration
  @Import(App.class)
  static class CustomizedClient {
    @Bean
    EventLogClientCustomizer customizer() {
      return builder -> builder.requestTimeout(Duration.ZERO);
    }
  }

  @Test
  void customizersThatGoTooFar(CapturedOutput output) {
    Starts.assertSays(
        output,
        "queueCapacity must be from 1",
        "correct the settings of the event log",
        CustomizedLogger.class,
        "eventlog.base-url=http://localhost:1");
    Starts.assertSays(
        output,
        "requestTimeout must be",
        "correct the settings of the event log",
        CustomizedClient.class,
        "eventlog.base-url=http://localhost:1");
  }

  @Test
  void whereAllIsWellNothingIsSaid(CapturedOutput output) {
    Starts.run(App.class, "eventlog.base-url=http://localhost:1");

    assertThat(output.getOut()).doesNotContain("eventlog is not there", "FAILED");
  }
}
