package eventbus.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;

import eventbus.Event;
import eventbus.spring.EventBusHandler;
import holdfast.micrometer.LedgerMeter;
import holdfast.testkit.threads.Eventually;
import holdfast.testkit.time.SettableTime;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.Status;
import org.springframework.boot.micrometer.metrics.autoconfigure.MetricsAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ApplicationContext;

/** What operators see: meters and health. */
@Timeout(120)
class ObservabilityTest {

  static class Mailer {
    private volatile boolean broken;

    @EventBusHandler("OrderPlaced")
    void mail(Event event) {
      if (broken) {
        throw new IllegalStateException("the mail server is down");
      }
    }
  }

  private static final Pattern METER_ROW =
      Pattern.compile("\\| `((?:eventbus|holdfast)\\.[a-z.]+)` \\| (counter|gauge|timer) \\|.*");

  private final ApplicationContextRunner runner =
      Contexts.runner()
          .withBean(Mailer.class)
          .withConfiguration(AutoConfigurations.of(MetricsAutoConfiguration.class))
          .withBean(SimpleMeterRegistry.class)
          .withPropertyValues("eventbus.retry.base-delay=1h", "eventbus.retry.max-delay=1h")
          .withPropertyValues("eventbus.metrics.ledger-max-age=1ns");

  private static double count(ApplicationContext context, EventBusMeter meter) {
    return registry(context).get(meter.meterName()).functionCounter().count();
  }

  private static double gauge(ApplicationContext context, EventBusMeter meter) {
    return registry(context).get(meter.meterName()).gauge().value();
  }

  private static MeterRegistry registry(ApplicationContext context) {
    return context.getBean(MeterRegistry.class);
  }

  private static Health health(ApplicationContext context) {
    return context.getBean(EventBusHealthIndicator.class).health();
  }

  @Test
  void whatTheNodeDoesShowsInTheMeters() {
    runner.run(
        context -> {
          Contexts.publish(context, "OrderPlaced");
          Eventually.await("done", () -> count(context, EventBusMeter.COMPLETED) == 1);
          context.getBean(Mailer.class).broken = true;
          Contexts.publish(context, "OrderPlaced");
          Eventually.await("failed", () -> count(context, EventBusMeter.RETRIED) == 1);
          Eventually.await("let go", () -> gauge(context, EventBusMeter.IN_FLIGHT) == 0);

          assertThat(count(context, EventBusMeter.PUBLISHED)).isEqualTo(2);
          assertThat(count(context, EventBusMeter.ACQUIRED)).isEqualTo(2);
          assertThat(count(context, EventBusMeter.FAILED)).isZero();
          assertThat(count(context, EventBusMeter.STALE)).isZero();
          assertThat(count(context, EventBusMeter.LAPSED)).isZero();
          var time = registry(context).get("eventbus.handler.time").functionTimer();
          assertThat(time.count()).isEqualTo(2);
          assertThat(time.totalTime(TimeUnit.NANOSECONDS)).isPositive();
        });
  }

  @Test
  void whatIsInTheTableShowsInTheMeters() {
    runner.run(
        context -> {
          Contexts.publishedBefore(context, "Unknown", 100);
          Contexts.publish(context, "Unknown");

          assertThat(gauge(context, EventBusMeter.DEPTH)).isEqualTo(2);
          assertThat(gauge(context, EventBusMeter.DUE)).isEqualTo(2);
          assertThat(gauge(context, EventBusMeter.UNHANDLED)).isEqualTo(2);
          assertThat(gauge(context, EventBusMeter.OLDEST_AGE)).isBetween(100.0, 160.0);
          assertThat(gauge(context, EventBusMeter.LAG)).as("not handled here").isZero();
        });
  }

