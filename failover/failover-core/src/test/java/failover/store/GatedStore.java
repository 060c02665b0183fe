package failover.store;

import failover.key.StoreKey;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A store that is taken to be far away, whose reads or writes wait for permits; writes encode, and
 * fail while told to.
 */
public final class GatedStore extends ForwardingFailoverStore {
  private static final int OPEN = 1_000_000;

  final InMemoryFailoverStore memory;
  final Semaphore permits;
  final Set<StoreKey> refusedKeys = ConcurrentHashMap.newKeySet();
  volatile boolean failing;
  volatile boolean saysSo;

  /** How many writes have begun. */
  public final AtomicInteger attempts = new AtomicInteger();

  /** How many reads have begun. */
  public final AtomicInteger reading = new AtomicInteger();

  private final Semaphore reads;

  private GatedStore(InMemoryFailoverStore memory, int writes, int reads) {
    super(memory);
    this.memory = memory;
    this.permits = new Semaphore(writes);
    this.reads = new Semaphore(reads);
  }

  /** A store that takes answers, but gives none until it is released. */
  public static GatedStore hungReads() {
    return new GatedStore(new InMemoryFailoverStore(), OPEN, 0);
  }

  /** A store that gives answers, but takes none without a permit until it is released. */
  public static GatedStore hungWrites() {
    return new GatedStore(new InMemoryFailoverStore(), 0, OPEN);
  }

  /** Lets everything pass that waits or is to come. */
  public void release() {
    permits.release(OPEN);
    reads.release(OPEN);
  }

  @Override
  public boolean isInProcess() {
    return false;
  }

  @Override
  public void store(ReferentialPayload answer) {
    attempts.incrementAndGet();
    permits.acquireUninterruptibly();
    answer.payload().bytes();
    if (refusedKeys.contains(answer.key())) {
      throw saysSo
          ? FailoverStoreException.refused("told to refuse", null)
          : new FailoverStoreException("told to refuse", null);
    }
    if (failing) {
      throw new FailoverStoreException("told to fail", null);
    }
    memory.store(answer);
  }

  @Override
  public void delete(StoreKey key) {
    memory.delete(key);
  }

  @Override
  public Optional<ReferentialPayload> find(StoreKey key) {
    reading.incrementAndGet();
    reads.acquireUninterruptibly();
    return memory.find(key);
  }
}
