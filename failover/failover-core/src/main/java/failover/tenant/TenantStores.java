package failover.tenant;

import failover.store.FailoverStore;
import failover.store.FailoverStoreException;
import holdfast.lifecycle.Deadline;
import holdfast.log.LibraryLogger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The stores of tenants, each made when it is first used. Safe for use by many threads.
 *
 * <p>At most a number of them are open. One that is to make room is the least recently used one of
 * those that nobody uses just now; it is closed then. Where all are in use there may be more for
 * that time.
 */
final class TenantStores {
  private static final Duration CLOSING = Duration.ofSeconds(10);
  private static final System.Logger LOGGER = LibraryLogger.of("failover");

  /** An open store, made by the first of its users; their number is guarded by the stores. */
  private static final class Open {
    private final AtomicReference<@Nullable CompletableFuture<FailoverStore>> made =
        new AtomicReference<>();
    private int users;

    /** No lock is held while the application's factory makes it; others wait for the first. */
    private FailoverStore store(String id, TenantStoreFactory factory) {
      CompletableFuture<FailoverStore> own = new CompletableFuture<>();
      CompletableFuture<FailoverStore> first = made.compareAndExchange(null, own);
      if (first != null) {
        return madeBy(first, id);
      }
      try {
        FailoverStore store =
            Objects.requireNonNull(
                factory.create(id),
                "a TenantStoreFactory must make a store but gave null; have create never return"
                    + " null");
        own.complete(store);
        return store;
      } catch (RuntimeException | Error e) {
        made.set(null); // the next one tries again
        own.completeExceptionally(e);
        throw e;
      }
    }

    private static FailoverStore madeBy(CompletableFuture<FailoverStore> other, String id) {
      try {
        return other.join();
      } catch (CompletionException e) {
        throw new FailoverStoreException(
            "the store of tenant '%s' could not be made".formatted(id), e.getCause());
      }
    }

    private int close(Duration timeout) {
      CompletableFuture<FailoverStore> store = made.get();
      return store != null && store.isDone() && !store.isCompletedExceptionally()
          ? store.join().close(timeout)
          : 0;
    }
  }

  private final TenantStoreFactory factory;
  private final int most;
  private final Predicate<String> isKnown;
  private final Map<String, Open> open = new LinkedHashMap<>(16, 0.75f, true); // guarded by this
  private final Set<String> touched = new LinkedHashSet<>(); // guarded by this
  private boolean closed; // guarded by this

  /**
   * Stores.
   *
   * @param factory makes them
   * @param most how many may be open
   * @param isKnown whether a tenant is remembered for ever once it was used
   */
  TenantStores(TenantStoreFactory factory, int most, Predicate<String> isKnown) {
    this.factory = factory;
    this.most = most;
    this.isKnown = isKnown;
  }

  /** Does something with the store of a tenant, which stays open meanwhile. */
  <T> T call(String id, Function<FailoverStore, T> work) {
    Open used = acquire(id);
    try {
      return work.apply(used.store(id, factory));
    } finally {
      release(used);
    }
  }

  private synchronized Open acquire(String id) {
    if (closed) {
      throw new FailoverStoreException("the store is closed; close it after its callers", null);
    }
    Open used = open.computeIfAbsent(id, it -> new Open());
    used.users++;
    touched.add(id);
    return used;
  }

  private void release(Open used) {
    List<Open> surplus;
    synchronized (this) {
      used.users--;
      surplus = open.size() > most ? takeSurplus() : List.of();
    }
    surplus.forEach(TenantStores::close);
  }

  private List<Open> takeSurplus() {
    List<Open> surplus = new ArrayList<>();
    Iterator<Map.Entry<String, Open>> eldest = open.entrySet().iterator();
    while (open.size() > most && eldest.hasNext()) {
      Map.Entry<String, Open> entry = eldest.next();
      if (entry.getValue().users == 0) {
        eldest.remove();
        surplus.add(entry.getValue());
        if (!isKnown.test(entry.getKey())) {
          touched.remove(entry.getKey());
        }
      }
    }
    return surplus;
  }

  private static void close(Open surplus) {
    try {
      surplus.close(CLOSING);
    } catch (RuntimeException e) { // the one who made room for itself has nothing to do with it
      LOGGER.log(Level.WARNING, "failover could not close the store of a tenant", e);
    }
  }

  /** Those that were used since the start, but for unknown ones that had to make room. */
  synchronized Collection<String> touched() {
    return List.copyOf(touched);
  }

  /** How many are open. */
  synchronized int size() {
    return open.size();
  }

  /** Closes all; how many writes were left undone. */
  int close(Deadline deadline) {
    List<Open> all;
    synchronized (this) {
      closed = true;
      all = List.copyOf(open.values());
      open.clear();
    }
    return all.stream().mapToInt(store -> store.close(deadline.remaining())).sum();
  }
}
