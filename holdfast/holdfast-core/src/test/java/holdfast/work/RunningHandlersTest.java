package holdfast.work;

import static org.assertj.core.api.Assertions.assertThat;

import holdfast.log.Lines;
import holdfast.time.StoppedTime;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class RunningHandlersTest {
  private static final Duration LIMIT = Duration.ofSeconds(5);

  private final StoppedTime time = new StoppedTime();
  private final AtomicInteger replaced = new AtomicInteger();
  private final RunningHandlers<TestItem> running =
      new RunningHandlers<>(
          TestSettings.ofOneWorker(new HandlerTimeouts(LIMIT, Map.of()), false), time);

  private void watchAfter(Duration duration) {
    time.advance(duration);
    running.watch(replaced::incrementAndGet);
  }

  @Test
  void ofOneThatIgnoresTheInterruptIsWarnedASecondLaterAndAgainAfterTwiceTheTime() {
    TestItem item = TestItem.of("a");
    try (Lines log = new Lines("test")) {
      RunningHandlers.Run<TestItem> run = running.begin(item);
      watchAfter(LIMIT);
      assertThat(Thread.interrupted()).isTrue();
      assertThat(replaced).hasValue(1);
      watchAfter(Duration.ofMillis(999));
      assertThat(log.taken()).isEmpty();
      watchAfter(Duration.ofMillis(1));
      assertThat(log.taken())
          .containsExactly(
              "WARNING test handler may hang: type=T "
                  + item
                  + " running for 6 s and ignores that it was interrupted after PT5S; below is"
                  + " where its thread is +trace");
      watchAfter(Duration.ofMillis(5_999));
      assertThat(log.taken()).isEmpty();
      watchAfter(Duration.ofMillis(1));
      assertThat(log.taken()).hasSize(1);
      assertThat(Thread.interrupted()).as("interrupted once").isFalse();
      running.end(run);
    }
  }
}
