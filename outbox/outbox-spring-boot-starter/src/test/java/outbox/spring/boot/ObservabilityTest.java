package outbox.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;

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
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.health.contributor.Status;
import org.springframework.boot.micrometer.metrics.autoconfigure.MetricsAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ApplicationContext;
import org.springframework.jdbc.core.JdbcTemplate;
import outbox.EventEnvelope;
import outbox.OutboxLifecycleListener;

/** What operators see: meters, health and the endpoint. */
class ObservabilityTest {

  static class Mailer {
    private volatile boolean broken;
    private volatile boolean running;
    private volatile CountDownLatch held = new CountDownLatch(0);

    @OutboxListener("OrderPlaced")
    void mail(EventEnvelope event) throws InterruptedException {
      running = true;
      held.await(30, TimeUnit.SECONDS);
      if (broken) {
        throw new IllegalStateException("the mail server is down");
      }
    }
  }

  private static final Pattern METER_ROW =
      Pattern.compile("\\| `((?:outbox|holdfast)\\.[a-z.]+)` \\| (counter|gauge|timer) \\|.*");

  private final ApplicationContextRunner runner =
      Contexts.runner()
          .withBean(Mailer.class)
          .withConfiguration(AutoConfigurations.of(MetricsAutoConfiguration.class))
          .withBean(SimpleMeterRegistry.class)
          .withPropertyValues("management.endpoints.web.exposure.include=outbox")
          .withPropertyValues("outbox.retry-base-delay=3600000ms")
          .withPropertyValues("outbox.retry-max-delay=3600000ms");

  private static double count(MeterRegistry registry, OutboxMeter meter) {
    return registry.get(meter.meterName()).functionCounter().count();
  }

  @Test
  void aDeliveryShowsInTheMeters() {
    runner.run(
        context -> {
          MeterRegistry registry = context.getBean(MeterRegistry.class);
          Contexts.publish(context, "OrderPlaced", "{}");
          Eventually.await("done", () -> count(registry, OutboxMeter.DISPATCH_SUCCESS) == 1);

          assertThat(count(registry, OutboxMeter.HOT_ENQUEUED)).isEqualTo(1);
          assertThat(count(registry, OutboxMeter.DISPATCH_FAILURE)).isZero();
          assertThat(registry.get("outbox.dispatch.time").timer().count()).isEqualTo(1);
          assertThat(registry.get("outbox.hot.depth").gauge().value()).isZero();
        });
  }

  @Test
  void theLagIsInSeconds() {
    runner
        .withPropertyValues("outbox.poller-enabled=false")
        .run(
            context -> {
              context.getBean(OutboxCounters.class).recordOldestLagMs(1_500);
              assertThat(
                      context.getBean(MeterRegistry.class).get("outbox.oldest.lag").gauge().value())
                  .isEqualTo(1.5);
            });
  }

  /** The names in the first column of the tables of meters in the room's page. */
  private static Set<String> documented() throws IOException {
    return Files.readAllLines(Path.of("../../docs/outbox.md")).stream()
        .map(METER_ROW::matcher)
        .filter(Matcher::matches)
        .map(row -> row.group(1) + " " + row.group(2))
        .collect(Collectors.toSet());
  }

  @Test
  void theRegistryHasTheDocumentedMetersAndNoOthersOfTheOutbox() {
    runner.run(
        context ->
            assertThat(
                    context.getBean(MeterRegistry.class).getMeters().stream()
                        .map(Meter::getId)
                        .map(id -> id.getName() + " " + kind(id))
                        .collect(Collectors.toSet()))
                .isEqualTo(documented())
                .hasSize(OutboxMeter.values().length + LedgerMeter.values().length));
  }

  private static String kind(Meter.Id id) {
    return id.getType().name().toLowerCase(Locale.ROOT);
  }

  @Test
  void theLedgerOfTheTableIsMeteredToo() {
    runner
        .withPropertyValues("outbox.metrics.ledger-max-age=1ns")
        .run(
            context -> {
              MeterRegistry registry = context.getBean(MeterRegistry.class);
              String id = Contexts.publish(context, "OrderPlaced", "{}");
              Eventually.await("done", () -> Contexts.status(context, id) == 1);

              assertThat(ledger(registry, LedgerMeter.ACCEPTED)).isEqualTo(1);
              assertThat(ledger(registry, LedgerMeter.DELIVERED)).isEqualTo(1);
              assertThat(registry.get("holdfast.ledger.held").tag("place", "dead").gauge().value())
                  .isZero();
            });
  }

