package failover.store;

import static org.assertj.core.api.Assertions.assertThat;

import failover.key.StoreKey;
import failover.key.StoredName;
import failover.key.canonical.CanonicalKeys;
import failover.store.AsyncFailoverStore.WhenFull;
import failover.store.FailoverStore.DropReason;
import failover.store.FailoverStore.StoreListener;
import failover.store.ReferentialPayload.Payload;
import holdfast.testkit.threads.Eventually;
import holdfast.testkit.time.SettableTime;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** One queue for all tenants, none of which holds up another. */
@Timeout(60)
class TenantQueueTest {
  private static final Instant NOW = SettableTime.START;

  private final SettableTime time = new SettableTime();
  private final TenantsTable target = new TenantsTable();

  /** Tables of which those of some tenants refuse writes, or cannot be reached. */
  private static final class TenantsTable extends ForwardingFailoverStore {
    final InMemoryFailoverStore memory;
    final Set<String> refusing = ConcurrentHashMap.newKeySet();
    final Set<String> down = ConcurrentHashMap.newKeySet();
    final Map<String, AtomicInteger> attempts = new ConcurrentHashMap<>();
    final Semaphore gate = new Semaphore(1_000_000);

    TenantsTable() {
      this(new InMemoryFailoverStore());
    }

    private TenantsTable(InMemoryFailoverStore memory) {
      super(memory);
      this.memory = memory;
    }

    int attempts(String tenant) {
      return attempts.computeIfAbsent(tenant, id -> new AtomicInteger()).get();
    }

    @Override
    public void store(ReferentialPayload answer) {
      gate.acquireUninterruptibly();
      String tenant = String.valueOf(StoredName.tenant(answer.key().name()));
      attempts.computeIfAbsent(tenant, id -> new AtomicInteger()).incrementAndGet();
      if (refusing.contains(tenant)) {
        throw new FailoverStoreException("told to refuse", null);
      }
      if (down.contains(tenant)) {
        throw FailoverStoreException.unavailable("told to be down", null);
      }
      memory.store(answer);
    }

    @Override
    public void storeAll(Collection<ReferentialPayload> answers) {
      answers.forEach(this::store);
    }

    @Override
    public void delete(StoreKey key) {
      memory.delete(key);
    }

    @Override
    public Optional<ReferentialPayload> find(StoreKey key) {
      return memory.find(key);
    }
  }

  private AsyncFailoverStore queue(int capacity, long bytes, StoreListener listener) {
    return new AsyncFailoverStore(target, capacity, bytes, WhenFull.DISCARD, listener, time);
  }

  private static ReferentialPayload answer(String tenant, int arg) {
    return new ReferentialPayload(
        CanonicalKeys.ofText(StoredName.text(tenant, "price"), Integer.toString(arg)),
        NOW,
        NOW.plusSeconds(1_000),
        Payload.ofBytes("a.Type", 1, new byte[100]));
  }

  private long written(String tenant) {
    return target.memory.liveEntryCount(StoredName.text(tenant, "price"));
  }

  @Test
  void writesThatAreRefusedHoldUpNoOtherTenant() {
    target.refusing.add("bad");
    try (AsyncFailoverStore queue = queue(1_000, 1 << 20, StoreListener.NONE)) {
      for (int i = 0; i < 200; i++) {
        queue.store(answer("bad", i));
      }
      for (int i = 0; i < 200; i++) {
        queue.store(answer("good", i));
      }
      Eventually.await("the others are written", () -> written("good") == 200);
      assertThat(written("bad")).isZero();
    }
  }

