package holdfast.work;

import static org.assertj.core.api.Assertions.assertThat;

import holdfast.retry.NonRetryable;
import holdfast.retry.RetryAfter;
import holdfast.time.StoppedTime;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class AttemptTest {
  private static final Duration DAY = Duration.ofDays(1);

  private static final class Later extends Exception implements RetryAfter {
    private static final long serialVersionUID = 1L;

    @Override
    public Duration delay() {
      return Duration.ofMinutes(7);
    }
  }

  private static final class Never extends Exception implements NonRetryable {
    private static final long serialVersionUID = 1L;
  }

  private final StoppedTime time = new StoppedTime();

  private Outcome outcome(TestItem item, Exception failure, Retries retries) {
    WorkHandler<TestItem> handler =
        event -> {
          throw failure;
        };
    return new Attempt<>("test", "handler", handler, retries, time)
        .run(List.of(item), () -> false)
        .get(0)
        .outcome();
  }

  private static Retries retries(Duration retryFor) {
    return new Retries((item, failures, failure) -> Optional.of(Duration.ofSeconds(1)), retryFor);
  }

  private static Retries givingUp(Duration retryFor) {
    return new Retries((item, failures, failure) -> Optional.empty(), retryFor);
  }

  @Test
  void timeSinceTheClaimCountsToo() {
    TestItem item = TestItem.failingFor(Duration.ofHours(23), time.nanoTime());
    Exception failure = new IllegalStateException("down");
    assertThat(outcome(item, failure, retries(DAY))).isInstanceOf(Outcome.Retry.class);
    time.advance(Duration.ofMinutes(59));
    assertThat(outcome(item, failure, retries(DAY))).isInstanceOf(Outcome.Retry.class);
    time.advance(Duration.ofMinutes(1));
    assertThat(outcome(item, failure, retries(DAY))).isInstanceOf(Outcome.Dead.class);
    assertThat(outcome(item, failure, retries(null))).isInstanceOf(Outcome.Retry.class);
  }

  @Test
  void theFirstFailureNeverEndsAnEvent() {
    TestItem item = TestItem.of("new");
    time.advance(DAY.multipliedBy(2));
    assertThat(outcome(item, new Exception("slow"), retries(DAY)))
        .isInstanceOf(Outcome.Retry.class);
  }

  @Test
  void aDelayThatTheHandlerChoseCostsNoAttemptWhereTimeLimitsRetries() {
    Exception wrapped = new IllegalStateException(new Later());
    Outcome.Retry retry = (Outcome.Retry) outcome(TestItem.of("a"), wrapped, givingUp(DAY));
    assertThat(retry.delay()).isEqualTo(Duration.ofMinutes(7));
    assertThat(retry.counted()).isFalse();
    Outcome.Retry counted = (Outcome.Retry) outcome(TestItem.of("a"), wrapped, retries(null));
    assertThat(counted.delay()).isEqualTo(Duration.ofMinutes(7));
    assertThat(counted.counted()).isTrue();
    assertThat(outcome(TestItem.of("a"), wrapped, givingUp(null)))
        .as("without a limit in time, attempts limit it")
        .isInstanceOf(Outcome.Dead.class);
    assertThat(outcome(TestItem.failingFor(DAY, time.nanoTime()), wrapped, retries(DAY)))
        .as("time limits it")
        .isInstanceOf(Outcome.Dead.class);
  }

  @Test
  void thePolicyAndTheHandlerCanGiveUp() {
    assertThat(outcome(TestItem.of("a"), new Exception("bad"), givingUp(DAY)))
        .isInstanceOf(Outcome.Dead.class);
    assertThat(outcome(TestItem.of("a"), new Exception(new Never()), retries(DAY)))
        .isInstanceOf(Outcome.Dead.class);
  }

  @Test
  void theLastTryIsAtTheEndOfItsTime() {
    Outcome.Retry first =
        (Outcome.Retry) outcome(TestItem.of("a"), new Later(), retries(Duration.ofMinutes(2)));
    assertThat(first.delay()).isEqualTo(Duration.ofMinutes(2));
    TestItem failing = TestItem.failingFor(Duration.ofMinutes(90), time.nanoTime());
    time.advance(Duration.ofSeconds(59));
    Duration limit = Duration.ofMinutes(91);
    Outcome.Retry last = (Outcome.Retry) outcome(failing, new Later(), retries(limit));
    assertThat(last.delay()).isEqualTo(Duration.ofSeconds(1));
    Retries rare = new Retries((item, failures, failure) -> Optional.of(DAY), limit);
    assertThat(((Outcome.Retry) outcome(failing, new Exception(), rare)).delay())
        .isEqualTo(Duration.ofSeconds(1));
  }

  @Test
  void whatForbidsAnotherAttemptIsInTheError() {
    Exception wrapped = new IllegalStateException("outer", new Exception("middle", new Never()));
    Outcome.Dead dead = (Outcome.Dead) outcome(TestItem.of("a"), wrapped, retries(DAY));
    assertThat(dead.error())
        .isEqualTo("java.lang.IllegalStateException: outer, caused by " + Never.class.getName());
  }

  @Test
  void theTimeLimitIsInTheErrorAlsoOfTheLastAttempt() {
    Attempt<TestItem> attempt =
        new Attempt<>("test", "handler", item -> Outcome.DONE, givingUp(DAY), time);
    Attempt.Result late =
        attempt.ended(TestItem.of("a"), new InterruptedException("sleep"), () -> false);
    Outcome.Dead dead =
        (Outcome.Dead) attempt.timedOut(TestItem.of("a"), Duration.ofSeconds(1), late).outcome();
    assertThat(dead.error())
        .isEqualTo(
            "handler ran longer than PT1S, its time limit, then"
                + " java.lang.InterruptedException: sleep");
  }

  @Test
  void aNegativeDelayIsAnErrorOfThePolicy() {
    Retries early =
        new Retries((item, failures, failure) -> Optional.of(Duration.ofSeconds(-1)), DAY);
    Outcome.Retry retry = (Outcome.Retry) outcome(TestItem.of("a"), new Exception(), early);
    assertThat(retry.delay()).isEqualTo(Duration.ofSeconds(1));
  }
}
