package eventlog.spring;

import static org.assertj.core.api.Assertions.assertThat;

import eventlog.AsyncEventLogger;
import eventlog.EventLogMeter;
import eventlog.testkit.EventLogServer;
import eventlog.testkit.Fault;
import holdfast.breaker.CircuitBreaker;
import holdfast.spring.test.ActuatorApp;
import holdfast.testkit.files.FaultyFiles;
import holdfast.testkit.threads.Eventually;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Endpoint, health and meters in a whole application, with the server among the examples. */
@Timeout(120)
class ActuatorTest {
  @TempDir Path directory;

  private final EventLogServer server = EventLogServer.start();
  private final List<ActuatorApp> open = new ArrayList<>();

  /** Orders. */
  static class Shop {
    @LogEvent("PlaceOrder")
    public void place() {}
  }

  @Configuration
  @EnableAutoConfiguration
  static class App {
    @Bean
    Shop shop() {
      return new Shop();
    }
  }

  /** The same on a disk that can be frozen. */
  @Configuration
  @EnableAutoConfiguration
  static class OnFaultyDisk extends App {
    @Bean
    FaultyFiles disk(@Value("${test.directory}") Path directory) {
      return FaultyFiles.over(directory);
    }

    @Bean
    EventLogCustomizer spillsOntoIt(FaultyFiles disk) {
      return builder -> builder.spilloverPath(disk.root());
    }
  }

  @AfterEach
  void stop() {
    open.forEach(ActuatorApp::close);
    server.close();
  }

  private ActuatorApp start(String... more) {
    return start(App.class, more);
  }

  private ActuatorApp start(Class<?> configuration, String... more) {
    ActuatorApp app =
        new ActuatorApp(
            configuration,
            "eventlog",
            Stream.concat(
                    Stream.of(
                        "spring.application.name=shop",
                        "eventlog.base-url=" + server.uri(),
                        "eventlog.async.max-batch-wait=5ms",
                        "eventlog.async.base-retry-delay=1ms",
                        "eventlog.async.max-retry-delay=1ms",
                        "eventlog.async.max-retries=1",
                        "eventlog.async.close-timeout=200ms",
                        "eventlog.async.replay-interval-ms=20"),
                    Stream.of(more))
                .toList());
    open.add(app);
    return app;
  }

  private static String body(ActuatorApp app, String path) throws Exception {
    return app.getOther(path).body();
  }

  private static AsyncEventLogger logger(ActuatorApp app) {
    return app.bean(AsyncEventLogger.class);
  }

  @Test
  void theEndpointShowsQueueBreakerAndLedger() throws Exception {
    ActuatorApp app = start();
    app.bean(Shop.class).place();
    assertThat(logger(app).flush(Duration.ofSeconds(30))).isTrue();

    assertThat(body(app, "eventlog"))
        .contains("\"queue\":{\"depth\":0,\"capacity\":10000}")
        .contains("\"circuit\":\"CLOSED\"")
        .contains("\"eventsSent\":2")
        .contains("\"accepted\":2,\"recoveredAtStartup\":0,\"delivered\":2,\"held\":0")
        .contains("\"lostBy\":{\"queue_full\":0,", "\"redaction_failed\":0")
        .contains("\"unaccounted\":0")
        .doesNotContain("spillover\":");
    assertThat(server.copies()).hasSize(2);
  }

  @Test
  void theEndpointShowsTheDiskAndHowFarTheReplayHasCome() throws Exception {
    server.faults().set(Fault.UNAUTHORIZED);
    ActuatorApp app =
        start(
            "eventlog.async.spillover-path=" + directory,
            "eventlog.async.circuit-breaker-reset=86400000ms");
    app.bean(Shop.class).place();
    Eventually.await("on disk", () -> logger(app).metrics().eventsSpilled() == 2);
    Eventually.await("balanced", () -> logger(app).ledger().isAccountedFor());

    assertThat(body(app, "eventlog"))
        .contains("\"circuit\":\"OPEN\"", "\"directory\":\"" + directory + "\"")
        .contains("\"failing\":false,\"waiting\":0,\"events\":2,\"maxEvents\":10000,\"bytes\":")
        .contains("\"maxBytes\":52428800,\"quarantined\":0")
        .contains("\"disk\":2", "\"held\":2");
    assertThat(body(app, "health"))
        .contains("\"circuit\":\"OPEN\"", "\"spilloverEvents\":2", "\"spilloverFailing\":false")
        .contains("\"status\":\"UP\"")
        .doesNotContain("problems");
  }

  @Test
  void aReplayThatIsStuckShowsItsFile() throws Exception {
    server.faults().set(Fault.ERROR);
    ActuatorApp app =
        start(
            "eventlog.async.spillover-path=" + directory,
            "eventlog.async.circuit-breaker-threshold=1000000");
    app.bean(Shop.class).place();

    Eventually.await(
        "a replay file", () -> body(app, "eventlog").matches(".*\"replay\":\\{\"bytes\":\\d+,.*"));
    assertThat(body(app, "eventlog")).contains("\"sentBytes\":0");
  }

