package failover.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import failover.codec.CodecException;
import failover.key.CanonicalKeys;
import failover.key.StoreKey;
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
  private final GatedStore target = new GatedStore();
  private final List<String> told = new CopyOnWriteArrayList<>();
  private final StoreListener listener =
      new StoreListener() {
        @Override
        public void failed(String name, String operation, RuntimeException failure) {
          told.add("failed " + operation + " " + name);
        }

        @Override
        public void dropped(String name) {
          told.add("dropped " + name);
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
      assertThat(store.findAll("price")).isEmpty();
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
      assertThat(told).containsExactly("dropped price");
      assertThat(version(store, 3)).isEqualTo(-1);
      assertThat(version(store, 2)).isEqualTo(2);
      target.permits.release(100);
    }
  }

  @Test
  void aCallerMayWriteItselfOrBeTold() {
    try (AsyncFailoverStore store =
        new AsyncFailoverStore(target, 1, WhenFull.CALLER_RUNS, listener, time)) {
      store.store(answer(1, 1));
      Eventually.await("the writer is busy", () -> target.attempts.get() == 1);
      target.permits.release(100);
      store.store(answer(2, 1));
      store.store(answer(3, 1));
      Eventually.await("all is written", () -> store.waiting() == 0);
      assertThat(target.memory.findAll("price")).hasSize(3);
      assertThat(store.dropped()).isZero();
    }
    GatedStore busy = new GatedStore();
    try (AsyncFailoverStore store =
        new AsyncFailoverStore(busy, 1, WhenFull.ABORT, listener, time)) {
      store.store(answer(1, 1));
      assertThatThrownBy(() -> store.store(answer(2, 1)))
          .isInstanceOf(FailoverStoreException.class)
          .hasMessageContaining("no more than 1");
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
    assertThat(target.memory.findAll("price")).hasSize(10);
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
    target.refused = key(1);
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
      assertThat(told).contains("failed store price").doesNotContain("dropped price");
      store.store(answer(6, 1));
      assertThat(store.close(Duration.ofSeconds(5))).isEqualTo(1);
      assertThat(version(target.memory, 6)).isEqualTo(1);
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
      Eventually.await("it is dropped", () -> store.dropped() == 1);
      assertThat(store.waiting()).isZero();
      assertThat(told).containsExactly("failed store price", "dropped price");
    }
  }
}
