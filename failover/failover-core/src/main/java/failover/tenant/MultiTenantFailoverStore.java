package failover.tenant;

import failover.key.StoreKey;
import failover.key.StoredName;
import failover.store.FailoverStore;
import failover.store.FailoverStore.FailoverStoreSizeAware;
import failover.store.FailoverStore.StoreChange;
import failover.store.FailoverStore.StoredEntry;
import failover.store.FailoverStoreException;
import failover.store.ReferentialPayload;
import holdfast.lifecycle.Deadline;
import holdfast.time.TimeSource;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A store for each tenant: what is kept for a tenant goes to its own one. Copies in memory, the
 * queue of writes and encryption stand before it, for all tenants together. Safe for use by many
 * threads.
 *
 * <p>The tenant is part of the key, so nothing is resolved here. Tenants that are not {@linkplain
 * Tenants#known known}, and those for which the factory {@linkplain TenantStoreFactory#isShared
 * says so}, share one store; in it the default tenant has the effective names themselves, others
 * have names of their own. {@link #start} checks, and the sweep cleans, the stores of all tenants
 * that are known or were used since the start.
 */
public final class MultiTenantFailoverStore implements FailoverStore, FailoverStoreSizeAware {
  /** How many stores are open at most, unless configured: {@value}. */
  public static final int DEFAULT_MAX_STORES = 1_000;

  private final Tenants tenants;
  private final TenantStoreFactory factory;
  private final TimeSource time;
  private final TenantStores stores;
  private final SharedNames names = new SharedNames();
  private final TenantChanges changes;

  /** Where a store keeps what has a stored name. */
  private record Place(String store, String name) {}

  /** Stores of which at most {@value #DEFAULT_MAX_STORES} are open. */
  public MultiTenantFailoverStore(Tenants tenants, TenantStoreFactory factory) {
    this(tenants, factory, DEFAULT_MAX_STORES, TimeSource.system());
  }

  /**
   * Stores of tenants.
   *
   * @param tenants the tenants; the same as those of the calls
   * @param factory makes the store of a tenant when it is first used
   * @param maxStores how many are open, 1 or more; the least recently used one is closed and made
   *     again when it is used
   * @param time the clock
   * @throws IllegalArgumentException if the number is out of range
   */
  public MultiTenantFailoverStore(
      Tenants tenants, TenantStoreFactory factory, int maxStores, TimeSource time) {
    if (maxStores < 1) {
      throw new IllegalArgumentException("maxStores must be 1 or more but was " + maxStores);
    }
    this.tenants = Objects.requireNonNull(tenants, "tenants");
    this.factory = Objects.requireNonNull(factory, "factory");
    this.time = time;
    this.stores =
        new TenantStores(
            factory, maxStores, id -> id.equals(TenantStoreFactory.SINGLE) || tenants.isKnown(id));
    this.changes = new TenantChanges(time);
  }

  private boolean isShared(String tenant) {
    return tenants.isStranger(tenant) || factory.isShared(tenant);
  }

  private Place placeOf(String text) {
    StoredName stored = StoredName.parse(text);
    String tenant = stored.tenant();
    if (tenant == null) {
      return new Place(TenantStoreFactory.SINGLE, text);
    }
    if (!isShared(tenant)) {
      return new Place(tenant, stored.name());
    }
    return new Place(
        TenantStoreFactory.SINGLE, isDefault(tenant) ? stored.name() : names.nameFor(text));
  }

  private boolean isDefault(String tenant) {
    return tenants.defaultTenant().filter(tenant::equals).isPresent();
  }

  /** The text of the stored name that a name in a store stands for; null if nobody knows. */
  private @Nullable String textOf(Place place) {
    if (!place.store.equals(TenantStoreFactory.SINGLE)) {
      return StoredName.text(place.store, place.name);
    }
    String text = names.textOf(place.name);
    String owner = tenants.defaultTenant().filter(this::isShared).orElse(null);
    return text != null || owner == null ? text : StoredName.text(owner, place.name);
  }

  /** All stores whose tenants are known or were used. */
  private Set<String> all() {
    Set<String> all = new LinkedHashSet<>();
    boolean isShared = tenants.hasStrangers();
    for (String tenant : tenants.known()) {
      if (isShared(tenant)) {
        isShared = true;
      } else {
        all.add(tenant);
      }
    }
    if (isShared) {
      all.add(TenantStoreFactory.SINGLE);
    }
    all.addAll(stores.touched());
    return all;
  }

  /** Does something with each of some stores, whichever of them fail. */
  @SuppressWarnings("ReferenceEquality") // an exception must not suppress itself
  private static <I> void each(Collection<I> all, Consumer<I> work) {
    RuntimeException failure = null;
    for (I one : all) {
      try {
        work.accept(one);
      } catch (RuntimeException e) {
        if (failure == null) {
          failure = e;
        } else if (failure != e) {
          failure.addSuppressed(e);
        }
      }
    }
    if (failure != null) {
      throw failure;
    }
  }

  private <T> T at(String text, BiFunction<FailoverStore, String, T> work) {
    Place place = placeOf(text);
    return stores.call(place.store, store -> work.apply(store, place.name));
  }

  @Override
  public void store(ReferentialPayload answer) {
    at(
        answer.key().name(),
        (store, name) -> {
          store.store(answer.under(answer.key().withName(name)));
          return name;
        });
  }

  @Override
  public void storeAll(Collection<ReferentialPayload> answers) {
    Map<String, List<ReferentialPayload>> byStore = new LinkedHashMap<>();
    for (ReferentialPayload answer : answers) {
      Place place = placeOf(answer.key().name());
      byStore
          .computeIfAbsent(place.store, id -> new ArrayList<>())
          .add(answer.under(answer.key().withName(place.name)));
    }
    each(
        byStore.entrySet(),
        own ->
            stores.call(
                own.getKey(),
                store -> {
                  store.storeAll(own.getValue());
                  return store;
                }));
  }

  @Override
  public void delete(StoreKey key) {
    at(
        key.name(),
        (store, name) -> {
          store.delete(key.withName(name));
          return name;
        });
  }

  @Override
  public int deleteAll(String name) {
    return at(name, FailoverStore::deleteAll);
  }

  @Override
  public int expireAll(String name, Instant now) {
    return at(name, (store, own) -> store.expireAll(own, now));
  }

  @Override
  public Optional<ReferentialPayload> find(StoreKey key) {
    return at(
        key.name(), (store, name) -> store.find(key.withName(name)).map(found -> found.under(key)));
  }

  @Override
  public List<ReferentialPayload> findAll(Collection<StoreKey> keys) {
    List<ReferentialPayload> all = new ArrayList<>();
    byStore(keys)
        .forEach(
            (id, own) ->
                stores
                    .call(id, store -> store.findAll(own.keySet()))
                    .forEach(found -> all.add(found.under(asAsked(found.key(), own)))));
    return all;
  }

  @Override
  public Map<StoreKey, Instant> momentsOf(Collection<StoreKey> keys) {
    Map<StoreKey, Instant> all = new HashMap<>();
    byStore(keys)
        .forEach(
            (id, own) ->
                stores
                    .call(id, store -> store.momentsOf(own.keySet()))
                    .forEach((key, asOf) -> all.put(asAsked(key, own), asOf)));
    return all;
  }

  /** The keys as callers have them, by those that the store has; by their stores. */
  private Map<String, Map<StoreKey, StoreKey>> byStore(Collection<StoreKey> keys) {
    Map<String, Map<StoreKey, StoreKey>> all = new LinkedHashMap<>();
    for (StoreKey key : keys) {
      Place place = placeOf(key.name());
      all.computeIfAbsent(place.store, id -> new HashMap<>()).put(key.withName(place.name), key);
    }
    return all;
  }

  private static StoreKey asAsked(StoreKey found, Map<StoreKey, StoreKey> asked) {
    return asked.getOrDefault(found, found);
  }

  @Override
  public List<StoredEntry> entries(String name, int limit) {
    return at(name, (store, own) -> store.entries(own, limit)).stream()
        .map(entry -> under(name, entry))
        .toList();
  }

  private static StoredEntry under(String name, StoredEntry entry) {
    return new StoredEntry(
        StoreKey.stored(name, entry.key().id()),
        entry.asOf(),
        entry.expireOn(),
        entry.type(),
        entry.schemaVersion(),
        entry.isTombstone(),
        entry.bytes());
  }

  /** Asks the stores that were used since the start; of others there are no copies. */
  @Override
  public Optional<List<StoreChange>> changes(Duration last, int limit) {
    return changes.of(
        stores.touched(),
        (id, window) ->
            stores
                .call(id, store -> store.changes(window, limit))
                .map(found -> withTexts(id, found)),
        last,
        limit);
  }

  private List<StoreChange> withTexts(String id, List<StoreChange> found) {
    List<StoreChange> all = new ArrayList<>();
    for (StoreChange change : found) {
      String text = textOf(new Place(id, change.name()));
      all.add(new StoreChange(text == null ? change.name() : text, change.id(), change.stored()));
    }
    return all;
  }

  @Override
  public long cleanByExpiry(Instant cutoff) {
    return sum(store -> store.cleanByExpiry(cutoff));
  }

  @Override
  public long sweep(Instant cutoff, Duration interval) {
    return sum(store -> store.sweep(cutoff, interval));
  }

  private long sum(Function<FailoverStore, Long> work) {
    List<Long> counts = new ArrayList<>();
    each(all(), id -> counts.add(stores.call(id, work)));
    return counts.stream().mapToLong(Long::longValue).sum();
  }

  /**
   * Checks the stores of all tenants that are known.
   *
   * @throws FailoverStoreException if one is not as it must be, such as a table that is missing
   */
  @Override
  public void start() {
    each(
        all(),
        id -> {
          try {
            stores.call(
                id,
                store -> {
                  store.start();
                  return store;
                });
          } catch (FailoverStoreException e) {
            throw new FailoverStoreException(
                "the store of tenant '%s' cannot be used: %s".formatted(id, e.getMessage()), e);
          }
        });
  }

  /** Of an effective name: the answers of all tenants that are known or were used. */
  @Override
  public long liveEntryCount(String name) {
    return StoredName.parse(name).tenant() == null
        ? sum(store -> count(store, name))
        : at(name, MultiTenantFailoverStore::count);
  }

  private static long count(FailoverStore store, String name) {
    return store instanceof FailoverStoreSizeAware aware ? aware.liveEntryCount(name) : 0;
  }

  /** Whether the stores of all tenants that are known or were used can count. */
  @Override
  public boolean liveEntryCountSupported() {
    Set<String> all = all();
    return !all.isEmpty()
        && all.stream()
            .allMatch(
                id ->
                    stores.call(
                        id,
                        store ->
                            store instanceof FailoverStoreSizeAware aware
                                && aware.liveEntryCountSupported()));
  }

  /** How many stores are open. */
  public int openStores() {
    return stores.size();
  }

  @Override
  public int close(Duration timeout) {
    return stores.close(Deadline.after(timeout, time));
  }
}
