package failover.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import failover.key.StoreKey;
import failover.key.canonical.CanonicalKeys;
import failover.store.AsyncFailoverStore.WhenFull;
import failover.store.FailoverStore.DropReason;
import failover.store.FailoverStore.StoreListener;
import failover.store.ReferentialPayload.Payload;
import holdfast.testkit.threads.Eventually;
import holdfast.testkit.time.SettableTime;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Semaphore;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Answers that are stored together, in a queue. */
@Timeout(60)
class BulkWritesTest {
  private static final Instant NOW = SettableTime.START;

  private final SettableTime time = new SettableTime();
  private final Batches target = new Batches();
  private final List<DropReason> dropped = new CopyOnWriteArrayList<>();
  private final StoreListener listener =
      new StoreListener() {
        @Override
        public void failed(String name, String operation, RuntimeException failure) {}

        @Override
        public void dropped(StoreKey key, DropReason reason) {
          dropped.add(reason);
        }
      };

  /** Notes how many answers each write has, once it is let through. */
  private static final class Batches extends ForwardingFailoverStore {
    private final Semaphore permits = new Semaphore(0);
    private final List<Integer> sizes = new CopyOnWriteArrayList<>();
    private final List<Integer> begun = new CopyOnWriteArrayList<>();
    private final List<Integer> read = new CopyOnWriteArrayList<>();
    private volatile boolean isDown;

    Batches() {
      super(new InMemoryFailoverStore());
    }

    @Override
    public void store(ReferentialPayload answer) {
      storeAll(List.of(answer));
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
    public List<ReferentialPayload> findAll(Collection<StoreKey> keys) {
      read.add(keys.size());
      if (isDown) {
        throw new FailoverStoreException("told to fail", null);
      }
      return target.findAll(keys);
    }

    @Override
    public void storeAll(Collection<ReferentialPayload> answers) {
      begun.add(answers.size());
      permits.acquireUninterruptibly();
      sizes.add(answers.size());
      target.storeAll(answers);
    }
  }

