package eventlog.appender;

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
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** What the appender of every log framework does with lines on their way to the API. */
@Timeout(60)
public abstract class AppenderContract {
  protected static final String TRACE = "4bf92f3577b34da6a3ce929d0e0e4736";

  protected final RecordingApi api = new RecordingApi();

  @TempDir protected Path directory;

  /** Configures the framework, as an application does it, with one appender. */
  protected abstract void configure(String level, Map<String, String> settings) throws Exception;

  /** The class that has a setter for each setting. */
  protected abstract Class<?> settable();

  /** The ledger of the appender; empty if it did not start. */
  protected abstract Optional<LedgerSnapshot> ledger();

  protected abstract long excludedLines();

  protected abstract void stop();

  protected abstract void info(String logger, String message);

  /**
   * Logs {@code order o-1 failed} as an error of {@code shop.Orders} with the marker AUDIT, an
   * {@code IllegalStateException} and, of the thread, {@code traceId}, {@code spanId}, {@code
   * tenant}.
   */
  protected abstract void logWithEverything(IllegalStateException thrown);

  /** What the framework was told at that level: INFO, WARN or ERROR. */
  protected abstract List<String> reported(String level);

  /** The settings without which there is no appender, and others. */
  protected final Map<String, String> required(String... others) {
    Map<String, String> settings = new LinkedHashMap<>();
    settings.put("baseUri", api.uri().toString());
    settings.put("applicationId", "shop");
    for (int i = 0; i < others.length; i += 2) {
      settings.put(others[i], others[i + 1]);
    }
    return settings;
  }

  /** The configuration in docs/eventlog.md, as it is there but for address, key and directory. */
  protected final String documented(String heading, String key) throws IOException {
    Matcher block =
        Pattern.compile("### " + heading + "\n[\\s\\S]*?```xml\n([\\s\\S]*?)```")
            .matcher(Files.readString(Path.of("../../docs/eventlog.md")));
    assertThat(block.find()).isTrue();
    return block
        .group(1)
        .replace("https://events.example.com", api.uri().toString())
        .replace(key, "secret")
        .replace("/var/spool/shop", directory.toString());
  }

  protected final void awaitDelivered(long count) {
    Eventually.await("delivered", () -> ledger().orElseThrow().delivered() == count);
  }

  /** Numbers, times and sizes of the logger; what is code cannot be a text. */
  @Test
  void everySettingOfTheLoggerCanBeSet() {
    Set<String> setters =
        Stream.of(settable().getMethods()).map(Method::getName).collect(Collectors.toSet());
    assertThat(AsyncEventLoggerBuilder.class.getMethods())
        .filteredOn(method -> method.getReturnType() == AsyncEventLoggerBuilder.class)
        .filteredOn(
            method ->
                method.getParameterTypes()[0].isPrimitive()
                    || method.getParameterTypes()[0] == Duration.class)
        .extracting(Method::getName)
        .filteredOn(name -> !name.equals("replayIntervalMs")) // replayInterval takes any unit
        .hasSizeGreaterThan(15)
        .allSatisfy(
            name ->
                assertThat(setters)
                    .contains("set" + Character.toUpperCase(name.charAt(0)) + name.substring(1)));
  }

  @Test
  void everyPartOfALineArrives() throws Exception {
    configure("INFO", required());

    logWithEverything(new IllegalStateException("no stock"));

    awaitDelivered(1);
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
    assertThat(metadata.path("stackTrace").asString())
        .startsWith("java.lang.IllegalStateException: no stock\n\tat ")
        .contains("everyPartOfALineArrives");
  }

  @Test
  void whatIsMaskedInAMessageIsMaskedInTheStackTraceToo() throws Exception {
    configure("INFO", required("redactFields", "password"));

    logWithEverything(
        new IllegalStateException(
            "no session for password=s3cret", new IOException("password: s3cret2")));

    awaitDelivered(1);
    JsonNode event = api.events().get(0);
    assertThat(event.path("errorMessage").asString()).isEqualTo("no session for password=***");
    assertThat(event.path("metadata").path("stackTrace").asString())
        .startsWith("java.lang.IllegalStateException: no session for password=***\n\tat ")
        .contains("Caused by: java.io.IOException: password: ***\n");
    assertThat(event.toString()).doesNotContain("s3cret");
  }

