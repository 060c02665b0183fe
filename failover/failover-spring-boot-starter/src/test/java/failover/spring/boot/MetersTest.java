package failover.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import failover.Failover;
import failover.observe.FailoverMeter;
import holdfast.testkit.threads.Eventually;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tag;
import java.sql.Connection;
import java.sql.Statement;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;
import org.springframework.boot.test.context.assertj.AssertableApplicationContext;

/** What a registry shows. */
class MetersTest {

  static class Second {
    @Failover(name = "second", domain = "others")
    public String ask() {
      return "answer";
    }
  }

  private static double counter(MeterRegistry registry, FailoverMeter meter, String... tags) {
    return registry.get(meter.meterName()).tags(tags).functionCounter().count();
  }

  private static double gauge(MeterRegistry registry, FailoverMeter meter, String... tags) {
    return registry.get(meter.meterName()).tags(tags).gauge().value();
  }

  private static void use(AssertableApplicationContext context) throws Exception {
    Shop shop = context.getBean(Shop.class);
    shop.price("a");
    shop.price("b");
    Contexts.target(context).goDown();
    shop.price("a");
    assertThatThrownBy(() -> shop.price("unknown")).hasMessage("down");
  }

  @Test
  void everyMeterShowsWhatHappened() {
    Contexts.meters()
        .run(
            context -> {
              use(context);
              MeterRegistry registry = context.getBean(MeterRegistry.class);
              assertThat(counter(registry, FailoverMeter.CALLS, "result", "success")).isEqualTo(2);
              assertThat(counter(registry, FailoverMeter.CALLS, "result", "failover")).isEqualTo(2);
              assertThat(counter(registry, FailoverMeter.USER_IMPACT, "impact", "unblocked"))
                  .isEqualTo(1);
              assertThat(counter(registry, FailoverMeter.USER_IMPACT, "impact", "blocked"))
                  .isEqualTo(1);
              assertThat(counter(registry, FailoverMeter.STORES, "stored", "true")).isEqualTo(2);
              assertThat(counter(registry, FailoverMeter.STORES, "stored", "false")).isZero();
              assertThat(counter(registry, FailoverMeter.RECOVERIES, "recovered", "true"))
                  .isEqualTo(1);
              assertThat(
                      counter(
                          registry,
                          FailoverMeter.RECOVERY_OUTCOMES,
                          "method",
                          "Shop#price",
                          "outcome",
                          "not_recovered"))
                  .isEqualTo(1);
              assertThat(
                      counter(
                          registry,
                          FailoverMeter.EXCEPTIONS,
                          "exception_type",
                          "IOException",
                          "cause_type",
                          "none",
                          "final_cause_type",
                          "none"))
                  .isEqualTo(2);
              assertThat(counter(registry, FailoverMeter.DROPPED_EVENTS)).isZero();
              assertThat(gauge(registry, FailoverMeter.HEALTH, "name", "price")).isEqualTo(0.75);
              assertThat(gauge(registry, FailoverMeter.STALE_RATIO, "name", "price"))
                  .isEqualTo(0.25);
              assertThat(gauge(registry, FailoverMeter.LIVE_ENTRIES, "name", "price")).isEqualTo(2);
              assertThat(gauge(registry, FailoverMeter.REGISTERED)).isEqualTo(1);
              assertThat(gauge(registry, FailoverMeter.EXPIRY, "unit", "HOURS")).isEqualTo(3_600);
              assertThat(
                      registry
                          .get(FailoverMeter.UPSTREAM_DURATION.meterName())
                          .tag("result", "success")
                          .timer()
                          .count())
                  .isEqualTo(2);
              assertThat(
                      registry
                          .get(FailoverMeter.OPERATION_DURATION.meterName())
                          .tag("action", "recover")
                          .timer()
                          .count())
                  .isEqualTo(2);
              // LedgerSnapshot are read again after a second.
              Eventually.await(
                  "the ledger is shown",
                  () ->
                      registry
                              .get("holdfast.ledger.delivered")
                              .tag("library", "failover")
                              .functionCounter()
                              .count()
                          == 3);
            });
  }

  @Test
  void writesBehindThatFailAreCounted() {
    Contexts.withDatabase(Contexts.meters())
        .withPropertyValues("failover.observable.instance.mode=never")
        .run(
            context -> {
              MeterRegistry registry = context.getBean(MeterRegistry.class);
              try (Connection connection = context.getBean(DataSource.class).getConnection();
                  Statement statement = connection.createStatement()) {
                statement.execute("drop table FAILOVER_STORE");
              }

              context.getBean(Shop.class).price("a");

              Eventually.await(
                  "a failed write is counted",
                  () -> registry.find(FailoverMeter.ASYNC_FAILURES.meterName()).meter() != null);
              assertThat(
                      counter(
                          registry,
                          FailoverMeter.ASYNC_FAILURES,
                          "name",
                          "price",
                          "operation",
                          "store",
                          "exception_type",
                          "FailoverStoreException"))
                  .isGreaterThanOrEqualTo(1);
            });
  }

  @Test
  void metersHaveTheTagsOfTheList() {
    Contexts.meters()
        .withPropertyValues("failover.observable.instance.mode=never")
        .run(
            context -> {
              use(context);
              MeterRegistry registry = context.getBean(MeterRegistry.class);
              Set<String> later =
                  Set.of("failover.recovery.partial.total", "failover.store.async.failed");
              for (FailoverMeter meter : FailoverMeter.values()) {
                List<Meter> found =
                    registry.getMeters().stream()
                        .filter(it -> it.getId().getName().equals(meter.meterName()))
                        .toList();
                if (!later.contains(meter.meterName())) {
                  assertThat(found).as(meter.meterName()).isNotEmpty();
                }
                assertThat(found)
                    .allSatisfy(
                        it ->
                            assertThat(
                                    it.getId().getTags().stream()
                                        .map(Tag::getKey)
                                        .collect(Collectors.toSet()))
                                .isEqualTo(Set.copyOf(meter.tags())));
              }
            });
  }

  @Test
  void theInstanceIsATagWhereItIsWanted() {
    Contexts.meters()
        .run(
            context ->
                assertThat(
                        context
                            .getBean(MeterRegistry.class)
                            .get(FailoverMeter.REGISTERED.meterName())
                            .gauge()
                            .getId()
                            .getTag("instance"))
                    .startsWith("shop:"));
    Contexts.meters()
        .withPropertyValues(
            "failover.observable.instance.mode=always", "failover.observable.instance.id=east-1")
        .run(
            context ->
                assertThat(
                        gauge(
                            context.getBean(MeterRegistry.class),
                            FailoverMeter.REGISTERED,
                            "instance",
                            "east-1"))
                    .isEqualTo(1));
  }

  @Test
  void pointsBeyondTheBoundHaveNoMeters() {
    for (String[] properties :
        new String[][] {
          {"failover.observable.cardinality.max-apis=1"},
          {
            "failover.observable.cardinality.max-apis=1",
            "failover.observable.cardinality.enabled=false"
          }
        }) {
      Contexts.meters()
          .withBean(Second.class)
          .withPropertyValues(properties)
          .run(
              context -> {
                MeterRegistry registry = context.getBean(MeterRegistry.class);
                assertThat(gauge(registry, FailoverMeter.REGISTERED)).isEqualTo(2);
                assertThat(registry.find(FailoverMeter.HEALTH.meterName()).gauges())
                    .as(Arrays.toString(properties))
                    .hasSize(properties.length);
              });
    }
  }
}