  @Test
  void theBacklogIsCountedOnceInTheTimeSet() {
    runner
        .withPropertyValues("eventbus.metrics.ledger-max-age=1h")
        .run(
            context -> {
              assertThat(gauge(context, EventBusMeter.DEPTH)).isZero();
              Contexts.publish(context, "Unknown");

              assertThat(gauge(context, EventBusMeter.DEPTH)).isZero();
              assertThat(ledger(context, LedgerMeter.ACCEPTED)).isZero();
            });
  }

  private static double ledger(ApplicationContext context, LedgerMeter meter) {
    return registry(context)
        .get(meter.meterName())
        .tag("library", "eventbus")
        .functionCounter()
        .count();
  }

  @Test
  void theLedgerOfTheTablesIsMeteredToo() {
    runner.run(
        context -> {
          long id = Contexts.publish(context, "OrderPlaced");
          Eventually.await("done", () -> Contexts.logged(context, id).equals("COMPLETED"));

          assertThat(ledger(context, LedgerMeter.ACCEPTED)).isEqualTo(1);
          assertThat(ledger(context, LedgerMeter.DELIVERED)).isEqualTo(1);
          assertThat(
                  registry(context)
                      .get("holdfast.ledger.held")
                      .tag("place", "failed")
                      .gauge()
                      .value())
              .isZero();
        });
  }

  /** The names in the first column of the tables of meters in the room's page. */
  private static Set<String> documented() throws IOException {
    return Files.readAllLines(Path.of("../../docs/eventbus.md")).stream()
        .map(METER_ROW::matcher)
        .filter(Matcher::matches)
        .map(row -> row.group(1) + " " + row.group(2))
        .collect(Collectors.toSet());
  }

  @Test
  void theRegistryHasTheDocumentedMetersAndNoOthersOfTheBus() {
    runner.run(
        context ->
            assertThat(
                    registry(context).getMeters().stream()
                        .map(Meter::getId)
                        .map(id -> id.getName() + " " + kind(id))
                        .collect(Collectors.toSet()))
                .isEqualTo(documented())
                .hasSize(EventBusMeter.values().length + LedgerMeter.values().length));
  }

  private static String kind(Meter.Id id) {
    return id.getType().name().toLowerCase(Locale.ROOT);
  }

  @Test
  void withoutTheDatabaseGaugesShowNoNumberAndCountersStandStill() {
    runner.run(
        context -> {
          Contexts.publish(context, "Unknown");
          assertThat(ledger(context, LedgerMeter.ACCEPTED)).isEqualTo(1);
          Contexts.sql(context).execute("SHUTDOWN");

          assertThat(gauge(context, EventBusMeter.DEPTH)).isNaN();
          assertThat(gauge(context, EventBusMeter.LAG)).isNaN();
          assertThat(count(context, EventBusMeter.PUBLISHED)).isEqualTo(1);
          assertThat(ledger(context, LedgerMeter.ACCEPTED)).isEqualTo(1);
        });
  }

  @Test
  void healthIsUpWithNothingToDoAndWithAFailingHandlerAndWithUnknownTypes() {
    runner
        .withPropertyValues("eventbus.health.max-lag=0s")
        .run(
            context -> {
              assertThat(health(context).getStatus()).isEqualTo(Status.UP);

              context.getBean(Mailer.class).broken = true;
              long id = Contexts.publish(context, "OrderPlaced");
              Eventually.await("waits", () -> Contexts.column(context, id, "failures").equals("1"));
              Contexts.publishedBefore(context, "Unknown", 1_000);

              Health health = health(context);
              assertThat(health.getStatus()).isEqualTo(Status.UP);
              assertThat(health.getDetails())
                  .containsEntry("lag", "PT0S")
                  .containsEntry("backlog", 2L)
                  .containsEntry("due", 1L)
                  .containsEntry("unhandled", 1L)
                  .containsKey("oldest");
            });
  }

