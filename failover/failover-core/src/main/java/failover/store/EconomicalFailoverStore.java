package failover.store;

import failover.key.StoreKey;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/**
 * A store that is not written to again while the content of an answer is the same and a tenth of
 * the time for which it is good has not passed. Remembers what it wrote of the most recent keys.
 * Safe for use by many threads.
 */
public final class EconomicalFailoverStore extends StoreBefore {
  private static final int MOST_REMEMBERED = 10_000;
  private static final int SHARE = 10;

  /**
   * What was written of a key.
   *
   * @param seen of what moment the newest answer is, be it one that was not written again
   */
  private record Written(
      String hash, int schemaVersion, Instant asOf, Instant expireOn, Instant seen) {

    private Written seen(Instant moment) {
      return moment.isAfter(seen) ? new Written(hash, schemaVersion, asOf, expireOn, moment) : this;
    }
  }

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
    super(target);
  }

  @Override
  public void store(ReferentialPayload answer) {
    Written now = written(answer);
    if (isToBeSkipped(answer, now)) {
      skipped.increment();
    } else {
      target.store(answer);
      learn(answer.key(), now);
    }
  }

  @Override
  public void storeAll(Collection<ReferentialPayload> answers) {
    Map<ReferentialPayload, Written> fresh = new LinkedHashMap<>();
    for (ReferentialPayload answer : answers) {
      Written now = written(answer);
      if (isToBeSkipped(answer, now)) {
        skipped.increment();
      } else {
        fresh.put(answer, now);
      }
    }
    if (!fresh.isEmpty()) {
      target.storeAll(fresh.keySet());
      fresh.forEach((answer, now) -> learn(answer.key(), now));
    }
  }

  private static Written written(ReferentialPayload answer) {
    return new Written(
        answer.payload().contentHash(),
        answer.payload().schemaVersion(),
        answer.asOf(),
        answer.expireOn(),
        answer.asOf());
  }

  private void learn(StoreKey key, Written now) {
    if (!key.hasArguments()) {
      unlearn(key);
      return;
    }
    synchronized (lately) {
      lately.merge(
          key, now, (old, young) -> young.asOf.isBefore(old.asOf) ? old : young.seen(old.seen));
    }
  }

  private boolean isToBeSkipped(ReferentialPayload answer, Written now) {
    synchronized (lately) {
      Written before = lately.get(answer.key());
      if (before == null || !(isOutdated(answer, before) || isKnown(answer, now, before))) {
        return false;
      }
      lately.put(answer.key(), before.seen(now.asOf));
      return true;
    }
  }

  /** Whether a newer one was seen; one made to expire counts even by a clock that is behind. */
  private static boolean isOutdated(ReferentialPayload answer, Written before) {
    return answer.asOf().isBefore(before.seen) && !answer.expireOn().isBefore(answer.asOf());
  }

  /** Whether what is written is good for nearly as long; an answer made to expire is not. */
  private static boolean isKnown(ReferentialPayload answer, Written now, Written before) {
    if (!before.hash.equals(now.hash) || before.schemaVersion != now.schemaVersion) {
      return false;
    }
    Duration tenth = Duration.between(answer.asOf(), answer.expireOn()).dividedBy(SHARE);
    return now.asOf.isBefore(before.asOf.plus(tenth))
        && now.expireOn.isBefore(before.expireOn.plus(tenth));
  }

  private @Nullable Written written(StoreKey key) {
    synchronized (lately) {
      return lately.get(key);
    }
  }

  private void unlearn(StoreKey key) {
    synchronized (lately) {
      if (key.hasArguments()) {
        lately.remove(key);
      } else { // which of them it is shows only in their hashes, and forgetting more is harmless
        lately.keySet().removeIf(own -> own.name().equals(key.name()));
      }
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
  public Map<StoreKey, Instant> momentsOf(Collection<StoreKey> keys) {
    Map<StoreKey, Instant> moments = target.momentsOf(keys);
    for (StoreKey key : keys) {
      Written own = written(key);
      Instant theirs = moments.get(key);
      if (own != null && (theirs == null || theirs.isAfter(own.asOf))) {
        unlearn(key); // somebody else has removed or replaced it
      }
    }
    return moments;
  }

  /** How many writes were saved. */
  public long skipped() {
    return skipped.sum();
  }
}
