package holdfast.work;

import static org.assertj.core.api.Assertions.assertThat;

import holdfast.log.Outage;
import holdfast.time.StoppedTime;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class RecoveredTypesTest {
  private static final Outcome RETRY =
      new Outcome.Retry(Duration.ofMinutes(1), "down", new Exception("down"), true);

  private final StoppedTime time = new StoppedTime();
  private final FakeStore store = new FakeStore();
  private final RecoveredTypes<TestItem> types =
      new RecoveredTypes<>(store, new Outage("test", time), time);

  private boolean ended(TestItem item, Outcome outcome) {
    boolean recovered = types.ended(new Ended<>(item, outcome, 0));
    types.retryNow();
    return recovered;
  }

  private boolean ended(Outcome outcome) {
    return ended(TestItem.of("a"), outcome);
  }

  @Test
  void nothingIsAskedWhileNothingFails() {
    assertThat(ended(Outcome.DONE)).isFalse();
    assertThat(ended(RETRY)).isFalse();
    assertThat(ended(Outcome.RELEASED)).isFalse();
    assertThat(ended(new Outcome.Dead("bad", null))).isFalse();
    assertThat(store.retriedNow).isEmpty();
  }

  @Test
  void theFirstSuccessAfterAFailureIsOneStatementAMinuteAtMost() {
    ended(RETRY);
    assertThat(ended(Outcome.DONE)).isTrue();
    assertThat(ended(Outcome.DONE)).isFalse();
    assertThat(store.retriedNow).containsExactly("T");
    ended(RETRY);
    time.advance(Duration.ofSeconds(59));
    assertThat(ended(Outcome.DONE)).isFalse();
    time.advance(Duration.ofSeconds(1));
    assertThat(ended(Outcome.DONE)).isTrue();
    assertThat(store.retriedNow).containsExactly("T", "T");
  }

  @Test
  void aRetryThatSucceedsTellsOfOthersThatWait() {
    assertThat(ended(TestItem.failingFor(Duration.ofHours(1), 0), Outcome.DONE)).isTrue();
    assertThat(store.retriedNow).containsExactly("T");
  }

  @Test
  void manyAreMadeDueInBatchesWithClaimsInBetween() {
    store.waitingRetries.set(10_600);
    ended(RETRY);
    ended(Outcome.DONE);
    assertThat(store.waitingRetries).hasValue(600);
    types.retryNow();
    assertThat(store.waitingRetries).hasValue(0);
    int statements = store.retriedNow.size();
    types.retryNow();
    assertThat(store.retriedNow).hasSize(statements);
  }

  @Test
  void aDatabaseThatFailsStopsNothing() {
    store.broken = true;
    ended(RETRY);
    assertThat(ended(Outcome.DONE)).isTrue();
    store.broken = false;
    types.retryNow();
    assertThat(store.retriedNow).as("left to their time").isEmpty();
  }
}
