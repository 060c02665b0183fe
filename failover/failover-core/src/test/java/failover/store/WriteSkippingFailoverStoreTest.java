package failover.store;

import static org.assertj.core.api.Assertions.assertThat;

import failover.key.StoreKey;
import failover.key.canonical.CanonicalKeys;
import failover.store.ReferentialPayload.Payload;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

class WriteSkippingFailoverStoreTest extends FailoverStoreContract {
  private final StoreKey key = CanonicalKeys.ofText("price", "1");
  private final InMemoryFailoverStore far = new InMemoryFailoverStore();
  private final WriteSkippingFailoverStore store = new WriteSkippingFailoverStore(far);

  @Override
  protected FailoverStore newStore() {
    return new WriteSkippingFailoverStore(new InMemoryFailoverStore());
  }

  private void put(Duration asOf, String content) {
    store.store(
        new ReferentialPayload(
            key,
            NOW.plus(asOf),
            NOW.plus(asOf).plusSeconds(1_000),
            Payload.ofBytes("a.Type", 1, content.getBytes(StandardCharsets.UTF_8))));
  }

  private long secondsWritten() {
    return Duration.between(NOW, far.find(key).orElseThrow().asOf()).toSeconds();
  }

  @Test
  void unchangedContentIsNotWrittenForATenthOfItsTime() {
    put(Duration.ZERO, "a");
    put(Duration.ofSeconds(99), "a");
    assertThat(secondsWritten()).isZero();
    assertThat(store.skipped()).isEqualTo(1);
    put(Duration.ofSeconds(100), "a");
    assertThat(secondsWritten()).isEqualTo(100);
    put(Duration.ofSeconds(150), "a");
    assertThat(secondsWritten()).isEqualTo(100);
  }

  @Test
  void changedContentIsWrittenAtOnce() {
    put(Duration.ZERO, "a");
    put(Duration.ofSeconds(1), "b");
    assertThat(secondsWritten()).isEqualTo(1);
    put(Duration.ofSeconds(2), "a");
    assertThat(secondsWritten()).isEqualTo(2);
  }

  @Test
  void whatWasForgottenOrIsMissingIsWrittenAgain() {
    put(Duration.ZERO, "a");
    store.delete(key);
    put(Duration.ofSeconds(1), "a");
    assertThat(secondsWritten()).isEqualTo(1);
    far.delete(key);
    assertThat(store.find(key)).isEmpty();
    put(Duration.ofSeconds(2), "a");
    assertThat(secondsWritten()).isEqualTo(2);
    far.delete(key);
    assertThat(store.findAll(List.of(key))).isEmpty();
    put(Duration.ofSeconds(3), "a");
    assertThat(secondsWritten()).isEqualTo(3);
  }

  @Test
  void anAnswerOlderThanTheOneThatWasNotWrittenAgainReplacesNothing() {
    put(Duration.ZERO, "a");
    put(Duration.ofSeconds(50), "a");
    put(Duration.ofSeconds(30), "b"); // its call began before, and took longer
    assertThat(far.find(key).orElseThrow().payload().bytes()).isEqualTo(new byte[] {'a'});
    put(Duration.ofSeconds(60), "b");
    assertThat(secondsWritten()).isEqualTo(60);
  }

  @Test
  void anAnswerMadeToExpireIsWrittenAlsoByAClockThatIsBehind() {
    put(Duration.ZERO, "a");
    put(Duration.ofSeconds(50), "a");
    store.store(far.find(key).orElseThrow().expiredAt(NOW.plusSeconds(40)));
    assertThat(far.find(key).orElseThrow().expireOn()).isBefore(NOW.plusSeconds(40));
  }
}
