package eventlog.log4j2;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import eventlog.appender.AppenderContract;
import holdfast.ledger.LedgerSnapshot;
import holdfast.testkit.threads.Eventually;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.apache.logging.log4j.Level;
import org.apache.logging.log4j.MarkerManager;
import org.apache.logging.log4j.ThreadContext;
import org.apache.logging.log4j.message.StringMapMessage;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** Lines of Log4j on their way to the API. */
class EventLogAppenderTest extends AppenderContract {
  private final Log4jFixture log4j = new Log4jFixture();
  private @Nullable EventLogAppender appender;

  @AfterEach
  void end() {
    log4j.close();
    api.close();
  }

  @Override
  protected void configure(String level, Map<String, String> settings) throws IOException {
    appender = log4j.configure(level, settings, "");
  }

  @Override
  protected Class<?> settable() {
    return EventLogAppenderBuilder.class;
  }

  @Override
  protected Optional<LedgerSnapshot> ledger() {
    return Optional.ofNullable(appender).map(EventLogAppender::ledger);
  }

  @Override
  protected long excludedLines() {
    return Objects.requireNonNull(appender).excludedLines();
  }

  @Override
  protected void stop() {
    Objects.requireNonNull(appender).stop();
  }

  @Override
  protected void info(String logger, String message) {
    log4j.logger(logger).info(message);
  }

  @Override
  protected void logWithEverything(IllegalStateException thrown) {
    ThreadContext.put("traceId", TRACE);
    ThreadContext.put("spanId", "00f067aa0ba902b7");
    ThreadContext.put("tenant", "acme");
    log4j
        .logger("shop.Orders")
        .error(
            MarkerManager.getMarker("AUDIT").setParents(MarkerManager.getMarker("SECURITY")),
            "order {} failed",
            "o-1",
            thrown);
  }

  @Override
  protected List<String> reported(String level) {
    return log4j.statuses(Level.valueOf(level));
  }

  @Test
  void theParentsOfAMarkerArrive() throws IOException {
    configure("INFO", required());

    logWithEverything(new IllegalStateException("no stock"));

    awaitDelivered(1);
    assertThat(api.events().get(0).path("metadata").path("markers").path(1).asString())
        .isEqualTo("SECURITY");
  }

  @Test
  void theEntriesOfAMapMessageAreKeyValuePairs() throws IOException {
    configure("INFO", required());

    log4j.logger("shop.Orders").info(new StringMapMessage().with("order", "42").with("left", 3));

    awaitDelivered(1);
    JsonNode values = api.events().get(0).path("metadata").path("keyValues");
    assertThat(values.path("order").asString()).isEqualTo("42");
    assertThat(values.path("left").asString()).isEqualTo("3");
  }

  @Test
  void levelsOfTheApplicationMeanWhatTheirOrderSays() throws IOException {
    configure("ALL", required());

    log4j.logger("shop.Orders").log(Level.forName("NOTICE", 350), "between WARN and INFO");
    log4j.logger("shop.Orders").log(Level.forName("ALERT", 250), "between ERROR and WARN");
    log4j.logger("shop.Orders").fatal("above ERROR");

    awaitDelivered(3);
    assertThat(api.events())
        .extracting(event -> event.path("result").asString())
        .containsExactlyInAnyOrder("NOTICE", "ALERT", "FATAL");
    assertThat(api.events())
        .extracting(event -> event.path("eventStatus").asString())
        .containsExactlyInAnyOrder("SUCCESS", "WARNING", "FAILURE");
  }

  @Test
  void filtersAndVariablesWorkAsForAnyAppender() throws IOException {
    Map<String, String> settings = required("applicationId", "${sys:no.such.property:-store}");
    appender = log4j.configure("INFO", settings, "<ThresholdFilter level='WARN'/>");

    info("shop.Orders", "no");
    log4j.logger("shop.Orders").warn("yes");

    awaitDelivered(1);
    assertThat(ledger().orElseThrow().accepted()).isEqualTo(1);
    assertThat(api.events().get(0).path("applicationId").asString()).isEqualTo("store");
  }

  @Test
  void buildingAnAppenderStartsNothing() throws IOException {
    Path spill = directory.resolve("spill");
    EventLogAppenderBuilder builder =
        EventLogAppender.newBuilder().setBaseUri(api.uri().toString()).setApplicationId("shop");
    builder.setName("EVENTLOG");
    builder.setSpilloverPath(spill.toString());

    EventLogAppender built = Objects.requireNonNull(builder.build());

    assertThat(built.isStarted()).isFalse();
    assertThat(spill).doesNotExist();
    assertThatThrownBy(built::ledger)
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("the appender EVENTLOG must be started");
    built.stop();
    built.start();
    assertThat(spill).isDirectory();
    built.stop();
    assertThat(built.ledger().isAccountedFor()).isTrue();
  }

  @Test
  void reconfigurationsWithOneSpilloverPathLoseAndRepeatNoLine() throws IOException {
    api.answers(503);
    List<EventLogAppender> all = new ArrayList<>();
    for (int round = 0; round < 3; round++) {
      configure(
          "INFO",
          required(
              "spilloverPath", directory.toString(),
              "circuitBreakerThreshold", "1",
              "circuitBreakerReset", "50 ms",
              "maxRetries", "0",
              "replayInterval", "20 ms",
              "closeTimeout", "1 s"));
      all.add(Objects.requireNonNull(appender));
      for (int i = 0; i < 10; i++) {
        info("shop.Orders", "line " + (10 * round + i));
      }
    }
    api.answers(200);

    Eventually.await("delivered", () -> summaries().size() == 30);
    assertThat(summaries()).doesNotHaveDuplicates().contains("line 0", "line 10", "line 29");
    all.get(2).stop();
    assertThat(all)
        .extracting(EventLogAppender::ledger)
        .allMatch(ledger -> ledger.isAccountedFor() && ledger.lost() == 0)
        .allMatch(ledger -> ledger.accepted() == 10);
    assertThat(all.get(2).ledger().held()).isZero();
  }

  private List<String> summaries() {
    return api.events().stream().map(event -> event.path("summary").asString()).toList();
  }

  @Test
  void theDocumentedConfigurationWorks() throws IOException {
    appender = log4j.load(documented("Log4j 2", "${env:EVENTLOG_API_KEY}"));

    info("shop.Orders", "documented");

    awaitDelivered(1);
    assertThat(api.events().get(0).path("summary").asString()).isEqualTo("documented");
  }
}
