package outbox.dispatch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import org.junit.jupiter.api.Test;
import outbox.RetryAfterException;

/** The backoff and the lease, as numbers. */
class SettingsTest {

  private static ExponentialBackoffRetryPolicy policy(double factor) {
    return new ExponentialBackoffRetryPolicy(200, 60_000).withJitter(() -> factor);
  }

  @Test
  void theDelayDoublesUpToTheLongest() {
    RetryPolicy policy = policy(1.0);
    assertThat(policy.computeDelayMs(1)).isEqualTo(200);
    assertThat(policy.computeDelayMs(2)).isEqualTo(400);
    assertThat(policy.computeDelayMs(3)).isEqualTo(800);
    assertThat(policy.computeDelayMs(9)).isEqualTo(51_200);
    assertThat(policy.computeDelayMs(10)).isEqualTo(60_000);
    assertThat(policy.computeDelayMs(11)).isEqualTo(60_000);
  }

  @Test
  void chanceScattersItButNeverBeyondTheLongest() {
    assertThat(policy(0.5).computeDelayMs(1)).isEqualTo(100);
    assertThat(policy(1.5).computeDelayMs(1)).isEqualTo(300);
    assertThat(policy(0.5).computeDelayMs(30)).isEqualTo(30_000);
    assertThat(policy(1.5).computeDelayMs(30)).isEqualTo(60_000);
    RetryPolicy scattered = new ExponentialBackoffRetryPolicy(200, 60_000);
    for (int i = 0; i < 1_000; i++) {
      assertThat(scattered.computeDelayMs(2)).isBetween(200L, 600L);
    }
  }

  @Test
  void withoutAFailureThereIsNothingToWaitFor() {
    assertThat(policy(1.0).computeDelayMs(0)).isZero();
    assertThat(policy(1.0).computeDelayMs(-1)).isZero();
    assertThat(policy(1.0).computeDelayMs(Integer.MIN_VALUE)).isZero();
  }

  @Test
  void noNumberOfFailuresOverflows() {
    for (int attempts : new int[] {31, 32, 33, 62, 63, 64, 65, 1_000, Integer.MAX_VALUE}) {
      assertThat(policy(1.5).computeDelayMs(attempts)).isEqualTo(60_000);
    }
    long century = Duration.ofDays(36_500).toMillis();
    RetryPolicy huge = new ExponentialBackoffRetryPolicy(century, century).withJitter(() -> 1.5);
    assertThat(huge.computeDelayMs(Integer.MAX_VALUE)).isEqualTo(century);
  }

  @Test
  void aListenerThatChoosesNoDelayIsToldWhatToDo() {
    assertThatThrownBy(() -> new RetryAfterException(null))
        .isInstanceOf(NullPointerException.class)
        .hasMessageStartingWith("RetryAfterException needs a delay but was given null; say how");
  }

  @Test
  void delaysThatWouldMakeAStormOrNoSenseAreRefused() {
    assertThatThrownBy(() -> new ExponentialBackoffRetryPolicy(0, 1_000))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("base must be more than zero");
    assertThatThrownBy(() -> new ExponentialBackoffRetryPolicy(-1, 1_000))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> new ExponentialBackoffRetryPolicy(1_000, 999))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void theUsualLeaseLastsFifteenSecondsAndIsRenewedEveryFive() {
    LeaseSettings lease = LeaseSettings.of("node-1");
    assertThat(lease.node()).isEqualTo("node-1");
    assertThat(lease.length()).isEqualTo(Duration.ofSeconds(15));
    assertThat(lease.renewEvery()).isEqualTo(Duration.ofSeconds(5));
    assertThat(lease.drift()).isEqualTo(Duration.ofSeconds(1));
    assertThat(lease.maxQueueWait()).isEqualTo(Duration.ofMinutes(1));
    assertThat(lease.times(true).startMargin()).isEqualTo(Duration.ofSeconds(6));
  }

  @Test
  void aLeaseOutlastsTwoRenewalsAndTheDrift() {
    Duration second = Duration.ofSeconds(1);
    new LeaseSettings("n", Duration.ofMillis(3_001), second, second, second);
    assertThatThrownBy(() -> new LeaseSettings("n", Duration.ofSeconds(3), second, second, second))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("length must be more than twice renewEvery plus drift, PT3S");
  }

  @Test
  void allMistakesOfALeaseAreNamedAtOnce() {
    Duration minus = Duration.ofSeconds(-1);
    assertThatThrownBy(() -> new LeaseSettings(" ", minus, Duration.ZERO, minus, Duration.ZERO))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContainingAll("node must", "renewEvery must", "drift must", "maxQueueWait must");
    assertThat(LeaseSettings.of("n".repeat(128)).node()).hasSize(128);
    assertThatThrownBy(() -> LeaseSettings.of("n".repeat(129)))
        .hasMessageContaining("node must have 1 to 128 characters");
  }
}
