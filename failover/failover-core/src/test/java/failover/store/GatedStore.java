package failover.store;

import failover.key.StoreKey;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/** A store in memory whose writes wait for permits, encode, and fail while told to. */
final class GatedStore implements FailoverStore {
  final InMemoryFailoverStore memory = new InMemoryFailoverStore();
  final Semaphore permits = new Semaphore(0);
  final AtomicInteger attempts = new AtomicInteger();
  volatile boolean failing;
  volatile @Nullable StoreKey refused;

  @Override
  public void store(ReferentialPayload answer) {
    attempts.incrementAndGet();
    permits.acquireUninterruptibly();
    answer.payload().bytes();
    if (failing || answer.key().equals(refused)) {
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
    return memory.find(key);
  }

  @Override
  public List<ReferentialPayload> findAll(String name) {
    return memory.findAll(name);
  }

  @Override
  public long cleanByExpiry(Instant cutoff) {
    return memory.cleanByExpiry(cutoff);
  }
}
