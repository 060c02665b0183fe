package outbox.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.springframework.boot.health.contributor.Status;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import outbox.EventEnvelope;

/** What operators see: meters, health and the endpoint. */
class ObservabilityTest {

  static class Mailer {
    private volatile boolean broken;

    @OutboxListener("OrderPlaced")
    void mail(EventEnvelope event) {
      if (broken) {
        throw new IllegalStateException("the mail server is down");
      }
    }
  }

  private final ApplicationContextRunner runner =
      Contexts.runner()
          .withBean(Mailer.class)
          .withBean(SimpleMeterRegistry.class)
          .withPropertyValues("management.endpoints.web.exposure.include=outbox")
          .withPropertyValues("outbox.retry-base-delay-ms=3600000")
          .withPropertyValues("outbox.retry-max-delay-ms=3600000");

  private static double count(MeterRegistry registry, OutboxMeter meter) {
    return registry.get(meter.meterName()).functionCounter().count();
  }

  @Test
  void aDeliveryShowsInTheMeters() {
    runner.run(
        context -> {
          MeterRegistry registry = context.getBean(MeterRegistry.class);
          Contexts.publish(context, "OrderPlaced", "{}");
          Contexts.await("done", () -> count(registry, OutboxMeter.DISPATCH_SUCCESS) == 1);

          assertThat(count(registry, OutboxMeter.HOT_ENQUEUED)).isEqualTo(1);
          assertThat(count(registry, OutboxMeter.DISPATCH_FAILURE)).isZero();
          assertThat(registry.get("outbox.dispatch.time").timer().count()).isEqualTo(1);
          assertThat(registry.get("outbox.hot.depth").gauge().value()).isZero();
        });
  }

  @Test
  void theRegistryHasTheListedMetersAndNoOthersOfTheOutbox() {
    runner.run(
        context ->
            assertThat(context.getBean(MeterRegistry.class).getMeters())
                .extracting(Meter::getId)
                .extracting(Meter.Id::getName)
                .containsExactlyInAnyOrderElementsOf(
                    Stream.of(OutboxMeter.values()).map(OutboxMeter::meterName).toList()));
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
              Contexts.await("retry", () -> Contexts.status(context, id) == 2);

              assertThat(health.health().getStatus()).isEqualTo(Status.UP);
            });
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
  void theThresholdOfHealthCanBeSet() {
    runner
        .withPropertyValues("outbox.poller-enabled=false", "outbox.health.max-backlog-age=100000d")
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
  void theEndpointShowsThisNodesNumbers() {
    runner.run(
        context -> {
          OutboxEndpoint endpoint = context.getBean(OutboxEndpoint.class);
          String id = Contexts.publish(context, "OrderPlaced", "{}");
          Contexts.await("done", () -> Contexts.status(context, id) == 1);
          Contexts.await("nothing in hand", () -> endpoint.numbers().get("inHand").equals(0));

          assertThat(endpoint.numbers())
              .containsEntry("queues", Map.of("hot", 0L, "cold", 0L))
              .containsEntry("backlogAge", "PT0S")
              .containsEntry("types", java.util.List.of("OrderPlaced"));
          assertThat(endpoint.numbers().get("counts"))
              .asInstanceOf(org.assertj.core.api.InstanceOfAssertFactories.MAP)
              .containsEntry("outbox.dispatch.success", 1L);
        });
  }

  @Test
  void anEndpointThatIsNotExposedIsNotThere() {
    Contexts.runner().run(context -> assertThat(context).doesNotHaveBean(OutboxEndpoint.class));
  }
}
