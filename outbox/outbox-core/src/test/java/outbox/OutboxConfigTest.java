package outbox;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import org.junit.jupiter.api.Test;
import outbox.model.EventStatus;

/** Numbers and small values of the front door. */
class OutboxConfigTest {

  @Test
  void theDefaultsAreThoseOfTheSpecification() {
    OutboxConfig config = new OutboxConfig().validate();
    assertThat(config.getDispatcherWorkers()).isEqualTo(4);
    assertThat(config.getHotQueueCapacity()).isEqualTo(1000);
    assertThat(config.getColdQueueCapacity()).isEqualTo(1000);
    assertThat(config.isPollerEnabled()).isTrue();
    assertThat(config.getPollerIntervalMs()).isEqualTo(5000);
    assertThat(config.getPollerBatchSize()).isEqualTo(200);
    assertThat(config.getPollerSkipRecentMs()).isEqualTo(1000);
    assertThat(config.getRetryBaseDelayMs()).isEqualTo(200);
    assertThat(config.getRetryMaxDelayMs()).isEqualTo(60_000);
    assertThat(config.getRetryMaxAttempts()).isEqualTo(10);
  }

  @Test
  void everyNumberCanBeSetInOneSentence() {
    OutboxConfig config =
        new OutboxConfig()
            .setDispatcherWorkers(1)
            .setHotQueueCapacity(2)
            .setColdQueueCapacity(3)
            .setPollerEnabled(false)
            .setPollerIntervalMs(4)
            .setPollerBatchSize(5)
            .setPollerSkipRecentMs(0)
            .setRetryBaseDelayMs(7)
            .setRetryMaxDelayMs(7)
            .setRetryMaxAttempts(9);
    assertThat(config.validate()).isSameAs(config);
    assertThat(config.getDispatcherWorkers()).isEqualTo(1);
    assertThat(config.getHotQueueCapacity()).isEqualTo(2);
    assertThat(config.getColdQueueCapacity()).isEqualTo(3);
    assertThat(config.isPollerEnabled()).isFalse();
    assertThat(config.getPollerIntervalMs()).isEqualTo(4);
    assertThat(config.getPollerBatchSize()).isEqualTo(5);
    assertThat(config.getPollerSkipRecentMs()).isZero();
    assertThat(config.getRetryBaseDelayMs()).isEqualTo(7);
    assertThat(config.getRetryMaxDelayMs()).isEqualTo(7);
    assertThat(config.getRetryMaxAttempts()).isEqualTo(9);
  }

  @Test
  void allMistakesAreNamedAtOnce() {
    OutboxConfig config =
        new OutboxConfig()
            .setDispatcherWorkers(0)
            .setHotQueueCapacity(0)
            .setColdQueueCapacity(-1)
            .setPollerIntervalMs(0)
            .setPollerBatchSize(0)
            .setPollerSkipRecentMs(-1)
            .setRetryBaseDelayMs(0)
            .setRetryMaxDelayMs(-1)
            .setRetryMaxAttempts(0);
    assertThatThrownBy(config::validate)
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith("OutboxConfig: dispatcherWorkers must be 1 or more but was 0; ")
        .hasMessageContainingAll(
            "hotQueueCapacity",
            "coldQueueCapacity",
            "pollerIntervalMs",
            "pollerBatchSize",
            "pollerSkipRecentMs",
            "retryBaseDelayMs",
            "retryMaxDelayMs",
            "retryMaxAttempts");
  }

  @Test
  void theLongestDelayIsNoShorterThanTheFirst() {
    OutboxConfig config = new OutboxConfig().setRetryBaseDelayMs(500).setRetryMaxDelayMs(499);
    assertThatThrownBy(config::validate)
        .hasMessageContaining("retryMaxDelayMs must be 500 (retryBaseDelayMs) or more but was 499");
  }

  @Test
  void aListenersWishHasADelayAndAReason() {
    Duration delay = Duration.ofSeconds(3);
    assertThat(new RetryAfterException(delay).delay()).isEqualTo(delay);
    assertThat(new RetryAfterException(delay)).hasMessageContaining("PT3S");
    assertThat(new RetryAfterException(Duration.ZERO, "busy")).hasMessage("busy");
    assertThatThrownBy(() -> new RetryAfterException(Duration.ofMillis(-1)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("PT-0.001S");
    Exception cause = new IllegalStateException("x");
    assertThat(new NonRetryableException("no", cause)).hasMessage("no").hasCause(cause);
  }

  @Test
  void aStatusHasTheNumberOfTheSpecification() {
    assertThat(EventStatus.NEW.code()).isZero();
    assertThat(EventStatus.DONE.code()).isEqualTo(1);
    assertThat(EventStatus.RETRY.code()).isEqualTo(2);
    assertThat(EventStatus.DEAD.code()).isEqualTo(3);
    for (EventStatus status : EventStatus.values()) {
      assertThat(EventStatus.of(status.code())).isEqualTo(status);
    }
    assertThatThrownBy(() -> EventStatus.of(4))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("0 to 3 but was 4");
  }
}
