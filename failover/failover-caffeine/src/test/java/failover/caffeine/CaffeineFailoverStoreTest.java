package failover.caffeine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import failover.key.StoreKey;
import failover.key.canonical.CanonicalKeys;
import failover.store.FailoverStore;
import failover.store.FailoverStore.StoredEntry;
import failover.store.FailoverStoreContract;
import failover.store.FailoverStoreException;
import failover.store.ReferentialPayload;
import failover.store.ReferentialPayload.Payload;
import holdfast.testkit.threads.Together;
import java.time.Instant;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

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

  private static ReferentialPayload large(String arg, int second, int bytes) {
    return new ReferentialPayload(
        CanonicalKeys.ofText("price", arg),
        NOW.plusSeconds(second),
        NOW.plusSeconds(1_000),
        Payload.ofBytes("a.Type", second, new byte[bytes]));
  }

  @Test
  void theBytesOfKeysAndContentsAreBounded() {
    CaffeineFailoverStore store = new CaffeineFailoverStore(1_000, 50_000);
    for (int i = 0; i < 100; i++) {
      store.store(large(Integer.toString(i), 1, 4_000));
    }
    assertThat(store.liveEntryCount("price")).isBetween(1L, 12L);
    store.deleteAll("price");
    for (int i = 0; i < 100; i++) {
      store.store(large(Integer.toString(i), 1, 1));
    }
    for (int i = 0; i < 100; i++) {
      store.store(large(Integer.toString(i), 2, 4_000)); // what grows in its place counts as well
    }
    assertThat(bytes(store)).isLessThanOrEqualTo(50_000);
    for (int i = 0; i < 100; i++) {
      store.store(large(Integer.toString(i), 3, 1)); // and what shrinks makes room
    }
    assertThat(store.liveEntryCount("price")).isGreaterThan(50);
    assertThat(store.entries("price", 1_000))
        .allSatisfy(entry -> assertThat(entry.schemaVersion()).isEqualTo(3));
    assertThatThrownBy(() -> new CaffeineFailoverStore(1, 0)).hasMessageContaining("but was 0");
  }

  private static long bytes(CaffeineFailoverStore store) {
    return store.entries("price", 1_000).stream().mapToLong(StoredEntry::bytes).sum();
  }

  @Test
  void anAnswerThatTakesMoreThanAllIsRefusedAndReplacesTheOlderOne() {
    CaffeineFailoverStore store = new CaffeineFailoverStore(1_000, 50_000);
    store.store(large("1", 1, 1));
    assertThatThrownBy(() -> store.store(large("1", 2, 50_000)))
        .isInstanceOf(FailoverStoreException.class)
        .hasMessageContaining("but the store takes 50000");
    assertThat(store.find(key)).isEmpty();
  }

  @Test
  void withoutABoundOfBytesTheSizeIsBounded() {
    CaffeineFailoverStore store = new CaffeineFailoverStore(10, Long.MAX_VALUE);
    for (int i = 0; i < 1_000; i++) {
      store.store(large(Integer.toString(i), 1, 1));
    }
    assertThat(store.liveEntryCount("price")).isBetween(1L, 10L);
    CaffeineFailoverStore unbounded = new CaffeineFailoverStore(Long.MAX_VALUE, Long.MAX_VALUE);
    unbounded.store(large("1", 1, 1));
    assertThat(unbounded.find(key)).isPresent();
  }

  @Test
  @Timeout(30)
  void anOlderAnswerOfAnotherSizeIsLeftOut() {
    FailoverStore store = newStore();
    store.store(large("1", 2, 1));
    store.store(large("1", 1, 100_000));
    store.store(large("1", 3, 100_000));
    store.store(large("1", 2, 1));
    assertThat(store.find(key).orElseThrow().asOf()).isEqualTo(NOW.plusSeconds(3));
  }

  @Test
  void theNewestOfManyAnswersOfDifferentSizesStays() throws Exception {
    FailoverStore store = newStore();
    AtomicInteger seconds = new AtomicInteger();
    Together.runAll(
        4,
        () -> {
          for (int i = 0; i < 5_000; i++) {
            int second = seconds.incrementAndGet();
            store.store(large("1", second, second % 5 * 20_000));
            assertThat(store.find(key)).isPresent();
          }
        });
    assertThat(store.find(key).orElseThrow().asOf()).isEqualTo(NOW.plusSeconds(20_000));
  }

  @Test
  void whatIsStoredWhileAnOlderAnswerIsRemovedStays() throws Exception {
    assertNewestStays(newStore());
  }
}
