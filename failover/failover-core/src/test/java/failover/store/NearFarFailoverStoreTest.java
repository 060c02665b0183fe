package failover.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import failover.key.StoreKey;
import failover.key.canonical.CanonicalKeys;
import failover.store.FailoverStore.DropReason;
import failover.store.FailoverStore.StoreChange;
import failover.store.FailoverStore.StoreListener;
import failover.store.FailoverStore.StoredEntry;
import failover.store.ReferentialPayload.Payload;
import holdfast.testkit.threads.Eventually;
import holdfast.testkit.time.SettableTime;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class NearFarFailoverStoreTest extends FailoverStoreContract {
  private final StoreKey key = CanonicalKeys.ofText("price", "1");
  private final InMemoryFailoverStore near = new InMemoryFailoverStore();
  private final InMemoryFailoverStore far = new InMemoryFailoverStore();

  @Override
  protected FailoverStore newStore() {
    return new NearFarFailoverStore(near, new WriteSkippingFailoverStore(far));
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

  @Test
  void whatFoundNoRoomIsKeptBySweepsAndWrittenWhenTheFarStoreIsBack() throws Exception {
    SettableTime time = new SettableTime();
    SettableTime queueTime = new SettableTime();
    IdStore table = new IdStore();
    table.writesFail = true;
    AsyncFailoverStore queue = new AsyncFailoverStore(table, 3, StoreListener.NONE, queueTime);
    NearFarFailoverStore store = new NearFarFailoverStore(near, queue, Duration.ofSeconds(5), time);
    time.awaitSleepers(1); // its first check is over: another would store again what is dropped
    for (int i = 0; i < 10; i++) {
      StoreKey of = CanonicalKeys.ofText("price", Integer.toString(i));
      store.store(
          new ReferentialPayload(
              of, NOW, NOW.plusSeconds(9_000), Payload.ofBytes("a.Type", 1, new byte[] {1})));
    }
    assertThat(queue.dropped()).isEqualTo(7);
    store.sweep(NOW, Duration.ofHours(1));
    assertThat(near.liveEntryCount("price")).isEqualTo(10);
    StoreKey forgotten = CanonicalKeys.ofText("price", "9");
    assertThatThrownBy(() -> store.delete(forgotten)).isInstanceOf(FailoverStoreException.class);
    queueTime.awaitSleepers(1); // no write is being tried, to fail and wait for a second from now
    table.writesFail = false;
    for (int i = 0; i < 10; i++) {
      queueTime.advance(Duration.ofSeconds(2));
      Eventually.await("the queue is empty", () -> queue.waiting() == 0);
      time.awaitSleepers(1);
      time.advance(Duration.ofSeconds(5));
    }
    Eventually.await("all is written", () -> table.entries("price", 100).size() == 9);
    store.sweep(NOW, Duration.ofHours(1));
    assertThat(near.liveEntryCount("price")).isEqualTo(9);
    assertThat(table.find(forgotten)).isEmpty();
    store.close(Duration.ofSeconds(10));
  }

  @Test
  void whatIsNoLongerNearIsForgottenSoThatTheNextDropIsRemembered() {
    UnwrittenCopies unwritten = new UnwrittenCopies(near, far);
    NearCopies copies = new NearCopies(near, far, unwritten, new SettableTime());
    copies.remember("price");
    for (int i = 0; i < 10_000; i++) { // as many as are remembered
      unwritten.dropped(CanonicalKeys.ofText("price", "gone" + i), DropReason.REFUSED);
    }
    copies.followAll();
    near.store(answer());
    unwritten.dropped(key, DropReason.QUEUE_FULL);
    copies.followAll();
    assertThat(near.find(key)).isPresent();
  }

  /**
   * A store that does something when it has been read, before it gives what it has read; and tells
   * of one removal.
   */
  private static final class WatchedStore extends ForwardingFailoverStore {
    private final StoreKey removed;
    private final Runnable whenRead;

    WatchedStore(FailoverStore target, StoreKey removed, Runnable whenRead) {
      super(target);
      this.removed = removed;
      this.whenRead = whenRead;
    }

    private <A> A read(A answer) {
      whenRead.run();
      return answer;
    }

    @Override
    public void store(ReferentialPayload answer) {
      target.store(answer);
    }

    @Override
    public void delete(StoreKey key) {
      target.delete(key);
    }

    @Override
    public Optional<ReferentialPayload> find(StoreKey key) {
      return target.find(key);
    }

    @Override
    public List<StoredEntry> entries(String name, int limit) {
      return read(target.entries(name, limit));
    }

    @Override
    public Map<StoreKey, Instant> momentsOf(Collection<StoreKey> keys) {
      return read(target.momentsOf(keys));
    }

    @Override
    public Optional<List<StoreChange>> changes(Duration last, int limit) {
      return Optional.of(List.of(new StoreChange(removed.name(), removed.id(), null)));
    }

    @Override
    public void deleteUnlessNewer(StoreKey key, Instant asOf) {
      target.deleteUnlessNewer(key, asOf);
    }
  }

  private ReferentialPayload newer() {
    return new ReferentialPayload(
        key, NOW.plusSeconds(1), NOW.plusSeconds(9), Payload.tombstone("a.Type", 1));
  }

  private NearCopies copies(FailoverStore watchedNear, FailoverStore watchedFar) {
    UnwrittenCopies unwritten = new UnwrittenCopies(watchedNear, watchedFar);
    NearCopies copies = new NearCopies(watchedNear, watchedFar, unwritten, new SettableTime());
    copies.remember("price");
    near.store(answer());
    return copies;
  }

  private void assertNewerIsNear() {
    assertThat(near.find(key).map(ReferentialPayload::asOf)).contains(newer().asOf());
  }

  @Test
  void whatIsStoredWhileTheFarOneIsReadStaysNear() {
    copies(near, new WatchedStore(far, key, () -> near.store(newer()))).followAll();
    assertNewerIsNear();
  }

  @Test
  void soDoesWhatIsStoredWhileChangesOfOthersAreFollowed() {
    FailoverStore watched = new WatchedStore(near, key, () -> near.store(newer()));
    copies(watched, new WatchedStore(far, key, () -> {})).check();
    assertNewerIsNear();
  }

  @Test
  void whatIsTooLargeForTheNearOneIsReadFromTheFarOne() {
    FailoverStore store = new NearFarFailoverStore(new InMemoryFailoverStore(10, 1_000), far);
    ReferentialPayload small =
        new ReferentialPayload(
            key, NOW, NOW.plusSeconds(9), Payload.ofBytes("a.Type", 1, new byte[10]));
    ReferentialPayload large =
        new ReferentialPayload(
            key,
            NOW.plusSeconds(1),
            NOW.plusSeconds(9),
            Payload.ofBytes("a.Type", 2, new byte[2_000]));
    store.store(small);
    store.store(large);
    assertThat(store.find(key).orElseThrow().payload().schemaVersion()).isEqualTo(2);
    assertThat(store.find(key).orElseThrow().payload().schemaVersion()).isEqualTo(2);
  }
}
