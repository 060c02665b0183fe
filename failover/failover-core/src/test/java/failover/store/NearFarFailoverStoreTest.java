package failover.store;

import static org.assertj.core.api.Assertions.assertThat;

import failover.key.CanonicalKeys;
import failover.key.StoreKey;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class NearFarFailoverStoreTest extends FailoverStoreContract {
  private final StoreKey key = CanonicalKeys.ofText("price", "1");
  private final InMemoryFailoverStore near = new InMemoryFailoverStore();
  private final InMemoryFailoverStore far = new InMemoryFailoverStore();

  @Override
  protected FailoverStore newStore() {
    return new NearFarFailoverStore(near, new EconomicalFailoverStore(far));
  }

  private ReferentialPayload answer() {
    return new ReferentialPayload(key, NOW, NOW.plusSeconds(1), Payload.tombstone("a.Type", 1));
  }

  @Test
  void whatTheFarOneGivesIsKeptNear() {
    far.store(answer());
    FailoverStore store = newStore();
    assertThat(store.find(key)).isPresent();
    far.delete(key);
    assertThat(store.find(key)).isPresent();
  }

  @Test
  void bothAreWrittenToAndSweptAndForgotten() {
    FailoverStore store = newStore();
    store.store(answer());
    assertThat(near.find(key)).isPresent();
    assertThat(far.find(key)).isPresent();
    store.delete(key);
    assertThat(near.find(key)).isEmpty();
    assertThat(far.find(key)).isEmpty();
    store.store(answer());
    assertThat(store.sweep(NOW.plusSeconds(2), Duration.ofHours(1))).isEqualTo(2);
    assertThat(store.find(key)).isEmpty();
  }
}
