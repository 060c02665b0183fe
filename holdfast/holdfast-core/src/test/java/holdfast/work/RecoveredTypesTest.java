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
  void withoutASuccessNothingIsAsked() {
    assertThat(ended(RETRY)).isFalse();
    assertThat(ended(Outcome.RELEASED)).isFalse();
    assertThat(ended(new Outcome.Dead("bad", null))).isFalse();
    assertThat(store.retriedNow).isEmpty();
  }

  @Test
  void theFirstSuccessOfATypeIsOneStatementIfNothingWaits() {
    assertThat(ended(Outcome.DONE)).isTrue();
    for (int second = 0; second < 100; second++) {
      time.advance(Duration.ofSeconds(1));
      assertThat(ended(Outcome.DONE)).isFalse();
    }
    assertThat(store.retriedNow).containsExactly("T");
    ended(RETRY);
    assertThat(ended(Outcome.DONE)).as("a failure since then").isTrue();
  }

  /** As after a deployment, when other nodes have failed and are gone. */
  @Test
  void theFirstSuccessOfATypeMakesWhatOthersLeftDue() {
    store.waitingRetries.set(3);
    assertThat(ended(Outcome.DONE)).isTrue();
    assertThat(store.waitingRetries).hasValue(0);
    assertThat(types.retryNow()).as("and what was locked").contains(Duration.ofMillis(200));
  }

  @Test
  void theFirstSuccessAfterAFailureIsFourStatementsAMinuteAtMost() {
    ended(RETRY);
    assertThat(ended(Outcome.DONE)).isTrue();
    assertThat(ended(Outcome.DONE)).isFalse();
    assertThat(store.retriedNow).containsExactly("T");
    ended(RETRY);
    for (int second = 0; second < 59; second++) {
      time.advance(Duration.ofSeconds(1));
      assertThat(ended(Outcome.DONE)).isFalse();
    }
    assertThat(store.retriedNow).hasSize(4);
    time.advance(Duration.ofSeconds(1));
    assertThat(ended(Outcome.DONE)).isTrue();
    assertThat(store.retriedNow).hasSize(5);
  }

  @Test
  void whatWasLockedIsMadeDueSoonAfter() {
    ended(RETRY);
    types.ended(new Ended<>(TestItem.of("a"), Outcome.DONE, 0));
    assertThat(types.retryNow()).contains(Duration.ofMillis(200));
    time.advance(Duration.ofMillis(199));
    assertThat(types.retryNow()).contains(Duration.ofMillis(1));
    assertThat(store.retriedNow).hasSize(1);
    time.advance(Duration.ofMillis(1));
    store.waitingRetries.set(3); // nobody has locked them any more
    assertThat(types.retryNow()).contains(Duration.ofSeconds(2));
    assertThat(store.waitingRetries).hasValue(0);
    time.advance(Duration.ofSeconds(2));
    assertThat(types.retryNow()).contains(Duration.ofSeconds(10));
    time.advance(Duration.ofSeconds(10));
    assertThat(types.retryNow()).isEmpty();
    assertThat(store.retriedNow).hasSize(4);
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
