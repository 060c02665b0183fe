package eventbus.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;

import holdfast.testkit.db.DatabaseKind;
import holdfast.testkit.db.EachDatabase;
import holdfast.testkit.db.TestDatabase;
import holdfast.testkit.net.TcpProxy;
import holdfast.testkit.threads.Eventually;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Timeout;

/** The database accepts connections and says nothing: probes of the health still get an answer. */
@Timeout(180)
class HangingDatabaseTest {
  private static final Duration LIMIT = Duration.ofSeconds(2);
  private static final Duration FAR_BELOW_THE_POOL = Duration.ofSeconds(15);

  @EachDatabase(DatabaseKind.POSTGRESQL)
  void healthAnswersInTimeAndSaysWhy(TestDatabase database) throws Exception {
    try (TcpProxy proxy = TcpProxy.to(database.host(), database.port());
        WebApp app =
            WebApp.on(
                database,
                "spring.datasource.url=" + database.urlVia("127.0.0.1", proxy.port()),
                "management.health.db.enabled=false")) {
      assertThat(app.health().statusCode()).isEqualTo(200);
      proxy.stall();
      try {
        List<Duration> times = new ArrayList<>();
        for (int i = 0; i < 5; i++) {
          long startedAt = System.nanoTime();
          HttpResponse<String> health = app.health();
          times.add(Duration.ofNanos(System.nanoTime() - startedAt));
          assertThat(health.statusCode()).isEqualTo(503);
          assertThat(health.body()).contains("TimeoutException: no answer for PT");
        }
        times.sort(null);
        assertThat(times.get(2))
            .as("the median, so that a busy machine does not count")
            .isLessThan(LIMIT);
        assertThat(times.get(4)).isLessThan(FAR_BELOW_THE_POOL);
        assertThat(questions()).as("questions under way").isEqualTo(1);
      } finally {
        proxy.mend();
      }
      Eventually.await("up again", () -> app.health().statusCode() == 200);
    }
  }

  private static long questions() {
    return Thread.getAllStackTraces().keySet().stream()
        .filter(thread -> thread.getName().startsWith("eventbus-health"))
        .count();
  }
}