  @Test
  void healthIsDownWhenTheLastPlaceIsNearlyFull() throws Exception {
    server.faults().set(Fault.UNAUTHORIZED);
    ActuatorApp withoutDisk =
        start(
            "eventlog.async.queue-capacity=4",
            "eventlog.async.circuit-breaker-reset=86400000ms",
            "eventlog.health.nearly-full-percent=100");
    assertThat(withoutDisk.health().statusCode()).isEqualTo(200);
    withoutDisk.bean(Shop.class).place();
    Eventually.await(
        "nothing is taken from the queue any more",
        () -> logger(withoutDisk).circuitState() == CircuitBreaker.State.OPEN);
    Eventually.await(
        "full",
        () -> {
          withoutDisk.bean(Shop.class).place();
          return logger(withoutDisk).queueDepth() == 4;
        });
    assertThat(withoutDisk.health().statusCode()).isEqualTo(503);
    assertThat(body(withoutDisk, "health"))
        .contains("the queue is nearly full and spillover is off")
        .contains("\"queueDepth\":4,\"queueCapacity\":4");

    ActuatorApp withDisk =
        start(
            "eventlog.async.spillover-path=" + directory,
            "eventlog.async.max-spillover-events=2",
            "eventlog.async.circuit-breaker-reset=86400000ms");
    withDisk.bean(Shop.class).place();
    Eventually.await("on disk", () -> logger(withDisk).metrics().eventsSpilled() == 2);
    assertThat(body(withDisk, "health"))
        .contains("the spillover files are nearly as large as allowed");
  }

  @Test
  void healthIsDownWhileTheDiskFails() throws Exception {
    Path inTheWay = Files.writeString(directory.resolve("file"), "");
    server.faults().set(Fault.UNAUTHORIZED);
    ActuatorApp app = start("eventlog.async.spillover-path=" + inTheWay.resolve("below"));
    app.bean(Shop.class).place();

    Eventually.await("down", () -> app.health().statusCode() == 503);
    assertThat(body(app, "health")).contains("the spillover directory cannot be written");
    assertThat(body(app, "eventlog")).contains("\"failing\":true").doesNotContain("directory");
  }

  /** Calls on a thread that may be left behind: a call that waits for the disk would never end. */
  private static <T> T answered(Callable<T> call) throws Exception {
    FutureTask<T> task = new FutureTask<>(call);
    Thread thread = new Thread(task, "caller");
    thread.setDaemon(true);
    thread.start();
    return task.get(10, TimeUnit.SECONDS);
  }

  @Test
  void healthEndpointAndMetersAnswerWhileTheDiskIsFrozen() throws Exception {
    server.faults().set(Fault.UNAUTHORIZED);
    ActuatorApp app = start(OnFaultyDisk.class, "test.directory=" + directory);
    CountDownLatch frozen = new CountDownLatch(1);
    CountDownLatch thawed = new CountDownLatch(1);
    app.bean(FaultyFiles.class)
        .failWhen(
            change -> {
              frozen.countDown();
              try {
                thawed.await();
              } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
              }
              return false;
            },
            () -> new IOException("never"));
    try {
      app.bean(Shop.class).place();
      frozen.await();

      assertThat(answered(() -> body(app, "health"))).contains("\"spilloverEvents\":0");
      Eventually.await(
          "both at the disk",
          () -> answered(() -> body(app, "eventlog")).contains("\"spilling\":2"));
      assertThat(answered(() -> body(app, "metrics/eventlog.events.spilled")))
          .contains("\"value\":0.0");
      Eventually.await("down", () -> answered(app::health).statusCode() == 503);
      assertThat(answered(() -> body(app, "health")))
          .contains("the spillover directory cannot be written");
    } finally {
      thawed.countDown();
    }
    Eventually.await("up", () -> app.health().statusCode() == 200);
  }

  @Test
  void metersHaveTheNamesOfTheDocumentAndTheLedgerIsAmongThem() throws Exception {
    ActuatorApp app = start();
    app.bean(Shop.class).place();
    assertThat(logger(app).flush(Duration.ofSeconds(30))).isTrue();
    MeterRegistry registry = app.bean(MeterRegistry.class);

    for (EventLogMeter meter : EventLogMeter.values()) {
      Gauge gauge = registry.get(meter.meterName()).gauge();
      assertThat(gauge.value()).as(meter.meterName()).isEqualTo(meter.value(logger(app).metrics()));
      assertThat(gauge.getId().getDescription()).isEqualTo(meter.description());
    }
    assertThat(registry.get("eventlog.events.sent").gauge().value()).isEqualTo(2);
    assertThat(
            registry.get("holdfast.ledger.accepted").tag("library", "eventlog").functionCounter())
        .isNotNull();
    assertThat(body(app, "metrics/eventlog.circuit-breaker.open")).contains("\"value\":0.0");
  }

  @Test
  void metersCanBeSwitchedOff() {
    ActuatorApp app = start("eventlog.metrics.enabled=false");

    assertThat(app.bean(MeterRegistry.class).find("eventlog.events.sent").meter()).isNull();
  }
}
