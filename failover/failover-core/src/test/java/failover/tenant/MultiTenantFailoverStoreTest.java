package failover.tenant;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import failover.key.StoreKey;
import failover.key.StoredName;
import failover.key.canonical.CanonicalKeys;
import failover.store.FailoverStore;
import failover.store.FailoverStore.StoreChange;
import failover.store.FailoverStore.StoredEntry;
import failover.store.FailoverStoreException;
import failover.store.InMemoryFailoverStore;
import failover.store.ReferentialPayload;
import failover.store.ReferentialPayload.Payload;
import holdfast.testkit.threads.Together;
import holdfast.testkit.time.SettableTime;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class MultiTenantFailoverStoreTest {
  private static final Instant NOW = SettableTime.START;
  private static final Duration HOUR = Duration.ofHours(1);

  private final SettableTime time = new SettableTime();
  private final TenantTables tables = new TenantTables();
  private final Tenants all = Tenants.of(TenantContext.resolver());

  private MultiTenantFailoverStore store(Tenants tenants, int most) {
    return new MultiTenantFailoverStore(tenants, tables, most, time);
  }

  private static StoreKey key(String tenant, String arg) {
    return CanonicalKeys.ofText(StoredName.text(tenant, "price"), arg);
  }

  private static ReferentialPayload answer(StoreKey key, int version) {
    return new ReferentialPayload(
        key, NOW, NOW.plus(HOUR), Payload.ofBytes("a.Type", version, new byte[] {1}));
  }

  private static int version(FailoverStore store, StoreKey key) {
    return store.find(key).map(found -> found.payload().schemaVersion()).orElse(-1);
  }

  @Test
  void twoHundredTenantsAndSixtyFourThreadsMakeOneStoreEach() throws Exception {
    MultiTenantFailoverStore store = store(all, 1_000);
    AtomicInteger next = new AtomicInteger();
    Together.runAll(
        64,
        () -> {
          int first = next.getAndIncrement();
          for (int i = 0; i < 200; i++) {
            String tenant = "t" + (first * 7 + i) % 200;
            store.store(answer(key(tenant, "a" + first), 1));
            assertThat(version(store, key(tenant, "a" + first))).isEqualTo(1);
          }
        });
    assertThat(store.openStores()).isEqualTo(200);
    assertThat(tables.made.values()).hasSize(200).allMatch(count -> count.get() == 1);
    for (int i = 0; i < 200; i++) {
      assertThat(tables.table("t" + i).liveEntryCount("price")).isEqualTo(64);
    }
    assertThat(store.liveEntryCount("price")).isEqualTo(200 * 64);
    assertThat(store.liveEntryCount(StoredName.text("t7", "price"))).isEqualTo(64);
  }

  @Test
  void theSameArgumentsHaveTheSameIdForEveryTenantAndNoneFindsThoseOfAnother() {
    assertThat(key("acme", "1").id()).isEqualTo(CanonicalKeys.ofText("price", "1").id());
    MultiTenantFailoverStore store =
        store(all.withDefault("main").known(List.of("acme", "zeta")), 10);
    tables.shared.add("main");
    List<String> tenants = List.of("acme", "zeta", "main", "stranger", "other");
    for (int i = 0; i < tenants.size(); i++) {
      store.store(answer(key(tenants.get(i), "1"), i));
    }
    List<StoreKey> keys = tenants.stream().map(tenant -> key(tenant, "1")).toList();
    assertThat(store.findAll(keys))
        .hasSize(5)
        .allSatisfy(
            found ->
                assertThat(found.payload().schemaVersion()).isEqualTo(keys.indexOf(found.key())));
    for (int i = 0; i < tenants.size(); i++) {
      String name = StoredName.text(tenants.get(i), "price");
      assertThat(store.entries(name, 10)).extracting(StoredEntry::schemaVersion).containsExactly(i);
      assertThat(version(store, StoreKey.stored(name, keys.get(i).id()))).isEqualTo(i);
    }
    assertThat(tables.table("acme").find(CanonicalKeys.ofText("price", "1"))).isPresent();
    assertThat(tables.table(TenantStoreFactory.SINGLE).find(CanonicalKeys.ofText("price", "1")))
        .isPresent();
    assertThat(store.expireAll(StoredName.text("acme", "price"), NOW.plusSeconds(1))).isOne();
    assertThat(store.deleteAll(StoredName.text("stranger", "price"))).isOne();
    store.store(
        new ReferentialPayload(keys.get(2), NOW, NOW.plus(HOUR), Payload.tombstone("a.Type", 77)));
    assertThat(keys.stream().map(key -> version(store, key)).toList())
        .containsExactly(0, 1, 77, -1, 4);
    assertThat(store.find(keys.get(0)).orElseThrow().isMadeToExpire()).isTrue();
    assertThat(store.find(keys.get(1)).orElseThrow().isMadeToExpire()).isFalse();
    assertThat(store.find(keys.get(4)).orElseThrow().payload().isTombstone()).isFalse();
  }

  @Test
  void theNumberOfOpenStoresIsBoundedAndWhatWasStoredIsFoundAgain() throws Exception {
    MultiTenantFailoverStore store = store(all, 10);
    AtomicInteger next = new AtomicInteger();
    Together.runAll(
        16,
        () -> {
          for (int i = next.getAndIncrement(); i < 10_000; i = next.getAndIncrement()) {
            store.store(answer(key("made-up-" + i, "1"), i));
          }
        });
    assertThat(store.openStores()).isEqualTo(10);
    assertThat(tables.closed).hasValue(10_000 - 10);
    assertThat(version(store, key("made-up-17", "1"))).isEqualTo(17);
    assertThat(store.openStores()).isEqualTo(10);
    assertThat(store.close(Duration.ofSeconds(1))).isZero();
    assertThat(store.openStores()).isZero();
    assertThatThrownBy(() -> store.find(key("late", "1")))
        .isInstanceOf(FailoverStoreException.class)
        .hasMessageContaining("close it after its callers");
  }

  @Test
  void theStoreThatWasNotUsedForTheLongestTimeMakesRoom() {
    MultiTenantFailoverStore store = store(all, 2);
    store.store(answer(key("a", "1"), 1));
    store.store(answer(key("b", "1"), 1));
    store.store(answer(key("a", "2"), 1));
    store.store(answer(key("c", "1"), 1)); // b goes
    store.store(answer(key("a", "3"), 1));
    assertThat(tables.made("a")).isOne();
    store.store(answer(key("b", "2"), 1));
    assertThat(tables.made("b")).isEqualTo(2);
  }

  @Test
  void changesInTheSharedStoreAndThoseOfKnownTenantsAreAskedForAlsoWhenTheyHadToMakeRoom() {
    MultiTenantFailoverStore store = store(all.known(List.of("a", "b")), 1);
    store.store(answer(key("stranger", "1"), 1));
    store.store(answer(key("a", "1"), 1));
    store.store(answer(key("b", "1"), 1));
    store.changes(HOUR, 10);
    assertThat(List.of(tables.made(TenantStoreFactory.SINGLE), tables.made("a")))
        .containsExactly(2, 2);
  }

  @Test
  void aSweepCleansTenantsThatNobodyHasUsedAndOneThatFailsHoldsUpNoOther() {
    tables.shared.add("shared");
    for (String tenant : List.of("a", "b", "c", TenantStoreFactory.SINGLE)) {
      tables.table(tenant).store(answer(CanonicalKeys.ofText("price", "1"), 1));
    }
    TenantStoreFactory factory =
        new TenantStoreFactory() {
          @Override
          public FailoverStore create(String tenant) {
            if (tenant.equals("b")) {
              throw new FailoverStoreException("told to fail", null);
            }
            return tables.create(tenant);
          }

          @Override
          public boolean isShared(String tenant) {
            return tables.isShared(tenant);
          }
        };
    MultiTenantFailoverStore store =
        new MultiTenantFailoverStore(
            all.known(List.of("a", "b", "c", "shared")).strict(), factory, 10, time);
    assertThatThrownBy(() -> store.sweep(NOW.plus(HOUR).plusSeconds(1), HOUR))
        .hasMessage("told to fail");
    for (String tenant : List.of("a", "c", TenantStoreFactory.SINGLE)) {
      assertThat(tables.table(tenant).liveEntryCount("price")).as(tenant).isZero();
    }
    assertThat(tables.table("b").liveEntryCount("price")).isOne();
    assertThatThrownBy(store::start)
        .isInstanceOf(FailoverStoreException.class)
        .hasMessageContaining("tenant 'b'")
        .hasMessageContaining("told to fail");
  }

  @Test
  void aStoreThatNobodyCanNeedIsNotMade() {
    MultiTenantFailoverStore strict = store(all.known(List.of("a")).strict(), 10);
    strict.start();
    strict.sweep(NOW, HOUR);
    assertThat(tables.made).containsOnlyKeys("a");
    MultiTenantFailoverStore open = store(all.known(List.of("a")), 10);
    open.start();
    assertThat(tables.made).containsOnlyKeys("a", TenantStoreFactory.SINGLE);
  }

  /** A store that tells changes within the time it is asked for. */
  private static final class ChangingStore extends ForwardingStore {
    final List<StoreChange> changes = new ArrayList<>();
    volatile boolean isDown;
    volatile Duration asked = Duration.ZERO;

    ChangingStore() {
      super(new InMemoryFailoverStore());
    }

    @Override
    void use() {}

    @Override
    public Optional<List<StoreChange>> changes(Duration last, int limit) {
      if (isDown) {
        throw FailoverStoreException.unavailable("told to be down", null);
      }
      asked = last;
      return Optional.of(changes.subList(0, Math.min(limit, changes.size())));
    }
  }

  private static StoreChange removal(String name, String id) {
    return new StoreChange(name, id, null);
  }

  @Test
  void changesAreThoseOfEachTenantAndWhatWasMissedOfOneIsAskedForLater() {
    Map<String, ChangingStore> changing = new ConcurrentHashMap<>();
    TenantStoreFactory factory =
        tenant -> changing.computeIfAbsent(tenant, id -> new ChangingStore());
    MultiTenantFailoverStore store =
        new MultiTenantFailoverStore(all.known(List.of("a", "b", "unused")), factory, 10, time);
    assertThat(store.changes(HOUR, 100)).contains(List.of());
    store.store(answer(key("a", "1"), 1));
    store.store(answer(key("b", "1"), 1));
    store.store(answer(key("stranger", "1"), 1));
    String inShared =
        changing
            .get(TenantStoreFactory.SINGLE)
            .target
            .names()
            .map(Set::iterator)
            .orElseThrow()
            .next();
    changing.get("a").changes.add(removal("price", "1"));
    changing.get("b").changes.add(removal("price", null));
    changing.get(TenantStoreFactory.SINGLE).changes.add(removal(inShared, "3"));
    assertThat(store.changes(Duration.ofSeconds(20), 100).orElseThrow())
        .extracting(StoreChange::name)
        .containsExactly(
            StoredName.text("a", "price"),
            StoredName.text("b", "price"),
            StoredName.text("stranger", "price"));
    assertThat(changing).doesNotContainKey("unused");
    changing.get("b").isDown = true;
    assertThat(store.changes(Duration.ofSeconds(20), 100).orElseThrow()).hasSize(2);
    time.advance(HOUR);
    assertThat(store.changes(Duration.ofSeconds(20), 100).orElseThrow()).hasSize(2);
    changing.get("b").isDown = false;
    assertThat(store.changes(Duration.ofSeconds(20), 100).orElseThrow()).hasSize(3);
    assertThat(changing.get("b").asked).isEqualTo(HOUR.plusSeconds(20));
    assertThat(changing.get("a").asked).isEqualTo(Duration.ofSeconds(20));
    store.changes(Duration.ofSeconds(20), 100);
    assertThat(changing.get("b").asked).isEqualTo(Duration.ofSeconds(20));
    assertThat(store.changes(Duration.ofSeconds(20), 1).orElseThrow())
        .as("removals alone, as many as were asked for: there may be more")
        .hasSize(1);
    changing.values().forEach(it -> it.isDown = true);
    assertThatThrownBy(() -> store.changes(HOUR, 100)).hasMessage("told to be down");
  }

  @Test
  void theBoundMustBeOneOrMore() {
    assertThatThrownBy(() -> store(all, 0))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("maxStores must be 1 or more but was 0");
  }
}
