package failover.store;

import failover.key.StoreKey;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * A store near by before one far away: read from the near one first, written to both. What the far
 * one gives is kept near, too. Safe for use by many threads.
 *
 * <p>An answer that another node removes from the far store may be given from this node's near one
 * until it expires.
 */
public final class NearFarFailoverStore implements FailoverStore, FailoverStoreSizeAware {
  private final FailoverStore near;
  private final FailoverStore far;

  /**
   * Two stores as one; both are closed with it.
   *
   * @param near in the memory of this process
   * @param far shared with others or outliving this process, usually behind an {@link
   *     AsyncFailoverStore}
   */
  public NearFarFailoverStore(FailoverStore near, FailoverStore far) {
    this.near = near;
    this.far = far;
  }

  @Override
  public void store(ReferentialPayload answer) {
    near.store(answer);
    far.store(answer);
  }

  @Override
  public void delete(StoreKey key) {
    far.delete(key);
    near.delete(key);
  }

  @Override
  public Optional<ReferentialPayload> find(StoreKey key) {
    Optional<ReferentialPayload> found = near.find(key);
    if (found.isPresent()) {
      return found;
    }
    Optional<ReferentialPayload> distant = far.find(key);
    distant.ifPresent(
        answer ->
            near.store(
                new ReferentialPayload(key, answer.asOf(), answer.expireOn(), answer.payload())));
    return distant;
  }

  @Override
  public List<ReferentialPayload> findAll(String name) {
    return far.findAll(name);
  }

  @Override
  public long cleanByExpiry(Instant cutoff) {
    return near.cleanByExpiry(cutoff) + far.cleanByExpiry(cutoff);
  }

  @Override
  public long sweep(Instant cutoff, Duration interval) {
    return near.sweep(cutoff, interval) + far.sweep(cutoff, interval);
  }

  @Override
  public long liveEntryCount(String name) {
    return far instanceof FailoverStoreSizeAware aware ? aware.liveEntryCount(name) : 0;
  }

  @Override
  public boolean liveEntryCountSupported() {
    return far instanceof FailoverStoreSizeAware aware && aware.liveEntryCountSupported();
  }

  @Override
  public int close(Duration timeout) {
    return near.close(timeout) + far.close(timeout);
  }
}
