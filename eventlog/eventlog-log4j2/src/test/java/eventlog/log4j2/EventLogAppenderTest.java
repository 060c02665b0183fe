package eventlog.log4j2;

import static org.assertj.core.api.Assertions.assertThat;

import eventlog.AsyncEventLoggerBuilder;
import holdfast.ledger.LedgerSnapshot;
import holdfast.testkit.threads.Eventually;
import holdfast.testkit.threads.Together;
import java.io.IOException;
import java.lang.reflect.Method;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.logging.log4j.Level;
import org.apache.logging.log4j.Marker;
import org.apache.logging.log4j.MarkerManager;
import org.apache.logging.log4j.ThreadContext;
import org.apache.logging.log4j.message.StringMapMessage;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** Lines of Log4j on their way to the API. */
class EventLogAppenderTest extends Log4jFixture {
  private static final String TRACE = "4bf92f3577b34da6a3ce929d0e0e4736";

  /** Numbers, times and sizes of the logger; what is code cannot be a text. */
  @Test
  void everySettingOfTheLoggerCanBeSet() {
    Set<String> setters =
        Stream.of(EventLogAppenderBuilder.class.getMethods())
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
  void everyPartOfALineArrives() throws IOException {
    EventLogAppender appender = configure("INFO", required(), "");
    ThreadContext.put("traceId", TRACE);
    ThreadContext.put("spanId", "00f067aa0ba902b7");
    ThreadContext.put("tenant", "acme");
    Marker audit = MarkerManager.getMarker("AUDIT").setParents(MarkerManager.getMarker("SECURITY"));

    logger("shop.Orders")
        .error(audit, "order {} failed", "o-1", new IllegalStateException("no stock"));

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
    assertThat(metadata.path("markers").path(1).asString()).isEqualTo("SECURITY");
    assertThat(metadata.path("mdc").path("tenant").asString()).isEqualTo("acme");
    assertThat(metadata.path("stackTrace").asString())
        .startsWith("java.lang.IllegalStateException: no stock\n\tat ")
        .contains("everyPartOfALineArrives");
  }

  @Test
  void theEntriesOfAMapMessageAreKeyValuePairs() throws IOException {
    EventLogAppender appender = configure("INFO", required(), "");

    logger("shop.Orders").info(new StringMapMessage().with("order", "42").with("left", 3));

    awaitDelivered(appender, 1);
    JsonNode values = api.events().get(0).path("metadata").path("keyValues");
    assertThat(values.path("order").asString()).isEqualTo("42");
    assertThat(values.path("left").asString()).isEqualTo("3");
  }

  @Test
  void levelsOfTheApplicationMeanWhatTheirOrderSays() throws IOException {
    EventLogAppender appender = configure("ALL", required(), "");

    logger("shop.Orders").log(Level.forName("NOTICE", 350), "between WARN and INFO");
    logger("shop.Orders").log(Level.forName("ALERT", 250), "between ERROR and WARN");
    logger("shop.Orders").fatal("above ERROR");

    awaitDelivered(appender, 3);
    assertThat(api.events())
        .extracting(event -> event.path("result").asString())
        .containsExactlyInAnyOrder("NOTICE", "ALERT", "FATAL");
    assertThat(api.events())
        .extracting(event -> event.path("eventStatus").asString())
        .containsExactlyInAnyOrder("SUCCESS", "WARNING", "FAILURE");
  }

  @Test
  void linesThatLoggingCausesAreLeftOut() throws Exception {
    EventLogAppender appender = configure("TRACE", required(), "");

    logger("eventlog").warn("of the event log");
    logger("holdfast.http").warn("of the shared modules");
    logger("jdk.httpclient.HttpClient").info("of the HTTP client");
    Thread sender =
        new Thread(() -> logger("any.Library").info("of a sender"), "eventlog-sender-1");
    sender.start();
    sender.join();
    logger("shop.Orders").info("of the application");

    awaitDelivered(appender, 1);
    assertThat(api.events().get(0).path("summary").asString()).isEqualTo("of the application");
    assertThat(appender.excludedLines()).isGreaterThanOrEqualTo(4);
    assertThat(appender.ledger().accepted()).isEqualTo(1);
  }

  @Test
  void whatTheLoggerItselfLogsDuringAnOutageDoesNotFeedBack(@TempDir Path directory)
      throws IOException {
    api.answers(503);
    EventLogAppender appender =
        configure(
            "TRACE",
            required()
                + " spilloverPath='%s' circuitBreakerThreshold='1' maxRetries='0'"
                    .formatted(directory),
            "");

    logger("shop.Orders").info("one line");

    Eventually.await(
        "on disk", () -> appender.ledger().heldByPlace().getOrDefault("disk", 0L) == 1);
    Eventually.await("excluded", () -> appender.excludedLines() > 0);
    appender.stop();
    assertThat(appender.ledger().accepted()).isEqualTo(1);
    assertThat(statuses.of(Level.WARN)).anyMatch(line -> line.contains("problem=HTTP 503; check"));
  }

  @Test
  void aMistakeIsAnErrorOfTheStatusLoggerAndTheApplicationGoesOn() throws IOException {
    EventLogAppender appender = configure("INFO", "applicationId='shop' queueCapacity='many'", "");

    logger("shop.Orders").info("goes on");

    assertThat(appender).isNull();
    assertThat(statuses.of(Level.ERROR))
        .anySatisfy(
            line ->
                assertThat(line)
                    .contains("queueCapacity must be a whole number but was 'many'")
                    .contains("baseUri must be set but is missing; set the address")
                    .endsWith("EVENTLOG does not start, and lines are not sent: correct it"));
  }

  @Test
  void stopEndsInTimeWritesToDiskAndReportsTheLedger(@TempDir Path directory) throws Exception {
    api.hangs();
    EventLogAppender appender =
        configure(
            "INFO",
            required() + " spilloverPath='%s' closeTimeout='200 ms'".formatted(directory),
            "");
    for (int i = 0; i < 100; i++) {
      logger("shop.Orders").info("line {}", i);
    }

    long before = System.nanoTime();
    appender.stop();

    assertThat(Duration.ofNanos(System.nanoTime() - before)).isLessThan(Duration.ofSeconds(10));
    try (Stream<String> lines = Files.lines(directory.resolve("eventlog-spillover.jsonl"))) {
      assertThat(lines).hasSize(100);
    }
    assertThat(statuses.of(Level.INFO))
        .anyMatch(line -> line.contains("accepted=100 delivered=0 held=100(disk=100) lost=0"));
  }

  @Test
  void theLedgerAgreesWithAnIndependentCountAndLossesAreReportedOnce() throws Exception {
    api.answers(503);
    EventLogAppender appender = configure("INFO", required() + " queueCapacity='100'", "");
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

    LedgerSnapshot ledger = appender.ledger();
    Set<String> arrived = new HashSet<>();
    api.events().forEach(event -> arrived.add(event.path("summary").asString()));
    assertThat(ledger.accepted()).isEqualTo(4L * perThread);
    assertThat(ledger.delivered()).isEqualTo(arrived.size()).isEqualTo(api.events().size());
    assertThat(ledger.lost()).isEqualTo(4L * perThread - arrived.size()).isPositive();
    assertThat(ledger.isAccountedFor()).isTrue();
    assertThat(statuses.of(Level.WARN))
        .filteredOn(line -> line.contains("reason=queue_full"))
        .singleElement()
        .asString()
        .contains("set spilloverPath, or raise queueCapacity");
    assertThat(statuses.of(Level.WARN)).anyMatch(line -> line.contains("accepted=4000 delivered="));
  }

  @Test
  void filtersAndVariablesWorkAsForAnyAppender() throws IOException {
    EventLogAppender appender =
        configure(
            "DEBUG",
            "baseUri='%s' applicationId='${sys:no.such.property:-store}'".formatted(api.uri()),
            "<ThresholdFilter level='WARN'/>");

    logger("shop.Orders").info("no");
    logger("shop.Orders").warn("yes");

    awaitDelivered(appender, 1);
    assertThat(appender.ledger().accepted()).isEqualTo(1);
    assertThat(api.events().get(0).path("applicationId").asString()).isEqualTo("store");
  }
}