  private AsyncFailoverStore queue(int capacity, long maxBytes, WhenFull whenFull) {
    return new AsyncFailoverStore(target, capacity, maxBytes, whenFull, listener, time);
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

  private static List<ReferentialPayload> answers(int from, int to, int version) {
    return IntStream.range(from, to).mapToObj(arg -> answer(arg, version)).toList();
  }

  /** Has the writer begin with a write that it cannot end. */
  private void keepBusy(AsyncFailoverStore queue) {
    queue.store(answer(-1, 1));
    Eventually.await("the writer is busy", () -> !target.begun.isEmpty());
  }

  private static void awaitWritten(AsyncFailoverStore queue) {
    Eventually.await("all is written", () -> queue.waiting() == 0);
  }

  @Test
  void areOneOfTheWritesThatMayWaitAndAreWrittenTogether() {
    try (AsyncFailoverStore queue = queue(3, 1L << 20, WhenFull.DISCARD)) {
      keepBusy(queue);
      queue.storeAll(answers(0, 500, 1));
      queue.storeAll(answers(500, 700, 1));
      assertThat(queue.waiting()).isEqualTo(701);
      assertThat(queue.findAll(List.of(key(0), key(699)))).hasSize(2);
      queue.storeAll(answers(700, 710, 1)); // the fourth write
      assertThat(dropped).hasSize(10).containsOnly(DropReason.QUEUE_FULL);
      assertThat(queue.find(key(700))).isEmpty();
      target.permits.release(100);
      awaitWritten(queue);
      assertThat(target.sizes).containsExactly(1, 500, 200);
      queue.storeAll(answers(700, 710, 1)); // what is written makes room
      awaitWritten(queue);
      assertThat(target.find(key(709))).isPresent();
    }
  }

  @Test
  void haveAPlaceWhereAllOfTheirRowsWaitAlready() {
    try (AsyncFailoverStore queue = queue(2, 1L << 20, WhenFull.DISCARD)) {
      keepBusy(queue);
      queue.storeAll(answers(0, 50, 1));
      queue.storeAll(answers(0, 50, 2));
      queue.store(answer(7, 3));
      assertThat(dropped).isEmpty();
      queue.storeAll(answers(49, 51, 3)); // one of them is new
      assertThat(dropped).hasSize(2);
      assertThat(queue.find(key(49)).orElseThrow().payload().schemaVersion()).isEqualTo(2);
      target.permits.release(100);
      awaitWritten(queue);
      assertThat(target.sizes).containsExactly(1, 50);
      assertThat(target.find(key(7)).orElseThrow().payload().schemaVersion()).isEqualTo(3);
      assertThat(target.find(key(8)).orElseThrow().payload().schemaVersion()).isEqualTo(2);
    }
  }

  @Test
  void areBoundedInBytes() {
    try (AsyncFailoverStore queue = queue(100, 10_000, WhenFull.DISCARD)) {
      keepBusy(queue);
      queue.storeAll(answers(0, 100, 1));
      assertThat(dropped).hasSize(100).containsOnly(DropReason.TOO_LARGE);
      queue.storeAll(answers(0, 20, 1));
      queue.storeAll(answers(20, 40, 1));
      assertThat(dropped).hasSize(120).endsWith(DropReason.QUEUE_FULL);
      assertThat(queue.waiting()).isEqualTo(21);
      target.permits.release(100);
      awaitWritten(queue);
    }
  }

  @Test
  void areWrittenByTheirCallerOrRefusedWhereTheQueueIsToldSo() {
    target.permits.release(100);
    try (AsyncFailoverStore queue = queue(100, 2_000, WhenFull.CALLER_RUNS)) {
      queue.storeAll(answers(0, 100, 1));
      assertThat(target.sizes).containsExactly(100);
      assertThat(dropped).isEmpty();
    }
    try (AsyncFailoverStore queue = queue(100, 2_000, WhenFull.ABORT)) {
      assertThatThrownBy(() -> queue.storeAll(answers(0, 100, 2)))
          .isInstanceOf(FailoverStoreException.class)
          .hasMessageContaining("reason=too_large");
      assertThat(dropped).hasSize(100);
    }
  }

  @Test
  void areDroppedWhereTheQueueIsClosed() {
    AsyncFailoverStore queue = queue(100, 1L << 20, WhenFull.DISCARD);
    queue.close();
    queue.storeAll(answers(0, 2, 1));
    assertThat(dropped).containsExactly(DropReason.CLOSED, DropReason.CLOSED);
  }

  @Test
  void areFoundWithOneReadWhileTheyWait() {
    try (AsyncFailoverStore queue = queue(10, 1L << 20, WhenFull.DISCARD)) {
      keepBusy(queue);
      target.target.storeAll(answers(0, 5, 3)); // newer, by another node
      queue.storeAll(answers(0, 20, 2));
      queue.delete(key(19));
      List<StoreKey> keys = IntStream.range(0, 30).mapToObj(BulkWritesTest::key).toList();
      assertThat(queue.findAll(keys))
          .hasSize(19)
          .filteredOn(found -> found.payload().schemaVersion() == 3)
          .hasSize(5);
      assertThat(target.read).containsExactly(29);
      target.isDown = true;
      assertThat(queue.findAll(keys.subList(0, 20))).hasSize(19); // what waits is known
      assertThatThrownBy(() -> queue.findAll(keys)).isInstanceOf(FailoverStoreException.class);
      target.permits.release(100);
    }
  }

  @Test
  void areGoneAndNotWrittenWhereTheyWereRemovedMeanwhile() {
    try (AsyncFailoverStore queue = queue(10, 1L << 20, WhenFull.DISCARD)) {
      keepBusy(queue);
      queue.storeAll(answers(0, 20, 1));
      queue.delete(key(3));
      assertThat(queue.find(key(3))).isEmpty();
      assertThat(queue.findAll(List.of(key(2), key(3)))).hasSize(1);
      target.permits.release(100);
      awaitWritten(queue);
      assertThat(target.find(key(3))).isEmpty();
      assertThat(target.find(key(19))).isPresent();
    }
  }
}
