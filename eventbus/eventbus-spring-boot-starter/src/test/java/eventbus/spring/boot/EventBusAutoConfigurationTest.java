package eventbus.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;

import eventbus.CurrentTransaction;
import eventbus.Event;
import eventbus.EventBus;
import eventbus.EventBusLifecycleListener;
import eventbus.RetryPolicy;
import eventbus.spring.SpringTransaction;
import holdfast.spring.LibraryLifecycle;
import holdfast.testkit.threads.Eventually;
import java.time.Duration;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.annotation.Order;

class EventBusAutoConfigurationTest {

  @Configuration
  static class OwnBus {
    @Bean
    EventBus myBus(DataSource dataSource) {
      return EventBus.builder(dataSource).createTables().build();
    }
  }

  @Test
  void aDataSourceIsEnough() {
    Contexts.runner()
        .run(
            context -> {
              assertThat(context).hasSingleBean(EventBus.class);
              assertThat(context).hasSingleBean(SpringTransaction.class);
              assertThat(context.getBean("eventBusLifecycle", LibraryLifecycle.class).isRunning())
                  .isTrue();
              assertThat(Contexts.rows(context, "events")).isZero();
              assertThat(Contexts.rows(context, "event_log")).isZero();
            });
  }

  @Test
  void enabledFalseLeavesNothing() {
    Contexts.runner()
        .withPropertyValues("eventbus.enabled=false")
        .run(
            context -> {
              assertThat(context).hasNotFailed().doesNotHaveBean(EventBus.class);
              assertThat(context).doesNotHaveBean(EventBusHealthIndicator.class);
              assertThat(context).doesNotHaveBean(SpringTransaction.class);
            });
  }

  @Test
  void withoutMicrometerAndActuatorTheBusWorks() {
    Contexts.runner()
        .withBean(Desk.class)
        .withClassLoader(
            new FilteredClassLoader(
                "io.micrometer",
                "org.springframework.boot.actuate",
                "org.springframework.boot.health"))
        .run(
            context -> {
              assertThat(context).hasNotFailed();
              assertThat(context).doesNotHaveBean("eventbusHealthIndicator");
              assertThat(context).doesNotHaveBean("eventBusEndpoint");
              assertThat(context).doesNotHaveBean("eventBusMeters");
              Contexts.publish(context, "Taken");
              Eventually.await("taken", () -> context.getBean(Desk.class).taken() == 1);
            });
  }

  @Test
  void theApplicationsOwnBusWinsAndGetsTheHandlers() {
    Contexts.runner()
        .withUserConfiguration(OwnBus.class)
        .withBean(Desk.class)
        .run(
            context -> {
              assertThat(context).hasSingleBean(EventBus.class).hasBean("myBus");
              Contexts.publish(context, "Taken");
              Eventually.await("taken", () -> context.getBean(Desk.class).taken() == 1);
            });
  }

  @Test
  void theApplicationsOwnPartsWin() {
    Contexts.runner()
        .withBean(CurrentTransaction.class, () -> CurrentTransaction.NONE)
        .withBean(RetryPolicy.class, () -> RetryPolicy.FAIL_FAST)
        .withBean(Desk.class)
        .run(
            context -> {
              assertThat(context).doesNotHaveBean(SpringTransaction.class);
              long id = Contexts.publish(context, "Fails");
              Eventually.await("failed", () -> Contexts.logged(context, id).equals("FAILED"));
              assertThat(Contexts.bus(context).counts().retried()).isZero();
            });
  }

  @Test
  void aCustomizerHasTheLastWord() {
    Contexts.runner()
        .withBean(EventBusCustomizer.class, () -> builder -> builder.tables("customized", "closed"))
        .withPropertyValues("eventbus.events-table=ignored")
        .run(
            context -> {
              assertThat(Contexts.rows(context, "customized")).isZero();
              assertThat(Contexts.rows(context, "closed")).isZero();
            });
  }

  /** Remembers what it is told. */
  static class Told implements EventBusLifecycleListener {
    final Queue<String> told = new ConcurrentLinkedQueue<>();

    @Override
    public void onCompleted(Event event, Duration handling) {
      told.add("completed " + event.type());
    }

    @Override
    public void onRetry(Event event, Duration delay, String error) {
      told.add("retry " + event.type());
    }

    @Override
    public void onFailed(long id, String type, String error) {
      told.add("failed " + type);
    }
  }

  @Order(1)
  static class Throws implements EventBusLifecycleListener {
    @Override
    public void onCompleted(Event event, Duration handling) {
      throw new IllegalStateException("a listener that throws");
    }
  }

  @Test
  void everyListenerAmongTheBeansIsToldWhateverTheOthersDo() {
    Contexts.runner()
        .withBean(Throws.class)
        .withBean("one", Told.class)
        .withBean("other", Told.class)
        .withBean(Desk.class)
        .withPropertyValues("eventbus.retry.max-attempts=2", "eventbus.retry.base-delay=1ms")
        .run(
            context -> {
              Contexts.publish(context, "Taken");
              Contexts.publish(context, "Fails");
              for (Told listener : context.getBeansOfType(Told.class).values()) {
                Eventually.await("told", () -> listener.told.size() == 3);
                assertThat(listener.told)
                    .containsExactlyInAnyOrder("completed Taken", "retry Fails", "failed Fails");
              }
            });
  }

  @Test
  void aMissingTableFailsTheStartWithTheWaysOut() {
    for (String node : new String[] {"eventbus.publish-only=false", "eventbus.publish-only=true"}) {
      Contexts.runner()
          .withPropertyValues("eventbus.initialize-schema=never", node)
          .run(
              context ->
                  assertThat(context.getStartupFailure())
                      .hasMessageContaining("table events must exist but was not found")
                      .hasMessageContaining("eventbus.initialize-schema=always")
                      .hasMessageContaining("eventbus/schema"));
    }
  }

  @Test
  void tablesAreCreatedAlwaysIfToldSo() {
    Contexts.runner()
        .withPropertyValues(
            "eventbus.initialize-schema=always",
            "eventbus.events-table=another",
            "eventbus.log-table=another_log")
        .run(
            context -> {
              assertThat(Contexts.rows(context, "another")).isZero();
              assertThat(Contexts.rows(context, "another_log")).isZero();
            });
  }
}
