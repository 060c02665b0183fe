package failover.tenant;

import failover.key.StoreKey;
import failover.store.FailoverStore;
import failover.store.FailoverStore.FailoverStoreSizeAware;
import failover.store.FailoverStore.StoredEntry;
import failover.store.ReferentialPayload;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** A store before another, for tests to extend; it is taken to be far away. */
abstract class ForwardingStore implements FailoverStore, FailoverStoreSizeAware {
  final FailoverStore target;

  ForwardingStore(FailoverStore target) {
    this.target = target;
  }

  /** Comes before each use. */
  abstract void use();

  @Override
  public void store(ReferentialPayload answer) {
    use();
    target.store(answer);
  }

  @Override
  public void delete(StoreKey key) {
    use();
    target.delete(key);
  }

  @Override
  public int deleteAll(String name) {
    use();
    return target.deleteAll(name);
  }

  @Override
  public int expireAll(String name, Instant now) {
    use();
    return target.expireAll(name, now);
  }

  @Override
  public Optional<ReferentialPayload> find(StoreKey key) {
    use();
    return target.find(key);
  }

  @Override
  public List<StoredEntry> entries(String name, int limit) {
    use();
    return target.entries(name, limit);
  }

  @Override
  public long cleanByExpiry(Instant cutoff) {
    use();
    return target.cleanByExpiry(cutoff);
  }

  @Override
  public long liveEntryCount(String name) {
    return target instanceof FailoverStoreSizeAware aware ? aware.liveEntryCount(name) : 0;
  }
}
