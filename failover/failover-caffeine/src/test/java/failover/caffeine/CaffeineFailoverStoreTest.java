package failover.caffeine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import failover.key.CanonicalKeys;
import failover.key.StoreKey;
import failover.store.FailoverStore;
import failover.store.FailoverStoreContract;
import failover.store.Payload;
import failover.store.ReferentialPayload;
import holdfast.testkit.time.SettableTime;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class CaffeineFailoverStoreTest extends FailoverStoreContract {
  private final SettableTime time = new SettableTime(NOW);
  private final StoreKey key = CanonicalKeys.ofText("price", "1");

  @Override
  protected FailoverStore newStore() {
    return new CaffeineFailoverStore(1_000, time);
  }

  private ReferentialPayload answer(StoreKey of) {
    return new ReferentialPayload(
        of, NOW, NOW.plusSeconds(60), Payload.ofBytes("a.Type", 1, new byte[] {1}));
  }

  @Test
  void anAnswerLeavesAfterItsLastMoment() {
    FailoverStore store = newStore();
    store.store(answer(key));
    time.advance(Duration.ofSeconds(60));
    assertThat(store.find(key)).isPresent();
    time.advance(Duration.ofNanos(1_000));
    assertThat(store.find(key)).isEmpty();
  }

  @Test
  void theSizeIsBounded() {
    CaffeineFailoverStore store = new CaffeineFailoverStore(10, time);
    for (int i = 0; i < 1_000; i++) {
      store.store(answer(CanonicalKeys.ofText("price", Integer.toString(i))));
    }
    assertThat(store.liveEntryCount("price")).isBetween(1L, 10L);
    assertThat(store.liveEntryCount("stock")).isZero();
    assertThatThrownBy(() -> new CaffeineFailoverStore(0, time)).hasMessageContaining("but was 0");
  }
}
