package failover.store;

import failover.key.StoreKey;
import failover.store.FailoverStore.StoreChange;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/**
 * A store that is not written to again while the content of an answer is the same and a tenth of
 * the time for which it is good has not passed. Remembers what it wrote of the most recent keys.
 * Safe for use by many threads.
 */
public final class WriteSkippingFailoverStore extends ForwardingFailoverStore {
  private static final int MOST_REMEMBERED = 10_000;
  private static final int SHARE = 10;

  /** The place of an answer in the store, however large its arguments are. */
  private record Row(String name, String id) {
    private static Row of(StoreKey key) {
      return new Row(key.name(), key.id());
    }
  }

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
  private final Map<Row, Written> lately = // guarded by itself
      new LinkedHashMap<>(16, 0.75f, true) {
        private static final long serialVersionUID = 1;

        @Override
        protected boolean removeEldestEntry(Map.Entry<Row, Written> eldest) {
          return size() > MOST_REMEMBERED;
        }
      };

  /** Economy before a store, which is closed with this one. */
  public WriteSkippingFailoverStore(FailoverStore target) {
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
    synchronized (lately) {
      lately.merge(
          Row.of(key),
          now,
          (old, young) -> young.asOf.isBefore(old.asOf) ? old : young.seen(old.seen));
    }
  }

  private boolean isToBeSkipped(ReferentialPayload answer, Written now) {
    Row row = Row.of(answer.key());
    synchronized (lately) {
      Written before = lately.get(row);
      if (before == null || !(isOutdated(answer, before) || isKnown(answer, now, before))) {
        return false;
      }
      lately.put(row, before.seen(now.asOf));
      return true;
    }
  }

  /** Whether a newer one was seen; one made to expire counts even by a clock that is behind. */
  private static boolean isOutdated(ReferentialPayload answer, Written before) {
    return answer.asOf().isBefore(before.seen) && !answer.isMadeToExpire();
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

  private void unlearn(Row row) {
    synchronized (lately) {
      lately.remove(row);
    }
  }

  private void unlearnAll(String name) {
    synchronized (lately) {
      lately.keySet().removeIf(row -> row.name.equals(name));
    }
  }

  /** Forgets what others have replaced, or removed. */
  private void unlearn(Row row, @Nullable Instant theirs) {
    synchronized (lately) {
      Written own = lately.get(row);
      if (own != null && (theirs == null || theirs.isAfter(own.asOf))) {
        lately.remove(row);
      }
    }
  }

  @Override
  public void delete(StoreKey key) {
    unlearn(Row.of(key));
    target.delete(key);
  }

  @Override
  public int deleteAll(String name) {
    unlearnAll(name);
    return target.deleteAll(name);
  }

  @Override
  public int expireAll(String name, Instant now) {
    unlearnAll(name);
    return target.expireAll(name, now);
  }

  @Override
  public Optional<ReferentialPayload> find(StoreKey key) {
    Optional<ReferentialPayload> found = target.find(key);
    if (found.isEmpty() || found.get().payload().isDamaged()) {
      unlearn(Row.of(key)); // somebody else has removed or changed it
    }
    return found;
  }

  @Override
  public List<ReferentialPayload> findAll(Collection<StoreKey> keys) {
    List<ReferentialPayload> found = target.findAll(keys);
    Set<StoreKey> gone = new HashSet<>(keys);
    for (ReferentialPayload answer : found) {
      if (!answer.payload().isDamaged()) {
        gone.remove(answer.key());
      }
    }
    gone.forEach(key -> unlearn(Row.of(key))); // as for one
    return found;
  }

  @Override
  public Map<StoreKey, Instant> momentsOf(Collection<StoreKey> keys) {
    Map<StoreKey, Instant> moments = target.momentsOf(keys);
    keys.forEach(key -> unlearn(Row.of(key), moments.get(key)));
    return moments;
  }

  @Override
  public Optional<List<StoreChange>> changes(Duration last, int limit) {
    Optional<List<StoreChange>> changes = target.changes(last, limit);
    changes.orElse(List.of()).forEach(this::follow);
    return changes;
  }

  private void follow(StoreChange change) {
    StoreChange.Moments stored = change.stored();
    if (change.id() == null) {
      unlearnAll(change.name());
    } else {
      unlearn(new Row(change.name(), change.id()), stored == null ? null : stored.asOf());
    }
  }

  /** How many writes were saved. */
  public long skipped() {
    return skipped.sum();
  }
}
