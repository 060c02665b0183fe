package holdfast.verification.firsthour.health;

import static org.assertj.core.api.Assertions.assertThat;

import eventlog.spi.Answer;
import eventlog.spi.EventLogClient;
import holdfast.spring.test.ActuatorApp;
import holdfast.testkit.db.DatabaseKind;
import holdfast.testkit.db.EachDatabase;
import holdfast.testkit.db.TestDatabase;
import holdfast.testkit.net.TcpProxy;
import holdfast.testkit.threads.Eventually;
import java.net.http.HttpResponse;
import java.time.Duration;
import org.junit.jupiter.api.Timeout;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import tracer.sink.TraceSink;

/** An application with both starters that have tables answers while its database hangs. */
@Timeout(240)
class HangingDatabaseTest {
  private static final int ANSWERS = 5;

  /** What is promised, and as much again for a machine that is busy; the pool waits for 30 s. */
  private static final Duration LIMIT = Duration.ofSeconds(2).plusSeconds(2);

  private static final String NO_ANSWER = "TimeoutException: no answer for PT";

  @Configuration
  @EnableAutoConfiguration(
      excludeName = "org.springframework.boot.flyway.autoconfigure.FlywayAutoConfiguration")
  static class App {
    @Bean
    EventLogClient client() {
      return events -> Answer.delivered();
    }

    @Bean(destroyMethod = "")
    TraceSink sink() {
      return batch -> {};
    }
  }

  @EachDatabase(DatabaseKind.POSTGRESQL)
  void eachAnswerComesInTimeAndNamesBothLibraries(TestDatabase database) throws Exception {
    try (TcpProxy proxy = TcpProxy.to(database.host(), database.port());
        ActuatorApp app =
            new ActuatorApp(
                App.class,
                "outbox",
                ActuatorApp.above(
                    database,
                    new String[] {
                      "spring.datasource.url=" + database.urlVia("127.0.0.1", proxy.port()),
                      "management.health.db.enabled=false"
                    },
                    "outbox.initialize-schema=always",
                    "eventbus.initialize-schema=always"))) {
      Eventually.await("up", () -> app.health().statusCode() == 200);
      proxy.stall();
      try {
        for (int i = 0; i < ANSWERS; i++) {
          assertThat(answerInTime(app)).contains(NO_ANSWER);
        }
        Eventually.await(
            "both named, once what was read before is too old",
            () -> answerInTime(app).split(NO_ANSWER, -1).length == 1 + 2);
      } finally {
        proxy.mend();
      }
      Eventually.await("up again", () -> app.health().statusCode() == 200);
    }
  }

  private static String answerInTime(ActuatorApp app) throws Exception {
    long startedAt = System.nanoTime();
    HttpResponse<String> health = app.health();
    assertThat(Duration.ofNanos(System.nanoTime() - startedAt)).isLessThan(LIMIT);
    assertThat(health.statusCode()).isEqualTo(503);
    return health.body();
  }
}
