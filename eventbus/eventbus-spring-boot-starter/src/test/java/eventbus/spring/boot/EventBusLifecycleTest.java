package eventbus.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import eventbus.Event;
import eventbus.EventBus;
import eventbus.spring.EventBusHandler;
import holdfast.spring.LibraryLifecycle;
import holdfast.testkit.threads.Eventually;
import holdfast.testkit.threads.Inbox;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.event.ContextClosedEvent;
import org.springframework.jdbc.core.JdbcTemplate;

/** A whole application from start to stop. */
@Timeout(120)
class EventBusLifecycleTest {

  static class Slow {
    private final CountDownLatch started = new CountDownLatch(1);
    private final CountDownLatch mayEnd = new CountDownLatch(1);
    private final JdbcTemplate sql;

    Slow(JdbcTemplate sql) {
      this.sql = sql;
    }

    @EventBusHandler("Quick")
    void quick(Event event) {}

    @EventBusHandler("Slow")
    void take(Event event) throws InterruptedException {
      started.countDown();
      mayEnd.await(30, TimeUnit.SECONDS);
      sql.update("INSERT INTO ended VALUES (?)", event.id());
    }
  }

  static class Found {
    private final Inbox inbox;

    Found(Inbox inbox) {
      this.inbox = inbox;
    }

    @EventBusHandler("Found")
    void take(Event event) {
      inbox.take(String.valueOf(event.id()));
    }
  }

  @Configuration
  @EnableAutoConfiguration
  static class App {
    @Bean
    Slow slow(JdbcTemplate sql) {
      return new Slow(sql);
    }

    @Bean
    Inbox inbox() {
      return new Inbox();
    }

    @Bean
    Found found(Inbox inbox) {
      return new Found(inbox);
    }
  }

  private final String database = "lifecycle-" + UUID.randomUUID();

  private ConfigurableApplicationContext start(String... more) {
    List<String> properties = new ArrayList<>(List.of(more));
    properties.add("spring.datasource.url=jdbc:h2:mem:" + database + ";DB_CLOSE_DELAY=-1");
    properties.add("eventbus.initialize-schema=always");
    return new SpringApplicationBuilder(App.class)
        .web(WebApplicationType.NONE)
        .properties(properties.toArray(String[]::new))
        .run();
  }

  /** Starts an application whose one worker is busy. */
  private ConfigurableApplicationContext startBusy(String... more) {
    List<String> properties = new ArrayList<>(List.of(more));
    properties.add("eventbus.workers=1");
    ConfigurableApplicationContext context = start(properties.toArray(String[]::new));
    context.getBean(JdbcTemplate.class).execute("CREATE TABLE ended (id BIGINT)");
    return context;
  }

  private static long runSlow(ConfigurableApplicationContext context) throws Exception {
    long id = Contexts.publish(context, "Slow");
    assertThat(context.getBean(Slow.class).started.await(30, TimeUnit.SECONDS)).isTrue();
    return id;
  }

  @Test
  void anApplicationWorksOnWhatItFindsWhenItStartsAndOneThatOnlyPublishesDoesNot()
      throws Exception {
    try (ConfigurableApplicationContext first = start("eventbus.publish-only=true")) {
      long id = Contexts.publish(first, "Found");

      try (ConfigurableApplicationContext second = start()) {
        assertThat(second.getBean(Inbox.class).next()).isEqualTo(String.valueOf(id));
      }
      assertThat(first.getBean(Inbox.class).all()).isEmpty();
    }
  }

  @Test
  void handlersAreFoundWhereEveryBeanIsLazy() throws Exception {
    try (ConfigurableApplicationContext context = start("spring.main.lazy-initialization=true")) {
      long id = Contexts.publish(context, "Found");

      assertThat(context.getBean(Inbox.class).next()).isEqualTo(String.valueOf(id));
    }
  }

