package failover.store;

import failover.key.StoreKey;
import failover.store.FailoverStore.DropReason;
import failover.store.FailoverStore.FailoverStoreSizeAware;
import failover.store.FailoverStore.StoreChange;
import failover.store.FailoverStore.StoreListener;
import failover.store.FailoverStore.StoredEntry;
import holdfast.lifecycle.Deadline;
import holdfast.lifecycle.Loop;
import holdfast.time.TimeSource;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A store near by before one far away: read from the near one first, written to both. What the far
 * one gives is kept near, too. Safe for use by many threads.
 *
 * <p>What other nodes remove from the far store, or replace there by something newer, leaves the
 * near one with the next check, {@link #DEFAULT_CHECK_INTERVAL} later at most unless configured. A
 * check is one statement, and none while nothing is kept near. Far stores that {@linkplain
 * FailoverStore#changes cannot tell} what has changed are compared by the sweep of this node alone.
 *
 * <p>What the far store never got, because too many writes waited for it, is stored again after a
 * check.
 */
public final class NearFarFailoverStore implements FailoverStore, FailoverStoreSizeAware {
  /** Time between two checks for changes by other nodes, unless configured: 5 seconds. */
  public static final Duration DEFAULT_CHECK_INTERVAL = Duration.ofSeconds(5);

  private static final int MOST_EXPIRED = 10_000;

  private final FailoverStore near;
  private final FailoverStore far;
  private final TimeSource time;
  private final NearCopies copies;
  private final UnwrittenCopies unwritten;
  private final Loop checks;
  private volatile StoreListener listener = StoreListener.NONE;

  /**
   * What was made to expire by a key without its arguments since the last sweep, usually nothing:
   * which key it has near shows only when a call brings another answer for it. Beyond the bound it
   * expires all the same, but a call that began before may keep its answer near.
   */
  private final Map<StoreKey, ReferentialPayload> expired = new ConcurrentHashMap<>();

  /** When all under a name were made to expire since the last sweep. */
  private final Map<String, Instant> expiredNames = new ConcurrentHashMap<>();

  /**
   * Two stores as one, with a check every 5 seconds; both are closed with it.
   *
   * @param near in the memory of this process
   * @param far shared with others or outliving this process, usually behind an {@link
   *     AsyncFailoverStore}
   */
  public NearFarFailoverStore(FailoverStore near, FailoverStore far) {
    this(near, far, DEFAULT_CHECK_INTERVAL, TimeSource.system());
  }

  /**
   * Two stores as one; both are closed with it.
   *
   * @param near in the memory of this process
   * @param far shared with others or outliving this process, usually behind an {@link
   *     AsyncFailoverStore}
   * @param checkInterval the time between two checks for changes by other nodes, more than zero
   * @param time the clock
   * @throws IllegalArgumentException if the interval is zero or less
   */
  public NearFarFailoverStore(
      FailoverStore near, FailoverStore far, Duration checkInterval, TimeSource time) {
    if (checkInterval.isZero() || checkInterval.isNegative()) {
      throw new IllegalArgumentException(
          "checkInterval must be more than zero but was " + checkInterval);
    }
    this.near = near;
    this.far = far;
    this.time = time;
    this.unwritten = new UnwrittenCopies(near, far);
    this.copies = new NearCopies(near, far, unwritten, time);
    this.checks =
        new Loop("failover-near", checkInterval, () -> check(checkInterval), this::failed, time);
    far.listener(watching(StoreListener.NONE));
    checks.start();
  }

  private Duration check(Duration interval) {
    copies.check();
    listener.checked(null);
    return interval;
  }

  private void failed(Exception e) {
    listener.checked(e);
  }

  private StoreListener watching(StoreListener target) {
    return new StoreListener() {
      @Override
      public void failed(String name, String operation, RuntimeException failure) {
        target.failed(name, operation, failure);
      }

      @Override
      public void written(String name) {
        target.written(name);
      }

      @Override
      public void dropped(StoreKey key, DropReason reason) {
        unwritten.dropped(key, reason);
        target.dropped(key, reason);
      }

      @Override
      public void checked(@Nullable Exception failure) {
        target.checked(failure);
      }
    };
  }

  @Override
  public void store(ReferentialPayload answer) {
    keepNear(answer);
    unwritten.replaced(answer.key());
    far.store(answer);
  }

  @Override
  public void storeAll(Collection<ReferentialPayload> answers) {
    answers.forEach(
        answer -> {
          keepNear(answer);
          unwritten.replaced(answer.key());
        });
    far.storeAll(answers);
  }

  /**
   * A damaged row is not kept: it may be replaced any moment. Nor is one that was listed: calls
   * look for it by its arguments, which nobody knows.
   */
  private void keepFound(ReferentialPayload distant) {
    if (distant.key().hasArguments() && !distant.payload().isDamaged()) {
      keepNear(distant);
    }
  }

  private void keepNear(ReferentialPayload answer) {
    StoreKey key = answer.key();
    if (!key.hasArguments()) {
      expireNear(answer);
      return;
    }
    copies.remember(key.name());
    storeNear(answer);
    if (!expired.isEmpty()) {
      ReferentialPayload end = expired.get(StoreKey.stored(key.name(), key.id()));
      if (end != null) {
        storeNear(end.under(key)); // stays only if it is newer
      }
    }
    Instant nameExpired = expiredNames.isEmpty() ? null : expiredNames.get(key.name());
    if (nameExpired != null && answer.asOf().isBefore(nameExpired)) {
      storeNear(answer.expiredAt(nameExpired));
    }
  }

  /** What is too large to be kept near is read from the far store. */
  private void storeNear(ReferentialPayload answer) {
    try {
      near.store(answer);
    } catch (FailoverStoreException e) {
      if (!e.isRefused()) {
        throw e;
      }
    }
  }

  private void expireNear(ReferentialPayload end) {
    if (expired.size() < MOST_EXPIRED) {
      expired.put(end.key(), end);
    }
    if (!near.momentsOf(List.of(end.key())).isEmpty()) {
      storeNear(end);
    }
  }

  @Override
  public void delete(StoreKey key) {
    unwritten.replaced(key);
    near.delete(key); // not given any more, whatever becomes of the far one
    unwritten.removing(
        () -> {
          far.delete(key);
          return 1;
        });
    near.delete(key);
  }

  @Override
  public int deleteAll(String name) {
    unwritten.replacedAll(name);
    near.deleteAll(name);
    int found = unwritten.removing(() -> far.deleteAll(name));
    near.deleteAll(name);
    return found;
  }

  @Override
  public int expireAll(String name, Instant now) {
    unwritten.replacedAll(name);
    if (expiredNames.size() < MOST_EXPIRED) {
      expiredNames.put(name, now);
    }
    near.expireAll(name, now);
    return unwritten.removing(() -> far.expireAll(name, now));
  }

  @Override
  public Optional<ReferentialPayload> find(StoreKey key) {
    Optional<ReferentialPayload> found = near.find(key);
    return found.isPresent() ? found : findBehind(key);
  }

  @Override
  public boolean isInProcess() {
    return near.isInProcess() && far.isInProcess();
  }

  @Override
  public boolean isAsynchronous() {
    return near.isInProcess() && (far.isInProcess() || far.isAsynchronous());
  }

  @Override
  public Optional<ReferentialPayload> findNear(StoreKey key) {
    return near.isInProcess() ? near.find(key) : near.findNear(key);
  }

  @Override
  public Optional<ReferentialPayload> findBehind(StoreKey key) {
    Optional<ReferentialPayload> distant = far.find(key);
    distant.ifPresent(answer -> keepFound(answer.under(key)));
    return distant;
  }

  @Override
  public List<ReferentialPayload> findAll(Collection<StoreKey> keys) {
    List<ReferentialPayload> close = near.findAll(keys);
    Set<StoreKey> missing = new HashSet<>(keys);
    close.forEach(answer -> missing.remove(answer.key()));
    if (missing.isEmpty()) {
      return close;
    }
    return Stream.concat(close.stream(), findAllBehind(missing).stream()).toList();
  }

  @Override
  public List<ReferentialPayload> findAllBehind(Collection<StoreKey> keys) {
    List<ReferentialPayload> distant = far.findAll(keys);
    distant.forEach(this::keepFound);
    return distant;
  }

  @Override
  public Map<StoreKey, Instant> momentsOf(Collection<StoreKey> keys) {
    Map<StoreKey, Instant> moments = new HashMap<>(near.momentsOf(keys));
    far.momentsOf(keys)
        .forEach((key, asOf) -> moments.merge(key, asOf, NearFarFailoverStore::later));
    return moments;
  }

  private static Instant later(Instant one, Instant other) {
    return one.isAfter(other) ? one : other;
  }

  @Override
  public List<StoredEntry> entries(String name, int limit) {
    return far.entries(name, limit);
  }

  @Override
  public Optional<List<StoreChange>> changes(Duration last, int limit) {
    return far.changes(last, limit);
  }

  @Override
  public long cleanByExpiry(Instant cutoff) {
    return near.cleanByExpiry(cutoff) + far.cleanByExpiry(cutoff);
  }

  @Override
  public long sweep(Instant cutoff, Duration interval) {
    expired.clear(); // the far store drops it now as well
    expiredNames.clear();
    long removed = near.sweep(cutoff, interval);
    try {
      copies.followAll();
    } finally { // what keeps copies from being compared need not keep rows from being swept
      removed += far.sweep(cutoff, interval);
    }
    return removed;
  }

  @Override
  public void listener(StoreListener newListener) {
    listener = newListener;
    near.listener(newListener);
    far.listener(watching(newListener));
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
  public void start() {
    near.start();
    far.start();
  }

  @Override
  public int close(Duration timeout) {
    Deadline deadline = Deadline.after(timeout, time);
    checks.close(deadline.remaining());
    int left = unwritten.writeRest(deadline);
    return left + near.close(deadline.remaining()) + far.close(deadline.remaining());
  }
}
