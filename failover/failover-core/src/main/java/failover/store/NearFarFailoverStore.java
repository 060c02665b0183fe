package failover.store;

import failover.key.StoreKey;
import holdfast.lifecycle.Deadline;
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

/**
 * A store near by before one far away: read from the near one first, written to both. What the far
 * one gives is kept near, too. Safe for use by many threads.
 *
 * <p>What other nodes remove from the far store, or replace there by something newer, leaves the
 * near one with the next sweep of this node. So does what the far store never got, because too many
 * writes waited for it.
 */
public final class NearFarFailoverStore implements FailoverStore, FailoverStoreSizeAware {
  private static final int BATCH = 500;
  private static final int MOST_EXPIRED = 10_000;

  private final FailoverStore near;
  private final FailoverStore far;

  /** The names under which something was kept near; there is no other way to see all of it. */
  private final Set<String> names = ConcurrentHashMap.newKeySet();

  /**
   * What was made to expire by a key without its arguments since the last sweep, usually nothing:
   * which key it has near shows only when a call brings another answer for it. Beyond the bound it
   * expires all the same, but a call that began before may keep its answer near.
   */
  private final Map<StoreKey, ReferentialPayload> expired = new ConcurrentHashMap<>();

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
    keepNear(answer);
    far.store(answer);
  }

  @Override
  public void storeAll(Collection<ReferentialPayload> answers) {
    answers.forEach(this::keepNear);
    far.storeAll(answers);
  }

  private void keepNear(ReferentialPayload answer) {
    StoreKey key = answer.key();
    if (!key.hasArguments()) {
      expireNear(answer);
      return;
    }
    remember(key.name());
    near.store(answer);
    if (!expired.isEmpty()) {
      ReferentialPayload end = expired.get(StoreKey.stored(key.name(), key.id()));
      if (end != null) {
        near.store(end.under(key)); // stays only if it is newer
      }
    }
  }

  /** Without its content, which the far store has. */
  private void expireNear(ReferentialPayload answer) {
    Payload content = answer.payload();
    ReferentialPayload end =
        new ReferentialPayload(
            answer.key(),
            answer.asOf(),
            answer.expireOn(),
            Payload.tombstone(content.type(), content.schemaVersion()));
    if (expired.size() < MOST_EXPIRED) {
      expired.put(end.key(), end);
    }
    keysNear(end.key()).forEach(own -> near.store(end.under(own)));
  }

  private void remember(String name) {
    if (!names.contains(name)) { // a set that is only read costs nothing
      names.add(name);
    }
  }

  @Override
  public void delete(StoreKey key) {
    far.delete(key);
    forgetNear(key);
  }

  private void forgetNear(StoreKey key) {
    if (key.hasArguments()) {
      near.delete(key);
    } else {
      keysNear(key).forEach(near::delete);
    }
  }

  /** The keys that a row has near, found by its id. */
  private List<StoreKey> keysNear(StoreKey row) {
    return near.findAll(row.name()).stream()
        .map(ReferentialPayload::key)
        .filter(own -> own.id().equals(row.id()))
        .toList();
  }

  @Override
  public Optional<ReferentialPayload> find(StoreKey key) {
    Optional<ReferentialPayload> found = near.find(key);
    return found.isPresent() ? found : findBehind(key);
  }

  @Override
  public Optional<ReferentialPayload> findBehind(StoreKey key) {
    Optional<ReferentialPayload> distant = far.find(key);
    distant.ifPresent(answer -> keepNear(answer.under(key)));
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
    List<ReferentialPayload> distant = far.findAll(missing);
    distant.forEach(this::keepNear);
    return Stream.concat(close.stream(), distant.stream()).toList();
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
    expired.clear(); // the far store drops it now as well
    long removed = near.sweep(cutoff, interval);
    names.forEach(this::followFar);
    return removed + far.sweep(cutoff, interval);
  }

  /** Drops what is gone from the far store, or older than what it has by now. */
  private void followFar(String name) {
    List<ReferentialPayload> close = near.findAll(name);
    for (int from = 0; from < close.size(); from += BATCH) {
      Map<StoreKey, Instant> held = new HashMap<>();
      close
          .subList(from, Math.min(close.size(), from + BATCH))
          .forEach(answer -> held.put(answer.key(), answer.asOf()));
      Map<StoreKey, Instant> distant = far.momentsOf(held.keySet());
      held.forEach(
          (key, asOf) -> {
            Instant theirs = distant.get(key);
            if (theirs == null || theirs.isAfter(asOf)) {
              near.delete(key);
            }
          });
    }
  }

  @Override
  public void listener(StoreListener listener) {
    near.listener(listener);
    far.listener(listener);
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
    Deadline deadline = Deadline.after(timeout, TimeSource.system());
    return near.close(deadline.remaining()) + far.close(deadline.remaining());
  }
}
