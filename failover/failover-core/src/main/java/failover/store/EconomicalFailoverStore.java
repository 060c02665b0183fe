package failover.store;

import failover.key.StoreKey;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/**
 * A store that is not written to again while the content of an answer is the same and a tenth of
 * the time for which it is good has not passed. Remembers what it wrote of the most recent keys.
 * Safe for use by many threads.
 */
public final class EconomicalFailoverStore implements FailoverStore, FailoverStoreSizeAware {
  private static final int MOST_REMEMBERED = 10_000;
  private static final int SHARE = 10;

  private record Written(String hash, int schemaVersion, Instant asOf) {}

  private final FailoverStore target;
  private final LongAdder skipped = new LongAdder();
  private final Map<StoreKey, Written> lately = // guarded by itself
      new LinkedHashMap<>(16, 0.75f, true) {
        private static final long serialVersionUID = 1;

        @Override
        protected boolean removeEldestEntry(Map.Entry<StoreKey, Written> eldest) {
          return size() > MOST_REMEMBERED;
        }
      };

  /** Economy before a store, which is closed with this one. */
  public EconomicalFailoverStore(FailoverStore target) {
    this.target = target;
  }

  @Override
  public void store(ReferentialPayload answer) {
    Written now =
        new Written(
            answer.payload().contentHash(), answer.payload().schemaVersion(), answer.asOf());
    if (isKnown(answer, now)) {
      skipped.increment();
      return;
    }
    target.store(answer);
    synchronized (lately) {
      lately.merge(answer.key(), now, (old, young) -> young.asOf.isBefore(old.asOf) ? old : young);
    }
  }

  private boolean isKnown(ReferentialPayload answer, Written now) {
    Written before = written(answer.key());
    if (before == null
        || !before.hash.equals(now.hash)
        || before.schemaVersion != now.schemaVersion) {
      return false;
    }
    Duration tenth = Duration.between(answer.asOf(), answer.expireOn()).dividedBy(SHARE);
    return now.asOf.isBefore(before.asOf.plus(tenth));
  }

  private @Nullable Written written(StoreKey key) {
    synchronized (lately) {
      return lately.get(key);
    }
  }

  private void unlearn(StoreKey key) {
    synchronized (lately) {
      lately.remove(key);
    }
  }

  @Override
  public void delete(StoreKey key) {
    unlearn(key);
    target.delete(key);
  }

  @Override
  public Optional<ReferentialPayload> find(StoreKey key) {
    Optional<ReferentialPayload> found = target.find(key);
    if (found.isEmpty()) {
      unlearn(key); // somebody else has removed it
    }
    return found;
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

  /** How many writes were saved. */
  public long skipped() {
    return skipped.sum();
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
