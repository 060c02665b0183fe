package tracer.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;

import holdfast.spring.test.ActuatorApp;
import holdfast.testkit.threads.Eventually;
import holdfast.testkit.time.SettableTime;
import io.micrometer.core.instrument.MeterRegistry;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.env.Environment;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.scheduling.annotation.EnableScheduling;
import org.springframework.scheduling.annotation.Scheduled;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.client.RestClient;
import tracer.LaneMeter;
import tracer.TraceValue;
import tracer.Tracer;
import tracer.perfetto.TraceEntry;
import tracer.perfetto.TraceReader;
import tracer.sink.MemorySink;
import tracer.sink.MemorySink.Seen;
import tracer.sink.TracePhase;
import tracer.spring.Traced;

/** A whole application: requests, calls to others, statements, scheduled tasks, and Actuator. */
@Timeout(120)
class WebApplicationTest {
  private static final Duration WORK = Duration.ofMillis(5);

  @TempDir Path directory;

  private final HttpClient http = HttpClient.newHttpClient();
  private final List<ActuatorApp> open = new ArrayList<>();

  /** Orders. */
  @RestController
  static class Shop {
    private final JdbcTemplate jdbc;
    private final RestClient rest;
    private final Environment environment;
    private final Runnable clock;

    Shop(JdbcTemplate jdbc, RestClient.Builder rest, Environment environment, Runnable clock) {
      this.jdbc = jdbc;
      this.rest = rest.build();
      this.environment = environment;
      this.clock = clock;
    }

    @Traced("shop.order")
    @GetMapping("/orders/{id}")
    public String order(@PathVariable int id) {
      clock.run();
      String found = "order " + jdbc.queryForObject("select ? + 1", Integer.class, id);
      clock.run();
      return found;
    }

    @GetMapping("/failing")
    public String failing() {
      throw new IllegalStateException("no such order");
    }

    @GetMapping("/later")
    public Callable<String> later() {
      return () -> "later";
    }

    @GetMapping("/calling")
    public String calling() {
      String port = environment.getProperty("local.server.port");
      return String.valueOf(
          rest.get().uri("http://localhost:{port}/orders/1", port).retrieve().body(String.class));
    }
  }

  /** A task. */
  static class Cleaner {
    @Scheduled(fixedDelay = 3_600_000)
    public void clean() {}
  }

  @Configuration
  @EnableAutoConfiguration
  @EnableScheduling
  static class App {
    @Bean
    Shop shop(
        JdbcTemplate jdbc,
        RestClient.Builder rest,
        Environment environment,
        ObjectProvider<SettableTime> time) {
      Runnable clock = () -> time.ifAvailable(it -> it.advance(WORK));
      return new Shop(jdbc, rest, environment, clock);
    }

    @Bean
    Cleaner cleaner() {
      return new Cleaner();
    }
  }

  /** The same, with a sink in memory. */
  @Configuration
  static class InMemory extends App {
    @Bean(destroyMethod = "")
    MemorySink memorySink() {
      return new MemorySink();
    }

    /** A clock that stands still, so that nothing depends on how busy the machine is. */
    @Bean
    SettableTime settableTime() {
      return new SettableTime();
    }
  }

  @AfterEach
  void stop() {
    open.forEach(ActuatorApp::close);
  }

  private ActuatorApp start(Class<?> app, String... more) {
    ActuatorApp started =
        new ActuatorApp(
            app,
            "tracer",
            Stream.concat(
                    Stream.of(
                        "spring.application.name=shop",
                        "spring.datasource.generate-unique-name=true",
                        "management.endpoint.tracer.access=unrestricted"),
                    Stream.of(more))
                .toList());
    open.add(started);
    return started;
  }

  private HttpResponse<String> get(ActuatorApp app, String path) throws Exception {
    String port = app.context().getEnvironment().getProperty("local.server.port");
    return http.send(
        HttpRequest.newBuilder(URI.create("http://localhost:" + port + path)).build(),
        HttpResponse.BodyHandlers.ofString());
  }

  /** The spans of a name that are over, as soon as there is one. */
  private static List<Seen> spans(ActuatorApp app, String name) {
    MemorySink sink = app.bean(MemorySink.class);
    Eventually.await(
        name,
        () -> flushed(app).stream().anyMatch(event -> event.name().equals(name) && isOver(event)));
    return sink.events().stream().filter(event -> event.name().equals(name)).toList();
  }

