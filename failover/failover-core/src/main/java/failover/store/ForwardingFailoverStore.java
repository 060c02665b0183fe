package failover.store;

import failover.key.StoreKey;
import failover.store.FailoverStore.FailoverStoreSizeAware;
import failover.store.FailoverStore.StoreChange;
import failover.store.FailoverStore.StoreListener;
import failover.store.FailoverStore.StoredEntry;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Optional;

/**
 * A store that stands before another, to which it leaves what it has nothing to add to. As safe for
 * use by many threads as the other one.
 */
abstract class ForwardingFailoverStore implements FailoverStore, FailoverStoreSizeAware {
  final FailoverStore target;

  ForwardingFailoverStore(FailoverStore target) {
    this.target = target;
  }

  @Override
  public boolean isInProcess() {
    return target.isInProcess();
  }

  @Override
  public boolean isAsynchronous() {
    return target.isAsynchronous();
  }

  @Override
  public Optional<ReferentialPayload> findBehind(StoreKey key) {
    return target.findBehind(key);
  }

  @Override
  public List<ReferentialPayload> findAllBehind(Collection<StoreKey> keys) {
    return target.findAllBehind(keys);
  }

  @Override
  public List<ReferentialPayload> findAll(Collection<StoreKey> keys) {
    return target.findAll(keys);
  }

  @Override
  public List<StoredEntry> entries(String name, int limit) {
    return target.entries(name, limit);
  }

  @Override
  public int deleteAll(String name) {
    return target.deleteAll(name);
  }

  @Override
  public int expireAll(String name, Instant now) {
    return target.expireAll(name, now);
  }

  @Override
  public Optional<List<StoreChange>> changes(Duration last, int limit) {
    return target.changes(last, limit);
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
  public void start() {
    target.start();
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
