package holdfast.log;

import static org.assertj.core.api.Assertions.assertThat;

import holdfast.time.StoppedTime;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class OutageTest {
  private final StoppedTime time = new StoppedTime();
  private final Lines lines = new Lines("shop");
  private final List<String> told = new ArrayList<>();
  private final Outage outage =
      new Outage("shop", time, cause -> told.add("lost"), () -> told.add("back"));

  @AfterEach
  void close() {
    lines.close();
  }

  private void fails(String loop) {
    outage.failed(loop, new IllegalStateException("gone"));
  }

  @Test
  void allLoopsTogetherWriteOneSeries() {
    for (int i = 0; i < 120; i++) {
      fails("poll");
      fails("outcomes");
      time.advance(Duration.ofSeconds(1));
    }
    outage.worked("poll");
    outage.worked("outcomes");
    assertThat(told).containsExactly("lost", "back");
    assertThat(lines.taken())
        .containsExactly(
            "SEVERE shop database access failed during=poll"
                + " error=java.lang.IllegalStateException: gone +trace",
            "SEVERE shop database access still fails during=poll failures=120 total=121 for=PT1M"
                + " error=java.lang.IllegalStateException: gone",
            "INFO shop database access works again failures=240 for=PT2M");
  }

  @Test
  void aLoopThatWorksSaysNothingOfOneThatFails() {
    fails("purge");
    lines.taken();
    outage.worked("poll");
    assertThat(lines.taken()).isEmpty();
    assertThat(told).containsExactly("lost");
  }

  @Test
  void whatIsNotTriedAgainIsOverWhenAnyLoopWorks() {
    outage.failedOnce("start check", new IllegalStateException("gone"));
    outage.worked("poll");
    assertThat(told).isEmpty();
    assertThat(lines.taken())
        .hasSize(2)
        .last()
        .asString()
        .startsWith("INFO shop database access works again");
  }

  @Test
  void aRecoveryThatWasTooSoonToLogIsLoggedLater() {
    for (int i = 0; i < 3; i++) {
      fails("poll");
      outage.worked("poll");
    }
    assertThat(lines.taken()).hasSize(2);
    assertThat(told).hasSize(6);
    time.advance(LineLimit.EVERY);
    outage.worked("poll");
    assertThat(lines.taken())
        .containsExactly("INFO shop database access works again failures=3 for=PT1M");
  }

  @Test
  void whileNothingFailsNothingIsWritten() {
    outage.worked("poll");
    assertThat(lines.taken()).isEmpty();
    assertThat(told).isEmpty();
  }
}
