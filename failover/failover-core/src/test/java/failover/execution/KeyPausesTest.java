package failover.execution;

import static org.assertj.core.api.Assertions.assertThat;

import failover.key.StoreKey;
import failover.key.canonical.CanonicalKeys;
import holdfast.retry.Backoff;
import holdfast.testkit.time.SettableTime;
import java.io.IOException;
import java.time.Duration;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Keys that fail for half of their calls, remembered for forty seconds. */
class KeyPausesTest {
  private static final Duration MEMORY = Duration.ofSeconds(40);
  private static final IOException DOWN = new IOException("down");

  private final SettableTime time = new SettableTime();
  private final KeyPauses keys =
      new KeyPauses(
          0.5,
          MEMORY,
          Backoff.exponential(Duration.ofMinutes(5), Duration.ofMinutes(5)).withJitter(() -> 1.0),
          time);

  @BeforeEach
  void begin() {
    time.advance(Duration.ofHours(1));
  }

  private static StoreKey key(int arg) {
    return CanonicalKeys.ofText("price", Integer.toString(arg));
  }

  private void failed(int arg, int times) {
    for (int i = 0; i < times; i++) {
      keys.failed(key(arg), DOWN);
    }
  }

  private void answered(int arg, int times) {
    for (int i = 0; i < times; i++) {
      keys.answered(key(arg));
    }
  }

  private boolean isPaused(int arg) {
    Ticket ticket = keys.enter(key(arg));
    return ticket != null && ticket.isRefused();
  }

  @Test
  void fiveFailuresInARowBeginAPauseAndAnAnswerEndsIt() {
    failed(1, KeyPauses.IN_A_ROW - 1);
    assertThat(isPaused(1)).isFalse();
    failed(1, 1);
    assertThat(isPaused(1)).isTrue();
    assertThat(isPaused(2)).isFalse();
    answered(1, 1);
    assertThat(isPaused(1)).isFalse();
  }

  @Test
  void anAnswerBetweenBreaksTheRow() {
    failed(1, KeyPauses.IN_A_ROW - 1);
    answered(1, 1);
    failed(1, KeyPauses.IN_A_ROW - 1);
    assertThat(isPaused(1)).isFalse();
  }

  @Test
  void theyMustBeHalfOfItsCalls() {
    failed(1, 1);
    answered(1, 6);
    failed(1, 5);
    assertThat(isPaused(1)).as("6 of 12").isTrue();
    failed(2, 1);
    answered(2, 7);
    failed(2, 5);
    assertThat(isPaused(2)).as("6 of 13").isFalse();
  }

  @Test
  void failuresAreForgottenAfterAWhile() {
    failed(1, 4);
    time.advance(MEMORY);
    failed(1, 1);
    assertThat(isPaused(1)).as("just remembered").isTrue();
    failed(2, 4);
    time.advance(MEMORY.plusNanos(1));
    failed(2, 4);
    assertThat(isPaused(2)).isFalse();
    failed(2, 1);
    assertThat(isPaused(2)).isTrue();
  }

  @Test
  void onlySoManyKeysAreWatchedUntilSomeAreForgotten() {
    for (int arg = 1; arg <= KeyPauses.MOST_KEYS; arg++) {
      failed(arg, 1);
    }
    failed(0, KeyPauses.IN_A_ROW);
    assertThat(isPaused(0)).as("one too many").isFalse();
    failed(KeyPauses.MOST_KEYS, KeyPauses.IN_A_ROW - 1);
    assertThat(isPaused(KeyPauses.MOST_KEYS)).isTrue();
    time.advance(MEMORY.plusNanos(1));
    failed(0, KeyPauses.IN_A_ROW);
    assertThat(isPaused(0)).as("there is room").isTrue();
  }
}