  @Test
  void theLedgerIsReadOnceInTheTimeSet() {
    runner
        .withPropertyValues("outbox.metrics.ledger-max-age=1h")
        .run(
            context -> {
              MeterRegistry registry = context.getBean(MeterRegistry.class);
              assertThat(ledger(registry, LedgerMeter.ACCEPTED)).isZero();
              Contexts.insertRow(context, "OrderPlaced");

              assertThat(ledger(registry, LedgerMeter.ACCEPTED)).isZero();
            });
  }

  private static double ledger(MeterRegistry registry, LedgerMeter meter) {
    return registry.get(meter.meterName()).tag("library", "outbox").functionCounter().count();
  }

  @Test
  void depthsAreThoseOfNowAlsoWhileAllWorkersAreBusy() {
    runner
        .withPropertyValues("outbox.workers=1")
        .run(
            context -> {
              MeterRegistry registry = context.getBean(MeterRegistry.class);
              Mailer mailer = context.getBean(Mailer.class);
              mailer.held = new CountDownLatch(1);
              Contexts.publish(context, "OrderPlaced", "{}");
              Eventually.await("running", () -> mailer.running);
              Contexts.publish(context, "OrderPlaced", "{}");
              Contexts.publish(context, "OrderPlaced", "{}");

              assertThat(registry.get("outbox.hot.depth").gauge().value()).isEqualTo(2);
              mailer.held.countDown();
            });
  }

  @Test
  void healthIsUpWithNothingToDoAndWithAFailingListener() {
    runner
        .withPropertyValues("outbox.health.max-backlog-age=0s")
        .run(
            context -> {
              OutboxHealthIndicator health = context.getBean(OutboxHealthIndicator.class);
              assertThat(health.health().getStatus()).isEqualTo(Status.UP);

              context.getBean(Mailer.class).broken = true;
              String id = Contexts.publish(context, "OrderPlaced", "{}");
              Eventually.await("retry", () -> Contexts.status(context, id) == 2);

              assertThat(health.health().getStatus()).isEqualTo(Status.UP);
            });
  }

  /** The outbox of a node that has stopped working although the application runs. */
  @Test
  void whileAllWorkersHangTheNodeIsOutOfServiceAndTheMeterShowsForHowLong() {
    SettableTime time = new SettableTime();
    runner
        .withPropertyValues("outbox.workers=1", "outbox.poller-enabled=false")
        .withBean(OutboxCustomizer.class, () -> builder -> builder.timeSource(time))
        .run(
            context -> {
              OutboxHealthIndicator health = context.getBean(OutboxHealthIndicator.class);
              Mailer mailer = context.getBean(Mailer.class);
              mailer.held = new CountDownLatch(1);
              Contexts.publish(context, "OrderPlaced", "{}");
              Eventually.await("its worker is held", () -> mailer.running);
              assertThat(health.health().getStatus()).isEqualTo(Status.UP);

              time.advance(Duration.ofSeconds(61));

              assertThat(health.health().getStatus()).isEqualTo(Status.OUT_OF_SERVICE);
              assertThat(health.health().getDetails()).containsEntry("longestRunning", "PT1M1S");
              assertThat(oldestInFlight(context)).isEqualTo(61);

              mailer.held.countDown();
              Eventually.await("it has ended", () -> oldestInFlight(context) == 0);
              assertThat(health.health().getStatus()).isEqualTo(Status.UP);
              time.advance(Duration.ofSeconds(1)); // ends what waits on this clock
            });
  }

  private static double oldestInFlight(ApplicationContext context) {
    return context
        .getBean(MeterRegistry.class)
        .get(OutboxMeter.OLDEST_IN_FLIGHT.meterName())
        .gauge()
        .value();
  }

