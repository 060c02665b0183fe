package failover.execution;

import static org.assertj.core.api.Assertions.assertThat;

import failover.FailoverResult;
import failover.FailoverSpec;
import failover.Failovers;
import failover.store.InMemoryFailoverStore;
import holdfast.testkit.threads.Eventually;
import holdfast.testkit.time.SettableTime;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The call that tries a source again, at a point whose callers do not wait long. */
@Timeout(60)
class ProbeTest {
  private static final Duration PAUSE = Duration.ofMinutes(1);
  private static final IOException DOWN = new IOException("down");

  private final SettableTime time = new SettableTime();
  private final Failovers failovers =
      Failovers.builder(new InMemoryFailoverStore()).time(time).build();
  private final FailoverSpec<String> spec =
      FailoverSpec.builder("soft", String.class)
          .softTimeout(Duration.ofSeconds(40))
          .pause(PAUSE, PAUSE)
          .pauseAfter(0.01, 1, Duration.ofSeconds(10)) // one failure begins it
          .build();
  private final CountDownLatch released = new CountDownLatch(1);

  @AfterEach
  void close() {
    released.countDown();
    failovers.close();
  }

  private FailoverResult<String> ask(String key, Answering source) throws Exception {
    return failovers.callForResult(spec, List.of(key), source::answer);
  }

  private interface Answering {
    String answer() throws Exception;
  }

  private static String fail() throws IOException {
    throw DOWN;
  }

  private String blocked(String answer) throws InterruptedException {
    released.await();
    return answer;
  }

  /** Has an answer stored, the source fail, and the pause pass. */
  private void failOnce() throws Exception {
    ask("a", () -> "first");
    ask("a", ProbeTest::fail);
    time.advance(PAUSE.multipliedBy(2));
  }

  private void awaitLive(String answer) {
    Eventually.await(
        "the source is asked again",
        () -> {
          FailoverResult<String> result = failovers.callForResult(spec, List.of("a"), () -> answer);
          return result.upToDate() && answer.equals(result.value());
        });
  }

  @Test
  void whoTriesIsAnsweredAtOnceAndTheSourceIsBackWhenItAnswers() throws Exception {
    failOnce();
    FailoverResult<String> probe = ask("a", () -> blocked("second"));
    assertThat(probe.value()).isEqualTo("first");
    assertThat(probe.cause()).contains(DOWN);
    assertThat(failovers.counts().get("soft").paused()).isEqualTo(1);
    assertThat(ask("a", () -> "not asked").value()).isEqualTo("first");

    released.countDown();

    awaitLive("third");
    assertThat(failovers.ledger().isAccountedFor()).isTrue();
  }

  @Test
  void whoTriesWithNothingStoredWaits() throws Exception {
    failOnce();
    assertThat(ask("b", () -> "live").value()).isEqualTo("live");
    assertThat(ask("a", () -> "second").upToDate()).isTrue();
  }

  @Test
  void aCallersMistakeFoundBehindShowsThatTheSourceIsThere() throws Exception {
    failOnce();
    FailoverResult<String> probe =
        ask(
            "a",
            () -> {
              throw new IllegalArgumentException(blocked("no such price"));
            });
    assertThat(probe.value()).isEqualTo("first");

    released.countDown();

    awaitLive("second");
  }

  @Test
  void aDrillBehindSaysNothingAboutTheSource() throws Exception {
    failOnce();
    failovers.drill("soft", true);
    assertThat(ask("a", () -> "not asked").value()).isEqualTo("first");
    failovers.drill("soft", false);
    awaitLive("second");
  }
}