  /** The bus of a node that has stopped working although the application runs. */
  @Test
  void whileAllWorkersHangTheNodeIsOutOfServiceAndTheMeterShowsForHowLong() {
    SettableTime time = new SettableTime();
    CountDownLatch hangs = new CountDownLatch(1);
    CountDownLatch end = new CountDownLatch(1);
    runner
        .withPropertyValues("eventbus.workers=1")
        .withBean(
            EventBusCustomizer.class,
            () ->
                builder ->
                    builder
                        .timeSource(time)
                        .handler(
                            "Hangs",
                            event -> {
                              hangs.countDown();
                              end.await();
                            }))
        .run(
            context -> {
              Contexts.publish(context, "Hangs");
              hangs.await();
              assertThat(health(context).getStatus()).isEqualTo(Status.UP);

              time.advance(Duration.ofSeconds(61));

              assertThat(health(context).getStatus()).isEqualTo(Status.OUT_OF_SERVICE);
              assertThat(health(context).getDetails()).containsEntry("longestRunning", "PT1M1S");
              assertThat(gauge(context, EventBusMeter.OLDEST_IN_FLIGHT)).isEqualTo(61);

              end.countDown();
              Eventually.await(
                  "it has ended", () -> gauge(context, EventBusMeter.OLDEST_IN_FLIGHT) == 0);
              assertThat(health(context).getStatus()).isEqualTo(Status.UP);
              time.advance(Duration.ofSeconds(1));
            });
  }

  private static void stopWorkers(ApplicationContext context) {
    Contexts.bus(context).close();
  }

  @Test
  void healthIsDownWhenWhatIsDueWaitsForTooLong() {
    runner.run(
        context -> {
          stopWorkers(context);
          Contexts.publishedBefore(context, "OrderPlaced", 200);
          assertThat(health(context).getStatus()).isEqualTo(Status.UP);
          Contexts.publishedBefore(context, "OrderPlaced", 301);

          Health health = health(context);
          assertThat(health.getStatus()).isEqualTo(Status.DOWN);
          assertThat(health.getDetails())
              .containsEntry("maxLag", "PT5M")
              .containsEntry("backlog", 2L);
          assertThat(health.getDetails().get("lag")).asString().startsWith("PT5M");
          assertThat(gauge(context, EventBusMeter.LAG)).isBetween(301.0, 360.0);
        });
  }

  @Test
  void theThresholdOfHealthCanBeSet() {
    runner
        .withPropertyValues("eventbus.health.max-lag=1h")
        .run(
            context -> {
              stopWorkers(context);
              Contexts.publishedBefore(context, "OrderPlaced", 3_500);
              assertThat(health(context).getStatus()).isEqualTo(Status.UP);
              Contexts.publishedBefore(context, "OrderPlaced", 3_700);
              assertThat(health(context).getStatus()).isEqualTo(Status.DOWN);
            });
  }

  @Test
  void healthIsDownWithoutTheDatabase() {
    runner.run(
        context -> {
          Contexts.sql(context).execute("SHUTDOWN");

          Health health = health(context);
          assertThat(health.getStatus()).isEqualTo(Status.DOWN);
          assertThat(health.getDetails().get("error")).asString().contains("EventBusException");
        });
  }

  @Test
  void healthCanBeSwitchedOffAndANodeThatOnlyPublishesHasNone() {
    runner
        .withPropertyValues("management.health.eventbus.enabled=false")
        .run(context -> assertThat(context).doesNotHaveBean(EventBusHealthIndicator.class));
    runner
        .withPropertyValues("eventbus.publish-only=true")
        .run(context -> assertThat(context).doesNotHaveBean(EventBusHealthIndicator.class));
  }

  @Test
  void anEndpointThatIsNotExposedIsNotThere() {
    Contexts.runner().run(context -> assertThat(context).doesNotHaveBean(EventBusEndpoint.class));
    Contexts.runner()
        .withPropertyValues("management.endpoints.web.exposure.include=eventbus")
        .run(context -> assertThat(context).hasSingleBean(EventBusEndpoint.class));
  }
}
