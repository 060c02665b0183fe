package outbox.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import holdfast.spring.LibraryLifecycle;
import holdfast.testkit.threads.Inbox;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.jdbc.core.JdbcTemplate;
import outbox.EventEnvelope;

/** A whole application from start to stop. */
class OutboxLifecycleTest {

  static class Slow {
    private final CountDownLatch started = new CountDownLatch(1);
    private final CountDownLatch mayEnd = new CountDownLatch(1);
    private final JdbcTemplate sql;

    Slow(JdbcTemplate sql) {
      this.sql = sql;
    }

    @OutboxListener("Slow")
    void take(EventEnvelope event) throws InterruptedException {
      started.countDown();
      mayEnd.await(30, TimeUnit.SECONDS);
      sql.update("INSERT INTO ended VALUES (?)", event.eventId());
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
    @OutboxListener("Found")
    outbox.EventListener found(Inbox inbox) {
      return event -> inbox.take(event.eventId());
    }
  }

  private static ConfigurableApplicationContext start(String database, String... more) {
    String[] properties = new String[more.length + 2];
    properties[0] = "spring.datasource.url=jdbc:h2:mem:" + database + ";DB_CLOSE_DELAY=-1";
    properties[1] = "outbox.initialize-schema=always";
    System.arraycopy(more, 0, properties, 2, more.length);
    SpringApplication app =
        new SpringApplicationBuilder(App.class)
            .web(WebApplicationType.NONE)
            .properties(properties)
            .build();
    return app.run();
  }

  @Test
  void anApplicationDeliversWhatItFindsWhenItStarts() throws Exception {
    try (ConfigurableApplicationContext first =
        start("found", "outbox.publish-only=true", "spring.main.lazy-initialization=true")) {
      String id = Contexts.publish(first, "Found", "{}");

      try (ConfigurableApplicationContext second = start("found")) {
        assertThat(second.getBean(Inbox.class).next()).isEqualTo(id);
      }
      assertThat(first.getBean(Inbox.class).all()).isEmpty();
    }
  }

  @Test
  void withoutThePollerOnlyTheHotPathDelivers() throws Exception {
    try (ConfigurableApplicationContext context =
        start("hotonly", "outbox.poller-enabled=false", "outbox.poll-interval=1ms")) {
      String row = Contexts.insertRow(context, "Found");
      String published = Contexts.publish(context, "Found", "{}");

      assertThat(context.getBean(Inbox.class).next()).isEqualTo(published);
      assertThat(Contexts.status(context, row)).isZero();
    }
  }

  @Test
  void stoppingWaitsForTheListenerThatRunsAndItsDatabaseIsStillThere() throws Exception {
    ConfigurableApplicationContext context = start("drained");
    JdbcTemplate sql = context.getBean(JdbcTemplate.class);
    sql.execute("CREATE TABLE ended (id VARCHAR(36))");
    Slow slow = context.getBean(Slow.class);
    String id = Contexts.publish(context, "Slow", "{}");
    assertThat(slow.started.await(30, TimeUnit.SECONDS)).isTrue();
    context.addApplicationListener(
        event -> {
          if (event instanceof org.springframework.context.event.ContextClosedEvent) {
            slow.mayEnd.countDown();
          }
        });

    context.close();

    try (ConfigurableApplicationContext next = start("drained", "outbox.publish-only=true")) {
      assertThat(
              next.getBean(JdbcTemplate.class).queryForList("SELECT id FROM ended", String.class))
          .containsExactly(id);
      assertThat(Contexts.status(next, id)).isEqualTo(1);
    }
  }

  @Test
  void itStopsAfterTheWebServerAndIsNotPausedButCannotBeStartedAgain() {
    try (ConfigurableApplicationContext context = start("phases")) {
      LibraryLifecycle lifecycle = context.getBean("outboxLifecycle", LibraryLifecycle.class);

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
  void theDrainTimeoutEndsTheWaitingForAListenerThatHangs() throws Exception {
    ConfigurableApplicationContext context = start("hangs", "outbox.close-timeout=50ms");
    context.getBean(JdbcTemplate.class).execute("CREATE TABLE ended (id VARCHAR(36))");
    Slow slow = context.getBean(Slow.class);
    Contexts.publish(context, "Slow", "{}");
    assertThat(slow.started.await(30, TimeUnit.SECONDS)).isTrue();
    long before = System.nanoTime();

    context.close();

    assertThat(TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - before)).isLessThan(20);
  }
}
