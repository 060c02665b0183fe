package failover.store;

import failover.key.StoreKey;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;

/** A store in memory whose writes wait for permits, and fail while told to. */
final class GatedStore implements FailoverStore {
  final InMemoryFailoverStore memory = new InMemoryFailoverStore();
  final Semaphore permits = new Semaphore(0);
  final AtomicInteger attempts = new AtomicInteger();
  volatile boolean failing;

  @Override
  public void store(ReferentialPayload answer) {
    attempts.incrementAndGet();
    permits.acquireUninterruptibly();
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