  private static List<Seen> flushed(ActuatorApp app) {
    try {
      assertThat(app.bean(Tracer.class).flush(Duration.ofSeconds(20))).isTrue();
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
    return app.bean(MemorySink.class).events();
  }

  private static boolean isOver(Seen event) {
    return event.phase() == TracePhase.END || event.phase() == TracePhase.ASYNC_END;
  }

  private static List<String> texts(Seen event) {
    return event.values().stream().map(TraceValue::string).toList();
  }

  @Test
  void aRequestIsASpanWithItsDurationAroundWhatItDid() throws Exception {
    ActuatorApp app = start(InMemory.class);
    long before = app.bean(SettableTime.class).nanoTime();

    assertThat(get(app, "/orders/41").body()).isEqualTo("order 42");

    Seen request = spans(app, "http.server.requests").get(0);
    Seen method = spans(app, "shop.order").get(1);
    Seen statement = spans(app, "jdbc.query").get(0);
    assertThat(request.phase()).isEqualTo(TracePhase.END);
    assertThat(request.began()).isEqualTo(before);
    assertThat(request.time()).isEqualTo(before + 2 * WORK.toNanos());
    assertThat(texts(request)).containsExactly("GET", "200", "/orders/{id}");
    assertThat(method.thread()).isEqualTo(request.thread());
    assertThat(method.began()).isBetween(request.began(), request.time());
    assertThat(statement.phase()).isEqualTo(TracePhase.END);
    assertThat(statement.thread()).isEqualTo(request.thread());
    assertThat(statement.began()).isEqualTo(before + WORK.toNanos());
    assertThat(statement.time()).isEqualTo(before + WORK.toNanos());
  }

  @Test
  void aRequestThatFailsIsMarked() throws Exception {
    ActuatorApp app = start(InMemory.class);

    assertThat(get(app, "/failing").statusCode()).isEqualTo(500);

    assertThat(texts(spans(app, "http.server.requests").get(0)))
        .contains("GET", "/failing", "java.lang.IllegalStateException");
  }

  @Test
  void aRequestThatEndsOnAnotherThreadIsAsynchronous() throws Exception {
    ActuatorApp app = start(InMemory.class);

    assertThat(get(app, "/later").body()).isEqualTo("later");

    assertThat(spans(app, "http.server.requests"))
        .extracting(Seen::phase)
        .containsExactly(TracePhase.ASYNC_BEGIN, TracePhase.ASYNC_END);
    assertThat(texts(spans(app, "http.server.requests").get(0)))
        .containsExactly("GET", "200", "/later");
  }

  @Test
  void aCallToAnotherServiceIsASpanInTheRequest() throws Exception {
    ActuatorApp app = start(InMemory.class);

    assertThat(get(app, "/calling").body()).isEqualTo("order 2");

    Seen call = spans(app, "http.client.requests").get(0);
    Eventually.await("both requests", () -> spans(app, "http.server.requests").size() == 2);
    Seen request =
        spans(app, "http.server.requests").stream()
            .filter(span -> texts(span).contains("/calling"))
            .findFirst()
            .orElseThrow();
    assertThat(call.phase()).isEqualTo(TracePhase.END);
    assertThat(call.thread()).isEqualTo(request.thread());
    assertThat(call.began()).isBetween(request.began(), request.time());
    assertThat(call.time()).isLessThanOrEqualTo(request.time());
  }

  @Test
  void aScheduledTaskIsASpan() {
    ActuatorApp app = start(InMemory.class);

    assertThat(texts(spans(app, "tasks.scheduled.execution").get(0))).contains("clean");
  }

  @Test
  void metersAreBoundToTheRegistry() {
    ActuatorApp app = start(InMemory.class);

    assertThat(app.bean(MeterRegistry.class).get(LaneMeter.EVENTS_WRITTEN.meterName()).meters())
        .hasSize(3);
    assertThat(app.bean(MeterRegistry.class).get("holdfast.ledger.accepted").meters()).isNotEmpty();
  }

  @Test
  void theEndpointShowsCountersAndLedger() throws Exception {
    ActuatorApp app = start(InMemory.class);

    assertThat(app.get("").body())
        .contains("\"flightRecorder\":false", "\"excluded\":{\"categories\":[],\"names\":[]}")
        .contains("\"lane\":\"INDEX\"", "\"eventsWritten\":", "\"ledger\":{\"accepted\":");
  }

  @Test
  void theEndpointDisablesAndEnablesACategory() throws Exception {
    ActuatorApp app = start(InMemory.class);

    assertThat(app.post("/disable", "{\"category\":\"jdbc\"}").body())
        .isEqualTo("{\"categories\":[\"jdbc\"],\"names\":[]}");
    get(app, "/orders/1");
    assertThat(spans(app, "shop.order")).isNotEmpty();
    assertThat(flushed(app)).extracting(Seen::name).doesNotContain("jdbc.query");
    assertThat(app.post("/enable", "{\"category\":\"jdbc\"}").body())
        .isEqualTo("{\"categories\":[],\"names\":[]}");
    get(app, "/orders/1");
    assertThat(spans(app, "jdbc.query")).isNotEmpty();
  }

  @Test
  void theEndpointRefusesWhatItCannotDo() throws Exception {
    ActuatorApp app = start(InMemory.class);

    HttpResponse<String> dump = app.post("/dump", "{\"reason\":\"slow\"}");
    assertThat(dump.statusCode()).isEqualTo(400);
    assertThat(dump.body())
        .contains("dump needs a tracer that keeps events in memory", "tracer.keep-last=30s");
    assertThat(app.post("/dump", "{}").body())
        .contains("reason must be given but was missing or blank");
    assertThat(app.post("/enable", "{\"category\":\" \"}").body())
        .contains("category must be given but was missing or blank");
    assertThat(app.post("/stop", "{}").body())
        .contains("the action must be dump or disable or enable but was 'stop'");
  }

  @Test
  void writingNeedsAccess() throws Exception {
    ActuatorApp app = start(InMemory.class, "management.endpoint.tracer.access=read-only");

    assertThat(app.get("").statusCode()).isEqualTo(200);
    assertThat(app.post("/disable", "{\"category\":\"jdbc\"}").statusCode()).isEqualTo(404);
    assertThat(app.bean(Tracer.class).exclusions().categories()).isEmpty();
  }

  @Test
  void theEndpointHasAFlightRecorderDump() throws Exception {
    ActuatorApp app = start(App.class, "tracer.directory=" + directory, "tracer.keep-last=30s");
    get(app, "/orders/41");
    assertThat(app.get("").body()).contains("\"flightRecorder\":true");

    String dumped = app.post("/dump", "{\"reason\":\"a customer has called\"}").body();

    assertThat(dumped).contains("\"reason\":\"a customer has called\"", "\"events\":");
    assertThat(entries())
        .extracting(TraceEntry::name)
        .contains("http.server.requests", "shop.order", "jdbc.query", "tracer.dump");
  }

  @Test
  void theEndpointAnswersWhyADumpFailed() throws Exception {
    Path file = Files.createFile(directory.resolve("file"));
    ActuatorApp app = start(App.class, "tracer.directory=" + file, "tracer.keep-last=30s");

    HttpResponse<String> dump = app.post("/dump", "{\"reason\":\"slow\"}");

    assertThat(dump.statusCode()).isEqualTo(503);
    assertThat(dump.body())
        .contains("{\"error\":\"the dump failed: the trace directory " + file)
        .contains("take another with PerfettoFiles.in(...)");
  }

  @Test
  void aSlowRequestDumps() throws Exception {
    ActuatorApp app =
        start(
            App.class,
            "tracer.directory=" + directory,
            "tracer.keep-last=30s",
            "tracer.dump-when-slower.http.server.requests=1ns");

    get(app, "/orders/41");

    Eventually.await("dump", () -> entries().stream().anyMatch(WebApplicationTest::isDump));
  }

  private static boolean isDump(TraceEntry entry) {
    return entry.name().equals("tracer.dump")
        && String.valueOf(entry.values()).contains("slow span http.server.requests");
  }

  private List<TraceEntry> entries() {
    List<TraceEntry> entries = new ArrayList<>();
    try (Stream<Path> files = Files.list(directory)) {
      for (Path file : files.filter(it -> it.toString().endsWith("perfetto-trace")).toList()) {
        TraceReader.read(file, entries::add);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return entries;
  }
}
