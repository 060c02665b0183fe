package failover;

import failover.key.StoreKey;
import failover.key.StoredName;
import failover.recovery.internal.SplitterInvoker;
import failover.slices.PayloadSplitter;
import failover.store.FailoverStore;
import failover.store.FailoverStore.StoredEntry;
import failover.store.ReferentialPayload;
import holdfast.time.TimeSource;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Lists what is stored, without its content, and removes it. Two removals: what is <em>expired</em>
 * is not given any more and goes with the next sweep; what is <em>forgotten</em> is gone at once
 * with its content. Where there are tenants, all of it is about that of the current thread, or of
 * {@link #ofTenant another}. All methods may throw a {@link failover.store.FailoverStoreException}.
 * Safe for use by many threads.
 */
public final class StoredAnswers {
  private final FailoverStore store;
  private final Keys keys;
  private final SplitterInvoker splitters;
  private final UnaryOperator<String> storedName; // of an effective name
  private final TimeSource time;

  StoredAnswers(FailoverStore store, Keys keys, SplitterInvoker splitters, TimeSource time) {
    this(store, keys, splitters, keys::storedName, time);
  }

  private StoredAnswers(
      FailoverStore store,
      Keys keys,
      SplitterInvoker splitters,
      UnaryOperator<String> storedName,
      TimeSource time) {
    this.store = store;
    this.keys = keys;
    this.splitters = splitters;
    this.storedName = storedName;
    this.time = time;
  }

  /**
   * The stored answers of a tenant, whichever the current thread has.
   *
   * @throws failover.store.FailoverStoreException if it is unknown, and unknown ones are refused
   * @throws IllegalStateException if there are no tenants
   */
  public StoredAnswers ofTenant(String tenant) {
    keys.storedName(tenant, "");
    return new StoredAnswers(store, keys, splitters, name -> keys.storedName(tenant, name), time);
  }

  /**
   * The tenant of the current thread, or the default one; empty where there are no tenants.
   *
   * @throws failover.store.FailoverStoreException if there is neither
   */
  public Optional<String> tenant() {
    return Optional.ofNullable(StoredName.tenant(storedName.apply("")));
  }

  /**
   * A stored answer without its content.
   *
   * @param name the effective name
   * @param id the 36 characters its arguments became
   * @param asOf what moment it is of
   * @param expireOn the last moment at which it may be given
   * @param type its declared type
   * @param schemaVersion the version of the type
   * @param isNull whether the live answer was null
   * @param bytes the size of its content; an estimate where it is kept by reference
   */
  public record Entry(
      String name,
      String id,
      Instant asOf,
      Instant expireOn,
      String type,
      int schemaVersion,
      boolean isNull,
      long bytes) {

    private static Entry of(StoredEntry stored) {
      return new Entry(
          StoredName.effectiveName(stored.key().name()),
          stored.key().id(),
          stored.asOf(),
          stored.expireOn(),
          stored.type(),
          stored.schemaVersion(),
          stored.isTombstone(),
          stored.bytes());
    }
  }

  /**
   * What is stored under an effective name, the newest first; expired entries are among it.
   *
   * @param most how many at most
   */
  public List<Entry> entries(String name, int most) {
    return store.entries(storedName.apply(name), most).stream().map(Entry::of).toList();
  }

  /** Expires the entry of that name and id, and drops its content; false if there is none. */
  public boolean expire(String name, String id) {
    StoreKey key = StoreKey.stored(storedName.apply(name), id);
    Instant asOf = store.momentsOf(List.of(key)).get(key);
    if (asOf == null) {
      return false;
    }
    store.store(ReferentialPayload.expired(key, asOf, time.instant(), "", 0));
    return true;
  }

  /** Forgets the entry of that name and id; false if there was none. */
  public boolean forget(String name, String id) {
    StoreKey key = StoreKey.stored(storedName.apply(name), id);
    boolean isThere = !store.momentsOf(List.of(key)).isEmpty();
    store.delete(key); // in any case: what no store shows may be on its way
    return isThere;
  }

  /** Expires all that is stored under an effective name, and tells how much that was. */
  public int expireAll(String name) {
    return store.expireAll(storedName.apply(name), time.instant());
  }

  /** Forgets all that is stored under an effective name, and tells how much that was. */
  public int forgetAll(String name) {
    return store.deleteAll(storedName.apply(name));
  }

  void expire(FailoverSpec<?> spec, List<? extends @Nullable Object> args) {
    if (isOfAll(spec, args)) {
      expireAll(spec.effectiveName());
      return;
    }
    List<StoreKey> stored = keysOf(spec, args);
    Instant now = time.instant();
    FailoverSpec<?> as = spec.stored();
    Map<StoreKey, Instant> moments = store.momentsOf(stored);
    List<ReferentialPayload> ends = new ArrayList<>();
    for (StoreKey key : stored) {
      Instant asOf = moments.getOrDefault(key, now);
      ends.add(ReferentialPayload.expired(key, asOf, now, as.typeName(), as.schemaVersion()));
    }
    if (ends.size() == 1) {
      store.store(ends.get(0));
    } else if (!ends.isEmpty()) {
      store.storeAll(ends);
    }
  }

  void forget(FailoverSpec<?> spec, List<? extends @Nullable Object> args) {
    if (isOfAll(spec, args)) {
      forgetAll(spec.effectiveName());
    } else {
      keysOf(spec, args).forEach(store::delete);
    }
  }

  /** Whether the stored answer of such a call is all that there is. */
  private static boolean isOfAll(FailoverSpec<?> spec, List<? extends @Nullable Object> args) {
    return spec.payloadSplitter().isPresent() && (spec.recoversAll() || args.isEmpty());
  }

  /** The keys of what is stored for such a call; none if an argument allows no key. */
  private <T> List<StoreKey> keysOf(FailoverSpec<T> spec, List<? extends @Nullable Object> args) {
    PayloadSplitter<T, ?> splitter = spec.payloadSplitter().orElse(null);
    String name = storedName.apply(spec.effectiveName());
    Stream<@Nullable StoreKey> found =
        splitter == null
            ? Stream.of(keys.of(spec, args, name))
            : slices(splitter, spec, args, name);
    return found.flatMap(Stream::ofNullable).distinct().toList();
  }

  private <T, R> Stream<@Nullable StoreKey> slices(
      PayloadSplitter<T, R> splitter,
      FailoverSpec<T> spec,
      List<? extends @Nullable Object> args,
      String name) {
    FailoverCall<T> call = new FailoverCall<>(spec, args, null, time.instant(), name);
    return splitters.splitOnRecover(splitter, call, null).stream()
        .map(slice -> keys.of(spec.stored(), slice.args(), name));
  }
}