  @Test
  void healthIsDownWhenWhatIsDueIsInNobodysHandsForTooLong() {
    runner
        .withPropertyValues("outbox.poller-enabled=false")
        .run(
            context -> {
              Contexts.insertRow(context, "OrderPlaced");

              var health = context.getBean(OutboxHealthIndicator.class).health();
              assertThat(health.getStatus()).isEqualTo(Status.DOWN);
              assertThat(health.getDetails())
                  .containsEntry("maxBacklogAge", "PT5M")
                  .containsKey("backlogAge");
            });
  }

  @Test
  void healthIsDownWithoutTheDatabase() {
    runner.run(
        context -> {
          context.getBean(JdbcTemplate.class).execute("SHUTDOWN");

          var health = context.getBean(OutboxHealthIndicator.class).health();
          assertThat(health.getStatus()).isEqualTo(Status.DOWN);
          assertThat(health.getDetails().get("error")).asString().contains("OutboxException");
        });
  }

  static class Told implements OutboxLifecycleListener {
    final Queue<String> told = new ConcurrentLinkedQueue<>();

    @Override
    public void onDelivered(EventEnvelope event) {
      told.add("delivered " + event.eventType());
    }
  }

  static class Throws implements OutboxLifecycleListener {
    @Override
    public void onDelivered(EventEnvelope event) {
      throw new IllegalStateException("a listener that throws");
    }
  }

  @Test
  void everyLifecycleListenerAmongTheBeansIsCalledWhateverTheOthersThrow() {
    runner
        .withBean(Throws.class)
        .withBean("one", Told.class)
        .withBean("other", Told.class)
        .run(
            context -> {
              Contexts.publish(context, "OrderPlaced", "{}");
              for (Told listener : context.getBeansOfType(Told.class).values()) {
                Eventually.await("told", () -> !listener.told.isEmpty());
                assertThat(listener.told).containsExactly("delivered OrderPlaced");
              }
            });
  }

  @Test
  void healthNamesTheTypesNobodyListensTo() {
    runner.run(
        context -> {
          OutboxHealthIndicator health = context.getBean(OutboxHealthIndicator.class);
          assertThat(health.health().getDetails()).doesNotContainKey("unhandledTypes");
          Contexts.publish(context, "OrderLost", "{}");
          MeterRegistry registry = context.getBean(MeterRegistry.class);
          Eventually.await("released", () -> count(registry, OutboxMeter.UNHANDLED) == 1);
          Eventually.await(
              "named", () -> health.health().getDetails().containsKey("unhandledTypes"));
          assertThat(health.health().getStatus()).isEqualTo(Status.UP);
          assertThat(health.health().getDetails().get("unhandledTypes").toString())
              .isEqualTo("[OrderLost]");
        });
  }

  @Test
  void healthLooksIntoTheTableTheOutboxHas() {
    runner
        .withPropertyValues("outbox.poller-enabled=false")
        .withBean(OutboxCustomizer.class, () -> builder -> builder.table("customized"))
        .run(
            context -> {
              Contexts.insertRow(context, "customized", "OrderPlaced", Contexts.LONG_AGO);

              assertThat(context.getBean(OutboxHealthIndicator.class).health().getStatus())
                  .isEqualTo(Status.DOWN);
            });
  }

  @Test
  void theThresholdOfHealthCanBeSet() {
    runner
        .withPropertyValues("outbox.poller-enabled=false", "outbox.health.max-backlog-age=36500d")
        .run(
            context -> {
              Contexts.insertRow(context, "OrderPlaced");

              assertThat(context.getBean(OutboxHealthIndicator.class).health().getStatus())
                  .isEqualTo(Status.UP);
            });
  }

  @Test
  void healthCanBeSwitchedOffAndANodeThatOnlyPublishesHasNone() {
    runner
        .withPropertyValues("management.health.outbox.enabled=false")
        .run(context -> assertThat(context).doesNotHaveBean(OutboxHealthIndicator.class));
    runner
        .withPropertyValues("outbox.publish-only=true")
        .run(context -> assertThat(context).doesNotHaveBean(OutboxHealthIndicator.class));
  }

  @Test
  void anEndpointThatIsNotExposedIsNotThere() {
    Contexts.runner().run(context -> assertThat(context).doesNotHaveBean(OutboxEndpoint.class));
  }
}