  @Test
  void stoppingWaitsForTheHandlerThatRunsAndItsDatabaseIsStillThere() throws Exception {
    ConfigurableApplicationContext context = startBusy();
    long id = runSlow(context);
    Slow slow = context.getBean(Slow.class);
    context.addApplicationListener(
        event -> {
          if (event instanceof ContextClosedEvent) {
            slow.mayEnd.countDown();
          }
        });

    context.close();

    try (ConfigurableApplicationContext next = start("eventbus.publish-only=true")) {
      assertThat(Contexts.sql(next).queryForList("SELECT id FROM ended", Long.class))
          .containsExactly(id);
      assertThat(Contexts.logged(next, id)).isEqualTo("COMPLETED");
    }
  }

  @Test
  void stoppingReleasesAtOnceWhatWaitsForAWorkerAndItIsNoFailure() throws Exception {
    ConfigurableApplicationContext context = startBusy("eventbus.close-timeout=60s");
    EventBus bus = context.getBean(EventBus.class);
    bus.publishAll(Collections.nCopies(20, Event.of("Quick", "{}"))); // so it claims ahead
    Eventually.await("quick", () -> bus.counts().completed() == 20);
    long running = runSlow(context);
    Slow slow = context.getBean(Slow.class);
    bus.publishAll(Collections.nCopies(3, Event.of("Slow", "{}")));
    Eventually.await("one is in the queue", () -> bus.inFlight() > 1);

    ExecutorService closing = Executors.newSingleThreadExecutor();
    try (ConfigurableApplicationContext next = start("eventbus.publish-only=true")) {
      Future<?> closed = closing.submit(context::close);
      Eventually.await(
          "released while the other runs",
          () -> Contexts.rows(next, "events WHERE claimed_by IS NULL") == 3);
      slow.mayEnd.countDown();
      closed.get(60, TimeUnit.SECONDS);

      assertThat(
              Contexts.sql(next)
                  .queryForList(
                      "SELECT CONCAT(status, ' ', failures, ' ', lapses) FROM events",
                      String.class))
          .containsExactly("PENDING 0 0", "PENDING 0 0", "PENDING 0 0");
      assertThat(Contexts.bus(next).backlog().due()).as("due now").isEqualTo(3);
      assertThat(Contexts.logged(next, running)).isEqualTo("COMPLETED");
    } finally {
      closing.shutdownNow();
    }
  }

  @Test
  void theCloseTimeoutEndsTheWaitingForAHandlerThatHangs() throws Exception {
    ConfigurableApplicationContext context = startBusy("eventbus.close-timeout=50ms");
    runSlow(context);
    long before = System.nanoTime();

    context.close();

    assertThat(TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - before)).isLessThan(20);
  }

  @Test
  void itStopsAfterTheWebServerAndIsNotPausedButCannotBeStartedAgain() {
    try (ConfigurableApplicationContext context = start()) {
      LibraryLifecycle lifecycle = context.getBean("eventBusLifecycle", LibraryLifecycle.class);

      assertThat(lifecycle.getPhase()).isLessThan(Integer.MAX_VALUE - 2048);
      assertThat(lifecycle.isPauseable()).isFalse();
      lifecycle.stop();
      assertThat(lifecycle.isRunning()).isFalse();
      assertThatIllegalStateException()
          .isThrownBy(lifecycle::start)
          .withMessageContaining("make a new one");
    }
  }

  @Test
  void anEventCanStillBePublishedWhileTheApplicationStops() {
    ConfigurableApplicationContext context = start("eventbus.publish-only=false");
    EventBus bus = context.getBean(EventBus.class);
    context.getBean("eventBusLifecycle", LibraryLifecycle.class).stop();
    long id = bus.publish(Event.of("Found", "{}"));
    context.close();

    try (ConfigurableApplicationContext next = start("eventbus.publish-only=true")) {
      assertThat(Contexts.column(next, id, "status")).isEqualTo("PENDING");
    }
  }
}
