package failover.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import failover.codec.PayloadCodec.CodecException;
import failover.key.StoreKey;
import failover.key.canonical.CanonicalKeys;
import failover.store.AsyncFailoverStore.WhenFull;
import failover.store.FailoverStore.DropReason;
import failover.store.FailoverStore.StoreListener;
import failover.store.ReferentialPayload.Payload;
import holdfast.testkit.threads.Eventually;
import holdfast.testkit.time.SettableTime;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class AsyncFailoverStoreTest {
  private static final Instant NOW = SettableTime.START;

  private final SettableTime time = new SettableTime();
  private final GatedStore target = GatedStore.hungWrites();
  private final List<String> told = new CopyOnWriteArrayList<>();
  private final StoreListener listener =
      new StoreListener() {
        @Override
        public void failed(String name, String operation, RuntimeException failure) {
          told.add("failed " + operation + " " + name);
        }

        @Override
        public void dropped(StoreKey key, DropReason reason) {
          told.add("dropped " + key.name() + " " + reason.code());
        }
      };

  private AsyncFailoverStore store(int capacity) {
    return new AsyncFailoverStore(target, capacity, listener, time);
  }

  private static StoreKey key(int arg) {
    return CanonicalKeys.ofText("price", Integer.toString(arg));
  }

  private static ReferentialPayload answer(int arg, int version) {
    return new ReferentialPayload(
        key(arg),
        NOW.plusSeconds(version),
        NOW.plusSeconds(1_000),
        Payload.ofBytes("a.Type", version, new byte[] {(byte) version}));
  }

  private static int version(FailoverStore store, int arg) {
    return store.find(key(arg)).map(found -> found.payload().schemaVersion()).orElse(-1);
  }

  @Test
  void callersDoNotWaitAndSeeWhatWaits() {
    try (AsyncFailoverStore store = store(10)) {
      store.store(answer(1, 1));
      assertThat(version(store, 1)).isEqualTo(1);
      assertThat(version(target.memory, 1)).isEqualTo(-1);
      store.delete(key(1));
      assertThat(version(store, 1)).isEqualTo(-1);
      assertThat(store.entries("price", 100)).isEmpty();
      target.permits.release(100);
    }
  }

  @Test
  void anOlderAnswerThatWaitsDoesNotHideTheStoredOne() {
    try (AsyncFailoverStore store = store(10)) {
      target.memory.store(answer(1, 2));
      store.store(answer(1, 1));
      assertThat(version(store, 1)).isEqualTo(2);
      assertThat(store.findAll(List.of(key(1))))
          .singleElement()
          .extracting(found -> found.payload().schemaVersion())
          .isEqualTo(2);
      target.permits.release(100);
    }
  }

  @Test
  void anAnswerAfterARemovalDoesNotUndoIt() {
    try (AsyncFailoverStore store = store(10)) {
      target.memory.store(answer(1, 2));
      store.store(answer(0, 1)); // keeps the writer busy
      Eventually.await("the writer is busy", () -> target.attempts.get() == 1);
      store.delete(key(1));
      store.store(answer(1, 1)); // older than what was removed
      assertThat(version(store, 1)).isEqualTo(1);
      target.permits.release(100);
      Eventually.await("all is written", () -> store.waiting() == 0);
      assertThat(version(target.memory, 1)).isEqualTo(1);
    }
  }

  @Test
  void theLatestOfEachKeyIsWritten() {
    try (AsyncFailoverStore store = store(10)) {
      store.store(answer(0, 1)); // keeps the writer busy
      Eventually.await("the writer is busy", () -> target.attempts.get() == 1);
      for (int version = 1; version <= 100; version++) {
        store.store(answer(1, version));
      }
      store.store(answer(1, 50)); // late, and older
      assertThat(store.waiting()).isEqualTo(2);
      target.permits.release(100);
      Eventually.await("all is written", () -> store.waiting() == 0);
      assertThat(version(target.memory, 1)).isEqualTo(100);
      assertThat(target.attempts).hasValue(2);
      assertThat(store.dropped()).isZero();
    }
  }

  @Test
  void whatFindsNoRoomIsDroppedAndCounted() {
    try (AsyncFailoverStore store = store(2)) {
      store.store(answer(1, 1));
      store.store(answer(2, 1));
      store.store(answer(3, 1));
      store.store(answer(2, 2)); // has a place
      assertThat(store.dropped()).isEqualTo(1);
      assertThat(told).containsExactly("dropped price queue_full");
      assertThat(version(store, 3)).isEqualTo(-1);
      assertThat(version(store, 2)).isEqualTo(2);
      target.permits.release(100);
    }
  }

  @Test
  void aCallerMayWriteItselfOrBeTold() {
    try (AsyncFailoverStore store =
        new AsyncFailoverStore(target, 1, 1_000, WhenFull.CALLER_RUNS, listener, time)) {
      store.store(answer(1, 1));
      Eventually.await("the writer is busy", () -> target.attempts.get() == 1);
      target.permits.release(100);
      store.store(answer(2, 1));
      store.store(answer(3, 1));
      Eventually.await("all is written", () -> store.waiting() == 0);
      assertThat(target.memory.entries("price", 100)).hasSize(3);
      assertThat(store.dropped()).isZero();
    }
    GatedStore busy = GatedStore.hungWrites();
    try (AsyncFailoverStore store =
        new AsyncFailoverStore(busy, 1, 1_000, WhenFull.ABORT, listener, time)) {
      store.store(answer(1, 1));
      assertThatThrownBy(() -> store.store(answer(2, 1)))
          .isInstanceOf(FailoverStoreException.class)
          .hasMessageContaining("failover 'price'")
          .hasMessageContaining("at most 1 writes of 1000 bytes wait")
          .hasMessageEndingWith(DropReason.QUEUE_FULL.fix());
      assertThat(store.dropped()).isEqualTo(1);
      busy.permits.release(100);
    }
  }

  @Test
  void aWriteThatFailsIsTriedAgainWithWhatIsLatestThen() throws InterruptedException {
    try (AsyncFailoverStore store = store(10)) {
      target.failing = true;
      target.permits.release(100);
      store.store(answer(1, 1));
      Eventually.await("it failed", () -> told.contains("failed store price"));
      assertThat(version(store, 1)).isEqualTo(1);
      target.failing = false;
      store.store(answer(1, 2));
      Eventually.await("all is written", () -> store.waiting() == 0);
      assertThat(version(target.memory, 1)).isEqualTo(2);
      target.failing = true;
      store.store(answer(1, 3));
      Eventually.await("it failed again", () -> store.failed() >= 2);
      target.failing = false;
      time.awaitSleepers(1);
      time.advance(Duration.ofSeconds(2)); // by itself
      Eventually.await("all is written", () -> store.waiting() == 0);
      assertThat(version(target.memory, 3 - 2)).isEqualTo(3);
    }
  }

  @Test
  void closingWritesWhatWaitsAndTellsWhatItCouldNot() {
    AsyncFailoverStore store = store(10);
    target.permits.release(100);
    for (int i = 0; i < 10; i++) {
      store.store(answer(i, 1));
    }
    assertThat(store.close(Duration.ofSeconds(30))).isZero();
    assertThat(target.memory.entries("price", 100)).hasSize(10);
    store.store(answer(11, 1));
    assertThat(store.dropped()).isEqualTo(1);
    assertThat(store.close(Duration.ofSeconds(30))).isZero();
  }

  @Test
  void closingABrokenStoreEnds() {
    AsyncFailoverStore store = store(10);
    target.failing = true;
    target.permits.release(100);
    for (int i = 0; i < 5; i++) {
      store.store(answer(i, 1));
    }
    assertThat(store.close(Duration.ofSeconds(30))).isEqualTo(5);
  }

  @Test
  void closingDoesNotWaitLongerForAWriteThatHangs() {
    AsyncFailoverStore store = store(10);
    target.failing = true;
    target.permits.release(1);
    store.store(answer(1, 1));
    Eventually.await("it failed", () -> told.contains("failed store price"));
    assertThat(store.close(Duration.ofMillis(50))).isEqualTo(1); // the second try hangs
    target.permits.release(100);
  }

  @Test
  void aWriteThatIsAlwaysRefusedDoesNotHoldUpOthers() throws InterruptedException {
    target.refusedKeys.add(key(1));
    target.permits.release(1_000);
    try (AsyncFailoverStore store = store(10)) {
      for (int arg = 1; arg <= 5; arg++) {
        store.store(answer(arg, 1));
      }
      for (int i = 0; i < 3; i++) {
        time.awaitSleepers(1);
        time.advance(Duration.ofSeconds(1));
      }
      Eventually.await("the others are written", () -> store.waiting() == 1);
      assertThat(version(target.memory, 5)).isEqualTo(1);
      assertThat(told).containsOnly("failed store price");
      store.store(answer(6, 1));
      assertThat(store.close(Duration.ofSeconds(5))).isEqualTo(1);
      assertThat(version(target.memory, 6)).isEqualTo(1);
    }
  }

  @Test
  void writesThatAreAlwaysRefusedDelayNoOtherAndAreDropped() throws InterruptedException {
    for (int bad = 1_000; bad < 1_020; bad++) {
      target.refusedKeys.add(key(bad));
    }
    try (AsyncFailoverStore store = store(200)) {
      store.store(answer(0, 1)); // keeps the writer busy
      Eventually.await("the writer is busy", () -> target.attempts.get() == 1);
      for (int bad = 1_000; bad < 1_020; bad++) {
        store.store(answer(bad, 1));
      }
      for (int good = 1; good <= 100; good++) {
        store.store(answer(good, 1));
      }
      target.permits.release(100_000);
      Eventually.await("the others are written at once", () -> store.waiting() == 20);
      for (int version = 2; store.waiting() > 0; version++) {
        time.awaitSleepers(1);
        store.store(answer(0, version)); // the store takes others meanwhile
        int left = version;
        Eventually.await("the other is written", () -> version(target.memory, 0) == left);
        time.advance(Duration.ofSeconds(1));
        assertThat(version).isLessThan(20);
      }
      assertThat(store.dropped()).isEqualTo(20);
      assertThat(told).contains("dropped price refused");
    }
  }

  @Test
  void whatASingleWriteIsRefusedForDropsItEvenIfThereIsNoOther() throws InterruptedException {
    target.permits.release(1_000);
    target.refusedKeys.add(key(1));
    target.saysSo = true;
    try (AsyncFailoverStore store = store(10)) {
      store.store(answer(1, 1));
      while (store.dropped() == 0) {
        time.awaitSleepers(1);
        time.advance(Duration.ofSeconds(1));
      }
      assertThat(target.attempts).hasValue(3);
      assertThat(store.waiting()).isZero();
    }
  }

  @Test
  void whileTheStoreTakesNothingNothingIsDropped() throws InterruptedException {
    target.permits.release(100_000);
    target.failing = true;
    try (AsyncFailoverStore store = store(100)) {
      for (int i = 0; i < 100; i++) {
        store.store(answer(i, 1));
      }
      for (int i = 0; i < 20; i++) {
        time.awaitSleepers(1);
        time.advance(Duration.ofSeconds(1));
      }
      assertThat(store.waiting()).isEqualTo(100);
      assertThat(store.dropped()).isZero();
      target.failing = false;
      time.awaitSleepers(1);
      time.advance(Duration.ofSeconds(1));
      Eventually.await("all is written", () -> store.waiting() == 0);
      assertThat(target.memory.liveEntryCount("price")).isEqualTo(100);
    }
  }

  @Test
  void theBytesThatWaitAreBounded() {
    try (AsyncFailoverStore store =
        new AsyncFailoverStore(target, 1_000, 10_000, WhenFull.DISCARD, listener, time)) {
      for (int i = 0; i < 100; i++) {
        store.store(large(i, 2_000));
      }
      assertThat(store.waiting()).isBetween(3, 5);
      assertThat(told).contains("dropped price queue_full");
      store.store(large(0, 10_000));
      assertThat(told).contains("dropped price too_large");
      target.permits.release(1_000);
      Eventually.await("all is written", () -> store.waiting() == 0);
      store.store(large(50, 2_000)); // what is written makes room
      Eventually.await("it is written", () -> target.memory.find(key(50)).isPresent());
    }
  }

  private static ReferentialPayload large(int arg, int bytes) {
    return new ReferentialPayload(
        key(arg), NOW, NOW.plusSeconds(1_000), Payload.ofBytes("a.Type", 1, new byte[bytes]));
  }

  @Test
  void aRemovalThatFindsNoRoomThrows() {
    try (AsyncFailoverStore store = store(1)) {
      store.store(answer(1, 1));
      assertThatThrownBy(() -> store.delete(key(2)))
          .isInstanceOf(FailoverStoreException.class)
          .hasMessageContaining("reason=queue_full");
      assertThatThrownBy(() -> store.store(answer(2, 1).expiredAt(NOW.plusSeconds(5))))
          .isInstanceOf(FailoverStoreException.class);
      target.permits.release(100);
    }
  }

  @Test
  void anAnswerThatCannotBeEncodedIsDropped() {
    target.permits.release(100);
    try (AsyncFailoverStore store = store(10)) {
      Payload broken =
          Payload.ofValue(
              "a.Type",
              1,
              "value",
              () -> {
                throw new CodecException("too deep", null);
              });
      store.store(new ReferentialPayload(key(1), NOW, NOW.plusSeconds(1_000), broken));
      Eventually.await("it is dropped", () -> told.contains("dropped price not_encodable"));
      assertThat(store.dropped()).isEqualTo(1);
      assertThat(store.waiting()).isZero();
      assertThat(told).containsExactly("failed store price", "dropped price not_encodable");
    }
  }
}
