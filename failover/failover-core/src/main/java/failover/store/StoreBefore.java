package failover.store;

import failover.key.StoreKey;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Optional;

/**
 * A store that stands before another, to which it leaves what it has nothing to add to. As safe for
 * use by many threads as the other one.
 */
abstract class StoreBefore implements FailoverStore, FailoverStoreSizeAware {
  final FailoverStore target;

  StoreBefore(FailoverStore target) {
    this.target = target;
  }

  @Override
  public Optional<ReferentialPayload> findBehind(StoreKey key) {
    return target.findBehind(key);
  }

  @Override
  public List<ReferentialPayload> findAll(Collection<StoreKey> keys) {
    return target.findAll(keys);
  }

  @Override
  public List<ReferentialPayload> findAll(String name) {
    return target.findAll(name);
  }

  @Override
  public long cleanByExpiry(Instant cutoff) {
    return target.cleanByExpiry(cutoff);
  }

  @Override
  public long sweep(Instant cutoff, Duration interval) {
    return target.sweep(cutoff, interval);
  }

  @Override
  public void listener(StoreListener listener) {
    target.listener(listener);
  }

  @Override
  public long liveEntryCount(String name) {
    return target instanceof FailoverStoreSizeAware aware ? aware.liveEntryCount(name) : 0;
  }

  @Override
  public boolean liveEntryCountSupported() {
    return target instanceof FailoverStoreSizeAware aware && aware.liveEntryCountSupported();
  }

  @Override
  public int close(Duration timeout) {
    return target.close(timeout);
  }
}
