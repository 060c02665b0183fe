package failover.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import failover.key.canonical.CanonicalKeys;
import failover.store.ReferentialPayload.Payload;
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

  @Test
  void theBytesOfKeysAndContentsAreBounded() {
    InMemoryFailoverStore store = new InMemoryFailoverStore(1_000, 50_000);
    for (int i = 0; i < 100; i++) {
      store.store(large(Integer.toString(i), 4_000));
    }
    assertThat(store.liveEntryCount("price")).isBetween(8L, 12L);
    for (int i = 0; i < 100; i++) {
      store.store(large("a".repeat(4_000) + i, 1));
    }
    assertThat(store.liveEntryCount("price")).isBetween(4L, 12L);
    assertThat(store.deleteAll("price")).isBetween(4, 12);
    for (int i = 0; i < 10; i++) {
      store.store(large(Integer.toString(i), 4_000));
    }
    assertThat(store.liveEntryCount("price")).isEqualTo(10); // what is gone does not count
  }

  @Test
  void anAnswerThatTakesMoreThanAllIsRefusedAndReplacesTheOlderOne() {
    InMemoryFailoverStore store = new InMemoryFailoverStore(1_000, 50_000);
    store.store(large("1", 1));
    store.store(large("2", 1));
    assertThatThrownBy(() -> store.store(large("1", 50_000)))
        .isInstanceOf(FailoverStoreException.class)
        .hasMessageContaining("but the store takes 50000 in all")
        .satisfies(e -> assertThat(((FailoverStoreException) e).isRefused()).isTrue());
    assertThat(store.find(CanonicalKeys.ofText("price", "1"))).isEmpty();
    assertThat(store.find(CanonicalKeys.ofText("price", "2"))).isPresent();
    assertThatThrownBy(() -> new InMemoryFailoverStore(1, 0)).hasMessageContaining("but was 0");
  }

  private static ReferentialPayload large(String arg, int bytes) {
    return new ReferentialPayload(
        CanonicalKeys.ofText("price", arg),
        NOW,
        NOW,
        Payload.ofBytes("a.Type", 1, new byte[bytes]));
  }

  @Test
  void whatIsStoredWhileAnOlderAnswerIsRemovedStays() throws Exception {
    assertNewestStays(newStore());
  }
}
