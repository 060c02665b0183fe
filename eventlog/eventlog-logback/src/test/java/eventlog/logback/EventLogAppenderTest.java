package eventlog.logback;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.core.joran.spi.JoranException;
import ch.qos.logback.core.status.Status;
import eventlog.appender.AppenderContract;
import holdfast.ledger.LedgerSnapshot;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.slf4j.MDC;
import org.slf4j.MarkerFactory;

/** Lines of Logback on their way to the API. */
class EventLogAppenderTest extends AppenderContract {
  private final LogbackFixture logback = new LogbackFixture();
  private EventLogAppender appender = new EventLogAppender();

  @AfterEach
  void end() {
    logback.close();
    api.close();
  }

  @Override
  protected void configure(String level, Map<String, String> settings) throws JoranException {
    appender = logback.configure(level, settings, "");
  }

  @Override
  protected Class<?> settable() {
    return EventLogAppender.class;
  }

  @Override
  protected Optional<LedgerSnapshot> ledger() {
    return appender.ledger();
  }

  @Override
  protected long excludedLines() {
    return appender.excludedLines();
  }

  @Override
  protected void stop() {
    appender.stop();
  }

  @Override
  protected void info(String logger, String message) {
    logback.logger(logger).info(message);
  }

  @Override
  protected void logWithEverything(IllegalStateException thrown) {
    MDC.put("traceId", TRACE);
    MDC.put("spanId", "00f067aa0ba902b7");
    MDC.put("tenant", "acme");
    logback
        .logger("shop.Orders")
        .atError()
        .addMarker(MarkerFactory.getMarker("AUDIT"))
        .addKeyValue("order", 42)
        .setCause(thrown)
        .log("order {} failed", "o-1");
  }

  @Override
  protected List<String> reported(String level) {
    Map<String, Integer> levels =
        Map.of("INFO", Status.INFO, "WARN", Status.WARN, "ERROR", Status.ERROR);
    return logback.statuses(levels.get(level));
  }

  @Test
  void keyValuePairsArrive() throws JoranException {
    configure("INFO", required());

    logWithEverything(new IllegalStateException("no stock"));

    awaitDelivered(1);
    assertThat(api.events().get(0).path("metadata").path("keyValues").path("order").asInt())
        .isEqualTo(42);
  }

  @Test
  void filtersAndLevelsWorkAsForAnyAppender() throws JoranException {
    appender =
        logback.configure(
            "DEBUG",
            required(),
            """
            <filter class="ch.qos.logback.classic.filter.ThresholdFilter">
              <level>WARN</level>
            </filter>
            """);
    Logger logger = logback.logger("shop.Orders");

    logger.debug("no");
    logger.info("no");
    logger.warn("yes");

    awaitDelivered(1);
    assertThat(ledger().orElseThrow().accepted()).isEqualTo(1);
    assertThat(api.events().get(0).path("eventStatus").asString()).isEqualTo("WARNING");
    assertThat(logger.getEffectiveLevel()).isEqualTo(Level.DEBUG);
  }

  @Test
  void theDocumentedConfigurationWorks() throws Exception {
    appender = logback.load(documented("Logback", "${EVENTLOG_API_KEY}"));

    info("shop.Orders", "documented");

    awaitDelivered(1);
    assertThat(api.events().get(0).path("summary").asString()).isEqualTo("documented");
  }
}
