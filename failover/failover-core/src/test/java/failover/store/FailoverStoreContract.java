package failover.store;

import static org.assertj.core.api.Assertions.assertThat;

import failover.key.StoreKey;
import failover.key.canonical.CanonicalKeys;
import failover.store.FailoverStore.StoredEntry;
import failover.store.ReferentialPayload.Payload;
import holdfast.testkit.threads.Together;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * What every store does, to be extended by the test of one. Each test gets a store of its own from
 * {@link #newStore}. Moments are near the present of the clock the store is given.
 */
public abstract class FailoverStoreContract {
  /** What time the store takes it to be. */
  protected static final Instant NOW = Instant.parse("2026-01-01T00:00:00Z");

  private FailoverStore store;

  /** An empty store that holds at least a hundred answers. */
  protected abstract FailoverStore newStore() throws Exception;

  private FailoverStore store() throws Exception {
    if (store == null) {
      store = newStore();
    }
    return store;
  }

  /** Closes the store of the test. */
  @AfterEach
  public void closeStore() {
    if (store != null) {
      store.close(Duration.ofSeconds(10));
    }
  }

  /** How many bytes a content takes in the store; more than it has for those that encrypt. */
  protected long storedBytes(int content) {
    return content;
  }

  /** Under which name the store keeps an effective name; for stores of tenants a tenant's. */
  protected String storedName(String effectiveName) {
    return effectiveName;
  }

  private StoreKey key(String name, String arg) {
    return CanonicalKeys.ofText(storedName(name), arg);
  }

  private static ReferentialPayload answer(StoreKey key, Duration asOf, String content) {
    return new ReferentialPayload(
        key,
        NOW.plus(asOf),
        NOW.plus(asOf).plus(Duration.ofHours(1)),
        Payload.ofBytes("java.lang.String", 3, content.getBytes(StandardCharsets.UTF_8)));
  }

  private static String content(ReferentialPayload answer) {
    return new String(answer.payload().bytes(), StandardCharsets.UTF_8);
  }

  private String stored(StoreKey key) throws Exception {
    return store().find(key).map(FailoverStoreContract::content).orElse(null);
  }

  @Test
  void whatWasStoredIsFoundWithAllItHas() throws Exception {
    StoreKey key = key("price", "1");
    Instant asOf = NOW.plusNanos(123_456_789);
    byte[] bytes = new byte[70_000];
    for (int i = 0; i < bytes.length; i++) {
      bytes[i] = (byte) i;
    }
    store()
        .store(
            new ReferentialPayload(
                key, asOf, asOf.plusSeconds(60), Payload.ofBytes("a.Type", 7, bytes)));
    ReferentialPayload found = store().find(key).orElseThrow();
    assertThat(found.asOf()).isEqualTo("2026-01-01T00:00:00.123456Z");
    assertThat(found.expireOn()).isEqualTo("2026-01-01T00:01:00.123456Z");
    assertThat(found.payload().bytes()).isEqualTo(bytes);
    assertThat(found.payload().schemaVersion()).isEqualTo(7);
    assertThat(found.payload().type()).isEqualTo("a.Type");
    assertThat(found.payload().isTombstone()).isFalse();
    assertThat(found.key().id()).isEqualTo(key.id());
  }

  @Test
  void keysAndNamesAreToldApart() throws Exception {
    store().store(answer(key("price", "1"), Duration.ZERO, "a"));
    store().store(answer(key("price", "2"), Duration.ZERO, "b"));
    store().store(answer(key("stock", "1"), Duration.ZERO, "c"));
    assertThat(stored(key("price", "1"))).isEqualTo("a");
    assertThat(stored(key("price", "2"))).isEqualTo("b");
    assertThat(stored(key("stock", "1"))).isEqualTo("c");
    assertThat(stored(key("stock", "2"))).isNull();
    assertThat(stored(key("PRICE", "1"))).isNull();
  }

  @Test
  void aNewerAnswerReplacesAnOlderOneAndNotTheOtherWayRound() throws Exception {
    StoreKey key = key("price", "1");
    store().store(answer(key, Duration.ofSeconds(10), "young"));
    store().store(answer(key, Duration.ofSeconds(9), "old"));
    assertThat(stored(key)).isEqualTo("young");
    store().store(answer(key, Duration.ofSeconds(10), "as young"));
    assertThat(stored(key)).isEqualTo("as young");
    store().store(answer(key, Duration.ofSeconds(11), "younger"));
    assertThat(stored(key)).isEqualTo("younger");
    assertThat(store().find(key).orElseThrow().expireOn()).isEqualTo(NOW.plusSeconds(3_611));
  }

  @Test
  void aTombstoneIsAnAnswerLikeAnyOther() throws Exception {
    StoreKey key = key("price", "1");
    store().store(answer(key, Duration.ZERO, "a"));
    store()
        .store(
            new ReferentialPayload(
                key, NOW.plusSeconds(1), NOW.plusSeconds(60), Payload.tombstone("a.Type", 1)));
    assertThat(store().find(key).orElseThrow().payload().isTombstone()).isTrue();
    store().store(answer(key, Duration.ofSeconds(2), "b"));
    assertThat(store().find(key).orElseThrow().payload().isTombstone()).isFalse();
  }

  @Test
  void anImmutableValueIsStoredAsWell() throws Exception {
    StoreKey key = key("price", "1");
    store()
        .store(
            new ReferentialPayload(
                key,
                NOW,
                NOW.plusSeconds(60),
                Payload.ofValue(
                    "java.lang.String", 1, "a", () -> "a".getBytes(StandardCharsets.UTF_8))));
    assertThat(stored(key)).isEqualTo("a");
  }

  @Test
  void whatIsDeletedIsGoneAndMayComeBack() throws Exception {
    StoreKey key = key("price", "1");
    store().store(answer(key, Duration.ofSeconds(5), "a"));
    store().store(answer(key("price", "2"), Duration.ZERO, "b"));
    store().delete(key);
    store().delete(key("price", "3"));
    assertThat(stored(key)).isNull();
    assertThat(stored(key("price", "2"))).isEqualTo("b");
    store().store(answer(key, Duration.ofSeconds(1), "c"));
    assertThat(stored(key)).isEqualTo("c");
  }

  @Test
  void anAnswerIsRemovedUnlessANewerOneHasTakenItsPlace() throws Exception {
    StoreKey key = key("price", "1");
    store().deleteUnlessNewer(key, NOW);
    store().store(answer(key, Duration.ofSeconds(5), "a"));
    settle(store());
    store().deleteUnlessNewer(key, NOW.plusSeconds(4));
    settle(store());
    assertThat(stored(key)).isEqualTo("a");
    store().deleteUnlessNewer(key, NOW.plusSeconds(5));
    settle(store());
    assertThat(stored(key)).isNull();
    store().store(answer(key, Duration.ofSeconds(1), "b"));
    settle(store());
    store().deleteUnlessNewer(StoreKey.stored(storedName("price"), key.id()), NOW.plusSeconds(2));
    settle(store());
    assertThat(stored(key)).isNull();
  }

  /** For stores in memory: what is stored while an older answer is removed stays. */
  protected static void assertNewestStays(FailoverStore store) throws Exception {
    StoreKey key = CanonicalKeys.ofText("price", "1");
    AtomicInteger next = new AtomicInteger();
    Together.runAll(
        4,
        () -> {
          for (int i = 0; i < 20_000; i++) {
            Duration asOf = Duration.ofMillis(next.incrementAndGet());
            store.store(answer(key, asOf, "a"));
            store.deleteUnlessNewer(key, NOW.plus(asOf).minusMillis(1));
          }
        });
    assertThat(store.find(key).orElseThrow().asOf()).isEqualTo(NOW.plusMillis(next.get()));
  }

  @Test
  void whatIsUnderANameIsListedWithoutContentTheNewestFirst() throws Exception {
    store()
        .storeAll(
            List.of(
                answer(key("price", "1"), Duration.ZERO, "a"),
                answer(key("price", "2"), Duration.ofSeconds(2), "bcd"),
                answer(key("price", "3"), Duration.ofSeconds(1), "c"),
                answer(key("stock", "1"), Duration.ZERO, "d")));
    settle(store());
    List<StoredEntry> newest = store().entries(storedName("price"), 2);
    assertThat(newest)
        .extracting(entry -> entry.key().id())
        .containsExactly(key("price", "2").id(), key("price", "3").id());
    assertThat(newest.get(0).asOf()).isEqualTo(NOW.plusSeconds(2));
    assertThat(newest.get(0).expireOn()).isEqualTo(NOW.plusSeconds(3_602));
    assertThat(newest.get(0).type()).isEqualTo("java.lang.String");
    assertThat(newest.get(0).schemaVersion()).isEqualTo(3);
    assertThat(newest.get(0).isTombstone()).isFalse();
    assertThat(newest.get(0).bytes()).isEqualTo(storedBytes(3));
    assertThat(store().entries(storedName("price"), 100)).hasSize(3);
    assertThat(store().entries(storedName("nothing"), 100)).isEmpty();
  }

  @Test
  void anAnswerIsRemovedAndMadeToExpireByItsId() throws Exception {
    StoreKey one = key("price", "1");
    StoreKey two = key("price", "2");
    store().storeAll(List.of(answer(one, Duration.ZERO, "a"), answer(two, Duration.ZERO, "b")));
    StoreKey listed = StoreKey.stored(storedName("price"), one.id());
    assertThat(store().momentsOf(List.of(listed, StoreKey.stored(storedName("price"), "unknown"))))
        .isEqualTo(Map.of(listed, NOW));
    store().store(ReferentialPayload.expired(listed, NOW, NOW.plusSeconds(10), "a.Type", 1));
    settle(store());
    store().store(answer(one, Duration.ofSeconds(9), "too late"));
    settle(store());
    ReferentialPayload expired = store().find(one).orElseThrow();
    assertThat(expired.asOf()).isEqualTo(NOW.plusSeconds(10));
    assertThat(expired.expireOn()).isBefore(NOW.plusSeconds(10));
    store().delete(listed);
    settle(store());
    assertThat(stored(one)).isNull();
    assertThat(stored(two)).isEqualTo("b");
  }

  @Test
  void allUnderANameExpireAndAreRemoved() throws Exception {
    StoreKey one = key("price", "1");
    store()
        .storeAll(
            List.of(
                answer(one, Duration.ZERO, "a"),
                answer(key("price", "2"), Duration.ofSeconds(20), "b"),
                answer(key("stock", "1"), Duration.ZERO, "c")));
    settle(store());
    assertThat(store().expireAll(storedName("price"), NOW.plusSeconds(10))).isEqualTo(2);
    settle(store());
    assertThat(store().entries(storedName("price"), 100))
        .allSatisfy(entry -> assertThat(entry.expireOn()).isBefore(NOW.plusSeconds(10)))
        .extracting(StoredEntry::asOf)
        .containsExactly(NOW.plusSeconds(20), NOW.plusSeconds(10));
    store().store(answer(one, Duration.ofSeconds(9), "too late"));
    assertThat(store().find(one).orElseThrow().expireOn()).isBefore(NOW.plusSeconds(10));
    settle(store());
    assertThat(store().deleteAll(storedName("price"))).isEqualTo(2);
    settle(store());
    assertThat(store().entries(storedName("price"), 100)).isEmpty();
    assertThat(stored(one)).isNull();
    assertThat(stored(key("stock", "1"))).isEqualTo("c");
  }

  @Test
  void manyAreFoundAtOnce() throws Exception {
    List<StoreKey> keys = new ArrayList<>();
    List<ReferentialPayload> answers = new ArrayList<>();
    for (int i = 0; i < 90; i++) {
      StoreKey key = key(i % 2 == 0 ? "price" : "stock", Integer.toString(i));
      keys.add(key);
      answers.add(answer(key, Duration.ofSeconds(i), "v" + i));
    }
    store().storeAll(answers);
    keys.add(key("price", "unknown"));
    keys.add(key("nothing", "1"));
    List<ReferentialPayload> found = store().findAll(keys);
    assertThat(found)
        .extracting(ReferentialPayload::key)
        .containsExactlyInAnyOrderElementsOf(keys.subList(0, 90));
    assertThat(found)
        .allSatisfy(it -> assertThat(content(it)).isEqualTo("v" + keys.indexOf(it.key())));
    assertThat(store().findAll(List.of(keys.get(3)))).hasSize(1);
    assertThat(store().findAll(List.<StoreKey>of())).isEmpty();
    Map<StoreKey, Instant> moments = store().momentsOf(keys);
    assertThat(moments).hasSize(90);
    assertThat(moments.get(keys.get(7))).isEqualTo(NOW.plusSeconds(7));
  }

  @Test
  void whatWasListedIsFoundAtOnce() throws Exception {
    List<ReferentialPayload> answers = new ArrayList<>();
    for (int i = 0; i < 30; i++) {
      StoreKey key = key(i % 3 == 0 ? "stock" : "price", Integer.toString(i));
      answers.add(answer(key, Duration.ofSeconds(i), "v" + i));
    }
    store().storeAll(answers);
    List<StoreKey> listed =
        store().entries(storedName("price"), 100).stream()
            .map(entry -> StoreKey.stored(storedName("price"), entry.key().id()))
            .toList();
    assertThat(listed).hasSize(20);
    List<ReferentialPayload> found = store().findAll(listed);
    assertThat(found)
        .extracting(ReferentialPayload::key)
        .containsExactlyInAnyOrderElementsOf(listed);
    assertThat(found)
        .extracting(FailoverStoreContract::content)
        .contains("v1", "v29")
        .doesNotContain("v0");
    store().storeAll(List.of(answer(key("price", "1"), Duration.ofSeconds(60), "newer")));
    settle(store());
    assertThat(stored(key("price", "1"))).isEqualTo("newer");
  }

  @Test
  void ofManyWithOneKeyTheNewestIsKept() throws Exception {
    StoreKey key = key("price", "1");
    store().storeAll(List.of());
    store()
        .storeAll(
            List.of(
                answer(key, Duration.ofSeconds(1), "old"),
                answer(key, Duration.ofSeconds(2), "young"),
                answer(key, Duration.ZERO, "oldest")));
    assertThat(stored(key)).isEqualTo("young");
    settle(store());
    assertThat(stored(key)).isEqualTo("young");
  }

  @Test
  void anOlderAnswerOfManyReplacesNothing() throws Exception {
    StoreKey key = key("price", "1");
    store().store(answer(key, Duration.ofSeconds(10), "young"));
    store()
        .storeAll(
            List.of(
                answer(key, Duration.ofSeconds(9), "old"),
                answer(key("price", "2"), Duration.ofSeconds(9), "other")));
    assertThat(stored(key)).isEqualTo("young");
    assertThat(stored(key("price", "2"))).isEqualTo("other");
  }

  @Test
  void anAnswerMadeToExpireKeepsOlderOnesOutUntilItIsSwept() throws Exception {
    StoreKey key = key("price", "1");
    store().store(answer(key, Duration.ofSeconds(-20), "a"));
    store().store(store().find(key).orElseThrow().expiredAt(NOW));
    assertThat(store().find(key).orElseThrow().expireOn()).isBefore(NOW);
    store().store(answer(key, Duration.ofSeconds(-10), "too late"));
    assertThat(store().find(key).orElseThrow().expireOn()).isBefore(NOW);
    store().store(answer(key, Duration.ofSeconds(1), "b"));
    assertThat(stored(key)).isEqualTo("b");
    assertThat(store().find(key).orElseThrow().expireOn()).isAfter(NOW);
  }

  @Test
  void theSweepTakesWhatExpiredBeforeAndNothingElse() throws Exception {
    StoreKey gone = key("price", "gone");
    StoreKey last = key("price", "last");
    StoreKey later = key("price", "later");
    store().store(answer(gone, Duration.ofSeconds(-3_599).minusNanos(1_000), "a"));
    store().store(answer(last, Duration.ofSeconds(-3_599), "b"));
    store().store(answer(later, Duration.ZERO, "c"));
    settle(store());
    store().cleanByExpiry(NOW.plusSeconds(1));
    assertThat(stored(gone)).isNull();
    assertThat(stored(last)).isEqualTo("b");
    assertThat(stored(later)).isEqualTo("c");
  }

  /** Has the store write what it still has to; for those that write later. */
  protected void settle(FailoverStore store) throws Exception {}

  @Test
  void ofManyWritersTheNewestWins() throws Exception {
    store();
    StoreKey key = key("price", "1");
    AtomicInteger next = new AtomicInteger();
    Together.runAll(
        8,
        () -> {
          for (int i = 0; i < 25; i++) {
            int number = next.getAndIncrement();
            store().store(answer(key, Duration.ofSeconds(number), "v" + number));
          }
        });
    assertThat(stored(key)).isEqualTo("v199");
  }
}
