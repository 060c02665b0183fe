package eventlog.logback;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.core.joran.spi.JoranException;
import ch.qos.logback.core.status.Status;
import eventlog.AsyncEventLoggerBuilder;
import holdfast.ledger.LedgerSnapshot;
import holdfast.testkit.threads.Eventually;
import holdfast.testkit.threads.Together;
import java.lang.reflect.Method;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.MDC;
import org.slf4j.MarkerFactory;
import tools.jackson.databind.JsonNode;

/** Lines of Logback on their way to the API. */
class EventLogAppenderTest extends LogbackFixture {
  private static final String TRACE = "4bf92f3577b34da6a3ce929d0e0e4736";

  /** Numbers, times and sizes of the logger; what is code cannot be a text. */
  @Test
  void everySettingOfTheLoggerCanBeSet() {
    Set<String> setters =
        Stream.of(EventLogAppender.class.getMethods())
            .map(Method::getName)
            .collect(Collectors.toSet());
    Set<String> byCode = Set.of("registerShutdownHook", "replayIntervalMs");
    assertThat(AsyncEventLoggerBuilder.class.getMethods())
        .filteredOn(method -> method.getReturnType() == AsyncEventLoggerBuilder.class)
        .filteredOn(
            method ->
                method.getParameterTypes()[0].isPrimitive()
                    || method.getParameterTypes()[0] == Duration.class)
        .extracting(Method::getName)
        .filteredOn(name -> !byCode.contains(name))
        .hasSizeGreaterThan(15)
        .allSatisfy(
            name ->
                assertThat(setters)
                    .contains("set" + Character.toUpperCase(name.charAt(0)) + name.substring(1)));
  }

  @Test
  void everyPartOfALineArrives() throws JoranException {
    EventLogAppender appender = configure("INFO", required());
    MDC.put("traceId", TRACE);
    MDC.put("spanId", "00f067aa0ba902b7");
    MDC.put("tenant", "acme");

    logger("shop.Orders")
        .atError()
        .addMarker(MarkerFactory.getMarker("AUDIT"))
        .addKeyValue("order", 42)
        .setCause(new IllegalStateException("no stock"))
        .log("order {} failed", "o-1");

    awaitDelivered(appender, 1);
    JsonNode event = api.events().get(0);
    assertThat(event.path("applicationId").asString()).isEqualTo("shop");
    assertThat(event.path("processName").asString()).isEqualTo("shop.Orders");
    assertThat(event.path("summary").asString()).isEqualTo("order o-1 failed");
    assertThat(event.path("result").asString()).isEqualTo("ERROR");
    assertThat(event.path("eventType").asString()).isEqualTo("ERROR");
    assertThat(event.path("eventStatus").asString()).isEqualTo("FAILURE");
    assertThat(event.path("traceId").asString()).isEqualTo(TRACE);
    assertThat(event.path("spanId").asString()).isEqualTo("00f067aa0ba902b7");
    assertThat(event.path("errorCode").asString()).isEqualTo("java.lang.IllegalStateException");
    assertThat(event.path("errorMessage").asString()).isEqualTo("no stock");
    JsonNode metadata = event.path("metadata");
    assertThat(metadata.path("level").asString()).isEqualTo("ERROR");
    assertThat(metadata.path("thread").asString()).isEqualTo(Thread.currentThread().getName());
    assertThat(metadata.path("markers").path(0).asString()).isEqualTo("AUDIT");
    assertThat(metadata.path("mdc").path("tenant").asString()).isEqualTo("acme");
    assertThat(metadata.path("keyValues").path("order").asInt()).isEqualTo(42);
    assertThat(metadata.path("stackTrace").asString())
        .startsWith("java.lang.IllegalStateException: no stock\n\tat ")
        .contains("everyPartOfALineArrives");
  }

  @Test
  void linesThatLoggingCausesAreLeftOut() throws Exception {
    EventLogAppender appender = configure("TRACE", required());

    logger("eventlog").warn("of the event log");
    logger("holdfast.http").warn("of the shared modules");
    logger("jdk.httpclient.HttpClient").info("of the HTTP client");
    Thread sender =
        new Thread(() -> logger("any.Library").info("of a sender"), "eventlog-sender-1");
    sender.start();
    sender.join();
    logger("eventlogger.NotOurs").info("of the application");

    awaitDelivered(appender, 1);
    assertThat(api.events().get(0).path("summary").asString()).isEqualTo("of the application");
    assertThat(appender.excludedLines()).isGreaterThanOrEqualTo(4);
    assertThat(ledger(appender).accepted()).isEqualTo(1);
  }

