package failover.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import failover.Failover;
import failover.FailoverSpec;
import failover.Failovers;
import failover.Source;
import failover.observe.internal.FailoverMeter;
import failover.store.FailoverStore;
import failover.store.FailoverStore.DropReason;
import failover.store.FailoverStore.FailoverStoreSizeAware;
import failover.store.FailoverStoreException;
import failover.store.InMemoryFailoverStore;
import holdfast.testkit.threads.Eventually;
import io.micrometer.core.instrument.FunctionTimer;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tag;
import io.micrometer.core.instrument.Timer;
import java.io.IOException;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Proxy;
import java.net.ConnectException;
import java.net.SocketTimeoutException;
import java.sql.Connection;
import java.sql.Statement;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
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

  private static long series(MeterRegistry registry, String point) {
    return registry.getMeters().stream()
        .filter(meter -> point.equals(meter.getId().getTag("name")))
        .mapToLong(MetersTest::series)
        .sum();
  }

  /** As Prometheus counts them: three for a timer, and one for each percentile and bucket. */
  private static long series(Meter meter) {
    if (meter instanceof FunctionTimer) {
      return 2; // how many and how long
    }
    return meter instanceof Timer timer
        ? 3
            + timer.takeSnapshot().histogramCounts().length
            + timer.takeSnapshot().percentileValues().length
        : 1;
  }

  /** Failures of more kinds than are told apart. */
  private static final List<Exception> KINDS =
      List.of(
          new ConnectException(),
          new SocketTimeoutException(),
          new IOException(new ConnectException()),
          new IOException(new ArithmeticException()),
          new IOException(new ClassCastException()),
          new IOException(new IllegalStateException()),
          new IOException(new NullPointerException()),
          new IOException(new UnsupportedOperationException()));

  /** A store in memory whose reads fail while it is told to fail. */
  private static FailoverStore store(AtomicBoolean isDown) {
    InMemoryFailoverStore memory = new InMemoryFailoverStore();
    InvocationHandler calls =
        (proxy, method, args) -> {
          if (isDown.get() && method.getName().startsWith("find")) {
            throw new FailoverStoreException("told to fail", null);
          }
          return method.invoke(memory, args);
        };
    return (FailoverStore)
        Proxy.newProxyInstance(
            MetersTest.class.getClassLoader(),
            new Class<?>[] {FailoverStoreSizeAware.class, FailoverStore.class},
            calls);
  }

  private static void call(
      Failovers failovers, FailoverSpec<String> spec, Source<String, ?> source) {
    try {
      failovers.call(spec, List.of("a"), source);
    } catch (Throwable e) {
      assertThat(e).isInstanceOf(Exception.class);
    }
  }

  /**
   * All that an outage brings: failures of many kinds, a pause, late answers, and the end of it.
   */
  private static void outage(AssertableApplicationContext context, AtomicBoolean storeIsDown) {
    Failovers failovers = context.getBean(Failovers.class);
    FailoverSpec<String> spec =
        FailoverSpec.builder("broken", String.class)
            .softTimeout(Duration.ofMillis(200))
            .hardTimeout(Duration.ofSeconds(1))
            .pause(Duration.ofMillis(1), Duration.ofMillis(1))
            .build();
    CountDownLatch late = new CountDownLatch(1);
    Source<String, Exception> hung =
        () -> {
          Eventually.await("it is let go", () -> late.getCount() == 0);
          return "late";
        };
    call(failovers, spec, hung); // nothing is stored yet
    call(failovers, spec, () -> "stored");
    call(failovers, spec, hung);
    for (int i = 0; i < 2; i++) {
      for (Exception kind : KINDS) {
        call(
            failovers,
            spec,
            () -> {
              throw kind;
            });
      }
      storeIsDown.set(true); // recovering fails as well
    }
    storeIsDown.set(false);
    late.countDown();
    Eventually.await(
        "late answers are stored", () -> failovers.counts().get("broken").stored() >= 3);
    Eventually.await(
        "the source is asked again",
        () -> "live".equals(failovers.call(spec, List.of("b"), () -> "live")));
  }

  @Test
  void inAnOutageAPointHasFewerThanThirtySeries() {
    AtomicBoolean storeIsDown = new AtomicBoolean();
    Contexts.meters()
        .withBean(FailoverStore.class, () -> store(storeIsDown))
        .withPropertyValues("failover.store.type=custom")
        .run(
            context -> {
              MeterRegistry registry = context.getBean(MeterRegistry.class);
              outage(context, storeIsDown);
              FailoverMeters listener = context.getBean(FailoverMeters.class);
              for (DropReason reason : DropReason.values()) {
                listener.writeFailed("broken", "store", reason.code());
                listener.writeFailed("broken", "delete", reason.code());
                listener.writeFailed("unknown", "store", reason.code());
              }
              assertThat(registry.find(FailoverMeter.EXCEPTIONS.meterName()).meters()).hasSize(5);
              assertThat(registry.find(FailoverMeter.RECOVERY_OUTCOMES.meterName()).meters())
                  .hasSize(3);
              assertThat(registry.find(FailoverMeter.ASYNC_FAILURES.meterName()).meters())
                  .hasSize(3);
              assertThat(
                      counter(
                          registry,
                          FailoverMeter.ASYNC_FAILURES,
                          "operation",
                          "others",
                          "exception_type",
                          "others"))
                  .isEqualTo(2 * DropReason.values().length - 2);
              assertThat(counter(registry, FailoverMeter.EXCEPTIONS, "exception_type", "others"))
                  .isPositive();
              assertThat(series(registry, "broken")).isEqualTo(29);
            });
  }

  @Test
  void aPointHasFewSeriesUnlessHistogramsAreAskedFor() {
    Contexts.meters()
        .run(
            context -> {
              use(context);
              assertThat(series(context.getBean(MeterRegistry.class), "price")).isBetween(10L, 24L);
            });
    Contexts.meters()
        .withPropertyValues("failover.observable.histograms=true")
        .run(
            context -> {
              use(context);
              assertThat(series(context.getBean(MeterRegistry.class), "price")).isGreaterThan(29);
            });
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
              assertThat(counter(registry, FailoverMeter.RECOVERY_OUTCOMES, "outcome", "recovered"))
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
                          .functionTimer()
                          .count())
                  .isEqualTo(2);
              assertThat(
                      registry
                          .get(FailoverMeter.OPERATION_DURATION.meterName())
                          .tag("action", "recover")
                          .functionTimer()
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