  @Test
  void aTenantWhoseDatabaseIsDownHoldsUpNoOtherAndIsWrittenLater() {
    target.down.addAll(List.of("down", "gone"));
    try (AsyncFailoverStore queue = queue(1_000, 1 << 20, StoreListener.NONE)) {
      for (int i = 0; i < 100; i++) {
        queue.store(answer("down", i));
        queue.store(answer("gone", i));
      }
      for (int i = 0; i < 100; i++) {
        queue.store(answer("good", i));
      }
      Eventually.await("the others are written", () -> written("good") == 100);
      for (int round = 0; round < 10; round++) { // it is asked again and again, and nothing is lost
        int before = target.attempts("down");
        Eventually.await(
            "it is tried again",
            () -> {
              time.advance(Duration.ofSeconds(1));
              return target.attempts("down") > before;
            });
      }
      assertThat(queue.waiting()).isEqualTo(200);
      assertThat(queue.dropped()).isZero();
      target.down.clear();
      Eventually.await(
          "all is written",
          () -> {
            time.advance(Duration.ofSeconds(1));
            return queue.waiting() == 0;
          });
      assertThat(written("down")).isEqualTo(100);
      assertThat(written("gone")).isEqualTo(100);
    }
  }

  @Test
  void whereSeveralAreDownTheOthersAreWrittenAllTheSame() {
    List<String> many = List.of("d1", "d2", "d3", "d4", "d5");
    target.down.addAll(many);
    try (AsyncFailoverStore queue = queue(1_000, 1 << 20, StoreListener.NONE)) {
      for (int i = 0; i < 20; i++) {
        for (String tenant : many) {
          queue.store(answer(tenant, i));
        }
        queue.store(answer("good", i));
      }
      Eventually.await(
          "the others are written",
          () -> {
            time.advance(Duration.ofSeconds(1));
            return written("good") == 20;
          });
      assertThat(queue.dropped()).isZero();
    }
  }

  @Test
  void oneTenantDoesNotFillTheQueue() {
    target.gate.drainPermits();
    AtomicInteger dropped = new AtomicInteger();
    StoreListener listener =
        new StoreListener() {
          @Override
          public void failed(String name, String operation, RuntimeException failure) {}

          @Override
          public void dropped(StoreKey key, DropReason reason) {
            assertThat(reason).isEqualTo(DropReason.QUEUE_FULL);
            assertThat(StoredName.tenant(key.name())).isEqualTo("busy");
            dropped.incrementAndGet();
          }
        };
    try (AsyncFailoverStore queue = queue(100, 1 << 20, listener)) {
      for (int i = 0; i < 200; i++) {
        queue.store(answer("busy", i));
      }
      assertThat(queue.waiting()).isEqualTo(75);
      assertThat(dropped).hasValue(125);
      queue.store(answer("busy", 3)); // takes the place of one that waits
      for (int i = 0; i < 18; i++) {
        queue.store(answer("other", i));
      }
      assertThat(queue.waiting()).isEqualTo(93);
      queue.delete(answer("third", 1).key());
      assertThat(dropped).hasValue(125);
      target.gate.release(1_000_000);
      Eventually.await("all is written", () -> queue.waiting() == 0);
      for (int i = 0; i < 75; i++) { // nothing is left of what it had
        queue.store(answer("busy", i));
      }
      assertThat(dropped).hasValue(125);
    }
  }

  @Test
  void norDoesItTakeAllBytes() {
    target.gate.drainPermits();
    long one = answer("busy", 1).estimatedBytes();
    try (AsyncFailoverStore queue = queue(1_000_000, 100 * one, StoreListener.NONE)) {
      for (int i = 100; i < 300; i++) {
        queue.store(answer("busy", i));
      }
      assertThat(queue.waiting()).isBetween(70, 80);
      queue.store(answer("other", 1));
      assertThat(queue.find(answer("other", 1).key())).isPresent();
      target.gate.release(1_000_000);
    }
  }

  @Test
  void withoutTenantsTheQueueIsFilledToTheEnd() {
    target.gate.drainPermits();
    try (AsyncFailoverStore queue = queue(100, 1 << 20, StoreListener.NONE)) {
      for (int i = 0; i < 200; i++) {
        queue.store(
            new ReferentialPayload(
                CanonicalKeys.ofText("price", Integer.toString(i)),
                NOW,
                NOW.plusSeconds(1_000),
                Payload.ofBytes("a.Type", 1, new byte[1])));
      }
      assertThat(queue.waiting()).isEqualTo(100);
      target.gate.release(1_000_000);
    }
  }
}
