package failover.execution;

import static org.assertj.core.api.Assertions.assertThat;

import failover.key.StoreKey;
import failover.key.canonical.CanonicalKeys;
import holdfast.testkit.time.SettableTime;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** Half of the calls of ten seconds, and three of them. */
class RecentCallsTest {
  private static final Duration SECOND = Duration.ofSeconds(1);

  private final SettableTime time = new SettableTime();
  private final RecentCalls recent = new RecentCalls(0.5, 3, Duration.ofSeconds(10), time);

  private static StoreKey key(String arg) {
    return CanonicalKeys.ofText("price", arg);
  }

  private boolean answered(String arg) {
    return recent.answered(key(arg), time.instant());
  }

  private boolean failed(String arg) {
    return recent.failed(key(arg));
  }

  @Test
  void theFirstAnswerOfASecondIsTold() {
    assertThat(answered("a")).isTrue();
    assertThat(answered("a")).isFalse();
    time.advance(SECOND);
    assertThat(answered("a")).isTrue();
  }

  @Test
  void failuresShowThatKeysDiffer() {
    failed("a");
    failed("a");
    assertThat(recent.keysDiffer()).isFalse();
    failed("b");
    assertThat(recent.keysDiffer()).isTrue();
  }

  @Test
  void failuresOfDifferentSecondsAddUp() {
    assertThat(failed("a")).isFalse();
    time.advance(SECOND);
    assertThat(failed("b")).isFalse();
    time.advance(SECOND);
    assertThat(failed("c")).isTrue();
  }

  @Test
  void aKeyCountsForTheWindowAndNotLonger() {
    failed("a");
    failed("b");
    time.advance(SECOND.multipliedBy(10));
    assertThat(failed("c")).as("all three within the window").isTrue();
    time.advance(SECOND);
    assertThat(failed("c")).as("only the last two").isFalse();
    assertThat(failed("c")).as("three failures of one key").isFalse();
  }

  @Test
  void aKeyOfLongAgoIsNoneOfThree() {
    failed("a");
    time.advance(SECOND.multipliedBy(11));
    failed("b");
    failed("b");
    assertThat(failed("c")).isFalse();
  }

  @Test
  void tenInARowAreTooMuchOnceNothingWasAnsweredForMoreThanASecond() {
    for (int i = 0; i < 100; i++) {
      answered("a");
    }
    for (int i = 0; i < 9; i++) {
      assertThat(failed("k" + i)).isFalse();
    }
    time.advance(SECOND);
    assertThat(failed("k9")).as("no answer for a second").isFalse();
    time.advance(SECOND);
    assertThat(failed("k10")).isTrue();
    answered("a");
    for (int i = 0; i < 12; i++) {
      assertThat(failed("k" + i)).as("an answer lately").isFalse();
    }
  }

  @Test
  void nineInARowAreNot() {
    for (int i = 0; i < 100; i++) {
      answered("a");
    }
    time.advance(SECOND.multipliedBy(2));
    for (int i = 0; i < 9; i++) {
      assertThat(failed("k" + i)).isFalse();
    }
    assertThat(failed("k9")).isTrue();
  }

  @Test
  void threeKeysAreEnoughHoweverManyFailuresThereMustBe() {
    RecentCalls many = new RecentCalls(0.5, 20, Duration.ofSeconds(10), time);
    for (int i = 1; i < 20; i++) {
      assertThat(many.failed(key("k" + i % 3))).isFalse();
    }
    assertThat(many.failed(key("k0"))).isTrue();
    RecentCalls ofTwoKeys = new RecentCalls(0.5, 20, Duration.ofSeconds(10), time);
    for (int i = 0; i < 40; i++) {
      assertThat(ofTwoKeys.failed(key("k" + i % 2))).isFalse();
    }
    RecentCalls few = new RecentCalls(0.5, 2, Duration.ofSeconds(10), time);
    few.failed(key("a"));
    assertThat(few.failed(key("b"))).as("as many keys as failures").isTrue();
  }

  @Test
  void whatIsClearedCountsNoMore() {
    for (int i = 0; i < 10; i++) {
      answered("a");
    }
    time.advance(SECOND);
    for (int i = 0; i < 10; i++) {
      answered("b");
    }
    failed("x");
    failed("y");
    for (int i = 0; i < 10; i++) {
      answered("c");
    }
    recent.clear();
    assertThat(failed("c")).isFalse();
    assertThat(failed("c")).isFalse();
    assertThat(failed("c")).as("failures of one key").isFalse();
    assertThat(failed("d")).isFalse();
    assertThat(failed("e")).as("of three, and no answers").isTrue();
  }

  @Test
  void failuresThatAreClearedCountNoMore() {
    failed("a");
    failed("a");
    recent.clear();
    assertThat(failed("a")).isFalse();
    assertThat(failed("a")).isFalse();
    assertThat(failed("a")).isTrue();
  }
}