  @Test
  void whatTheLoggerItselfLogsDuringAnOutageDoesNotFeedBack(@TempDir Path directory)
      throws JoranException {
    api.answers(503);
    EventLogAppender appender =
        configure(
            "TRACE",
            required()
                + """
                <spilloverPath>%s</spilloverPath>
                <circuitBreakerThreshold>1</circuitBreakerThreshold>
                <maxRetries>0</maxRetries>
                """
                    .formatted(directory));

    logger("shop.Orders").info("one line");

    Eventually.await("on disk", () -> ledger(appender).heldByPlace().getOrDefault("disk", 0L) == 1);
    Eventually.await("excluded", () -> appender.excludedLines() > 0);
    appender.stop();
    assertThat(ledger(appender).accepted()).isEqualTo(1);
    assertThat(statuses(Status.WARN)).anyMatch(line -> line.contains("problem=HTTP 503; check"));
  }

  @Test
  void aMistakeIsAnErrorAmongTheStatusMessagesAndTheApplicationGoesOn() throws JoranException {
    EventLogAppender appender =
        configure("INFO", "<applicationId>shop</applicationId><queueCapacity>many</queueCapacity>");

    logger("shop.Orders").info("goes on");

    assertThat(appender.isStarted()).isFalse();
    assertThat(appender.ledger()).isEmpty();
    assertThat(statuses(Status.ERROR))
        .singleElement()
        .asString()
        .contains("queueCapacity must be a whole number but was 'many'")
        .contains("baseUri must be set but is missing; set the address that events are sent to")
        .endsWith("the appender does not start, and lines are not sent: correct it");
  }

  @Test
  void stopEndsInTimeWritesToDiskAndReportsTheLedger(@TempDir Path directory) throws Exception {
    api.hangs();
    EventLogAppender appender =
        configure(
            "INFO",
            required()
                + "<spilloverPath>%s</spilloverPath><closeTimeout>200 ms</closeTimeout>"
                    .formatted(directory));
    for (int i = 0; i < 100; i++) {
      logger("shop.Orders").info("line {}", i);
    }

    long before = System.nanoTime();
    context.stop();

    assertThat(Duration.ofNanos(System.nanoTime() - before)).isLessThan(Duration.ofSeconds(10));
    try (Stream<String> lines = Files.lines(directory.resolve("eventlog-spillover.jsonl"))) {
      assertThat(lines).hasSize(100);
    }
    assertThat(ledger(appender).heldByPlace()).containsEntry("disk", 100L);
  }

  @Test
  void theLedgerAgreesWithAnIndependentCountAndLossesAreReportedOnce() throws Exception {
    api.answers(503);
    EventLogAppender appender =
        configure("INFO", required() + "<queueCapacity>100</queueCapacity>");
    int perThread = 1000;
    AtomicInteger number = new AtomicInteger();
    Together.runAll(
        4,
        () -> {
          for (int i = 0; i < perThread; i++) {
            logger("shop.Orders").info("line {}", number.incrementAndGet());
          }
        });
    api.answers(200);
    appender.stop();

    LedgerSnapshot ledger = ledger(appender);
    Set<String> arrived = new HashSet<>();
    api.events().forEach(event -> arrived.add(event.path("summary").asString()));
    assertThat(ledger.accepted()).isEqualTo(4L * perThread);
    assertThat(ledger.delivered()).isEqualTo(arrived.size()).isEqualTo(api.events().size());
    assertThat(ledger.lost()).isEqualTo(4L * perThread - arrived.size()).isPositive();
    assertThat(ledger.isAccountedFor()).isTrue();
    assertThat(statuses(Status.WARN))
        .filteredOn(line -> line.contains("reason=queue_full"))
        .singleElement()
        .asString()
        .contains("set spilloverPath, or raise queueCapacity");
    assertThat(statuses(Status.WARN)).anyMatch(line -> line.contains("accepted=4000 delivered="));
  }

  @Test
  void filtersAndLevelsWorkAsForAnyAppender() throws JoranException {
    EventLogAppender appender =
        configure(
            "DEBUG",
            required()
                + """
                <filter class="ch.qos.logback.classic.filter.ThresholdFilter">
                  <level>WARN</level>
                </filter>
                """);
    Logger logger = logger("shop.Orders");

    logger.debug("no");
    logger.info("no");
    logger.warn("yes");

    awaitDelivered(appender, 1);
    assertThat(ledger(appender).accepted()).isEqualTo(1);
    assertThat(api.events().get(0).path("eventStatus").asString()).isEqualTo("WARNING");
    assertThat(logger.getEffectiveLevel()).isEqualTo(Level.DEBUG);
  }
}