  @Test
  void linesThatLoggingCausesAreLeftOut() throws Exception {
    configure("TRACE", required());

    info("eventlog", "of the event log");
    info("holdfast.http", "of the shared modules");
    info("jdk.httpclient.HttpClient", "of the HTTP client");
    Thread sender = new Thread(() -> info("any.Library", "of a sender"), "eventlog-sender-1");
    sender.start();
    sender.join();
    info("eventlogger.NotOurs", "of the application");

    awaitDelivered(1);
    assertThat(api.events().get(0).path("summary").asString()).isEqualTo("of the application");
    assertThat(excludedLines()).isGreaterThanOrEqualTo(4);
    assertThat(ledger().orElseThrow().accepted()).isEqualTo(1);
  }

  @Test
  void whatTheLoggerItselfLogsDuringAnOutageDoesNotFeedBack() throws Exception {
    api.answers(503);
    configure(
        "TRACE",
        required(
            "spilloverPath", directory.toString(),
            "circuitBreakerThreshold", "1",
            "maxRetries", "0"));

    info("shop.Orders", "one line");

    Eventually.await(
        "on disk", () -> ledger().orElseThrow().heldByPlace().getOrDefault("disk", 0L) == 1);
    Eventually.await("excluded", () -> excludedLines() > 0);
    stop();
    assertThat(ledger().orElseThrow().accepted()).isEqualTo(1);
    assertThat(reported("WARN")).anyMatch(line -> line.contains("problem=HTTP 503; check"));
  }

  @Test
  void aMistakeIsReportedToTheFrameworkAndTheApplicationGoesOn() throws Exception {
    configure("INFO", Map.of("applicationId", "shop", "queueCapacity", "many"));

    info("shop.Orders", "goes on");

    assertThat(ledger()).isEmpty();
    assertThat(reported("ERROR"))
        .anySatisfy(
            line ->
                assertThat(line)
                    .contains("queueCapacity must be a whole number but was 'many'")
                    .contains("baseUri must be set but is missing; set the address")
                    .endsWith("does not start, and lines are not sent: correct it"));
  }

  @Test
  void stopEndsInTimeWritesToDiskAndReportsTheLedger() throws Exception {
    api.hangs();
    configure("INFO", required("spilloverPath", directory.toString(), "closeTimeout", "200 ms"));
    for (int i = 0; i < 100; i++) {
      info("shop.Orders", "line " + i);
    }

    long before = System.nanoTime();
    stop();

    assertThat(Duration.ofNanos(System.nanoTime() - before)).isLessThan(Duration.ofSeconds(10));
    try (Stream<String> lines = Files.lines(directory.resolve("eventlog-spillover.jsonl"))) {
      assertThat(lines).hasSize(100);
    }
    assertThat(reported("INFO"))
        .anyMatch(line -> line.contains("accepted=100 delivered=0 held=100(disk=100) lost=0"));
  }

  @Test
  void theLedgerAgreesWithAnIndependentCountAndLossesAreReportedOnce() throws Exception {
    api.answers(503);
    configure("INFO", required("queueCapacity", "100"));
    int perThread = 1000;
    AtomicInteger number = new AtomicInteger();
    Together.runAll(
        4,
        () -> {
          for (int i = 0; i < perThread; i++) {
            info("shop.Orders", "line " + number.incrementAndGet());
          }
        });
    api.answers(200);
    stop();

    LedgerSnapshot ledger = ledger().orElseThrow();
    Set<String> arrived = new HashSet<>();
    api.events().forEach(event -> arrived.add(event.path("summary").asString()));
    assertThat(ledger.accepted()).isEqualTo(4L * perThread);
    assertThat(ledger.delivered()).isEqualTo(arrived.size()).isEqualTo(api.events().size());
    assertThat(ledger.lost()).isEqualTo(4L * perThread - arrived.size()).isPositive();
    assertThat(ledger.isAccountedFor()).isTrue();
    assertThat(reported("WARN"))
        .filteredOn(line -> line.contains("reason=queue_full"))
        .singleElement()
        .asString()
        .contains("set spilloverPath, or raise queueCapacity");
    assertThat(reported("WARN")).anyMatch(line -> line.contains("accepted=4000 delivered="));
  }
}
