package failover.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import failover.key.CanonicalKeys;
import org.junit.jupiter.api.Test;

class InMemoryFailoverStoreTest extends FailoverStoreContract {
  @Override
  protected FailoverStore newStore() {
    return new InMemoryFailoverStore();
  }

  @Test
  void theAnswerNotUsedForTheLongestTimeMakesRoom() {
    InMemoryFailoverStore store = new InMemoryFailoverStore(2);
    put(store, "1");
    put(store, "2");
    assertThat(store.find(CanonicalKeys.ofText("price", "1"))).isPresent();
    put(store, "3");
    assertThat(store.find(CanonicalKeys.ofText("price", "1"))).isPresent();
    assertThat(store.find(CanonicalKeys.ofText("price", "2"))).isEmpty();
    assertThat(store.liveEntryCount("price")).isEqualTo(2);
    assertThat(store.liveEntryCount("stock")).isZero();
    assertThatThrownBy(() -> new InMemoryFailoverStore(0)).hasMessageContaining("but was 0");
  }

  private static void put(FailoverStore store, String arg) {
    store.store(
        new ReferentialPayload(
            CanonicalKeys.ofText("price", arg), NOW, NOW, Payload.tombstone("a.Type", 1)));
  }
}
