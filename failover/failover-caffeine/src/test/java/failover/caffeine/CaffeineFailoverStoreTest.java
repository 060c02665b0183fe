package failover.caffeine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import failover.key.CanonicalKeys;
import failover.key.StoreKey;
import failover.store.FailoverStore;
import failover.store.FailoverStoreContract;
import failover.store.Payload;
import failover.store.ReferentialPayload;
import holdfast.testkit.threads.Together;
import java.time.Instant;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class CaffeineFailoverStoreTest extends FailoverStoreContract {
  private final StoreKey key = CanonicalKeys.ofText("price", "1");

  @Override
  protected FailoverStore newStore() {
    return new CaffeineFailoverStore(1_000);
  }

  private static ReferentialPayload answer(StoreKey of) {
    return answer(of, NOW);
  }

  private static ReferentialPayload answer(StoreKey of, Instant asOf) {
    return new ReferentialPayload(
        of, asOf, asOf.plusSeconds(60), Payload.ofBytes("a.Type", 1, new byte[] {1}));
  }

  @Test
  void whatIsSweptMakesRoomForALaterAnswer() {
    FailoverStore store = newStore();
    store.store(answer(key));
    assertThat(store.cleanByExpiry(NOW.plusSeconds(61))).isEqualTo(1);
    assertThat(store.find(key)).isEmpty();
    store.store(answer(key, NOW.plusSeconds(62)));
    assertThat(store.find(key)).isPresent();
  }

  @Test
  void theNewestOfManyAnswersStaysWhileOthersAreSweptAndDeleted() throws Exception {
    FailoverStore store = newStore();
    AtomicInteger seconds = new AtomicInteger();
    Together.runAll(
        4,
        () -> {
          for (int i = 0; i < 20_000; i++) {
            int second = seconds.incrementAndGet();
            store.store(answer(key, NOW.plusSeconds(second)));
            if (second % 7 == 0) {
              store.cleanByExpiry(NOW.plusSeconds(second));
            }
          }
        });
    assertThat(store.find(key).orElseThrow().asOf()).isEqualTo(NOW.plusSeconds(seconds.get()));
  }

  @Test
  void theSizeIsBounded() {
    CaffeineFailoverStore store = new CaffeineFailoverStore(10);
    for (int i = 0; i < 1_000; i++) {
      store.store(answer(CanonicalKeys.ofText("price", Integer.toString(i))));
    }
    assertThat(store.liveEntryCount("price")).isBetween(1L, 10L);
    assertThat(store.liveEntryCount("stock")).isZero();
    assertThatThrownBy(() -> new CaffeineFailoverStore(0)).hasMessageContaining("but was 0");
  }
}
