package failover;

import failover.key.StoreKey;
import failover.store.FailoverStore;
import failover.store.Payload;
import failover.store.ReferentialPayload;
import holdfast.time.TimeSource;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * What is stored, without its content, for people who look after it. Two removals: what is
 * <em>expired</em> is not given any more and goes with the next sweep; what is <em>forgotten</em>
 * is gone at once with its content. All methods may throw a {@link
 * failover.store.FailoverStoreException}. Safe for use by many threads.
 */
public final class StoredAnswers {
  private final FailoverStore store;
  private final Keys keys;
  private final TimeSource time;

  StoredAnswers(FailoverStore store, Keys keys, TimeSource time) {
    this.store = store;
    this.keys = keys;
    this.time = time;
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
   */
  public record Entry(
      String name,
      String id,
      Instant asOf,
      Instant expireOn,
      String type,
      int schemaVersion,
      boolean isNull) {

    private static Entry of(ReferentialPayload stored) {
      Payload payload = stored.payload();
      return new Entry(
          stored.key().name(),
          stored.key().id(),
          stored.asOf(),
          stored.expireOn(),
          payload.type(),
          payload.schemaVersion(),
          payload.isTombstone());
    }
  }

  /**
   * What is stored under an effective name, the newest first; expired entries are among it.
   *
   * @param most how many at most
   */
  public List<Entry> entries(String name, int most) {
    return store.findAll(name).stream()
        .sorted(Comparator.comparing(ReferentialPayload::asOf).reversed())
        .limit(most)
        .map(Entry::of)
        .toList();
  }

  /** Expires the entry of that name and id; false if there is none. */
  public boolean expire(String name, String id) {
    return with(name, id, stored -> store.store(stored.expiredAt(time.instant())));
  }

  /** Forgets the entry of that name and id; false if there is none. */
  public boolean forget(String name, String id) {
    return with(name, id, stored -> store.delete(stored.key()));
  }

  /** Expires all that is stored under an effective name, and tells how much that was. */
  public int expireAll(String name) {
    Instant now = time.instant();
    List<ReferentialPayload> all = store.findAll(name);
    store.storeAll(all.stream().map(stored -> stored.expiredAt(now)).toList());
    return all.size();
  }

  /** Forgets all that is stored under an effective name, and tells how much that was. */
  public int forgetAll(String name) {
    List<ReferentialPayload> all = store.findAll(name);
    all.forEach(stored -> store.delete(stored.key()));
    return all.size();
  }

  void expire(FailoverSpec<?> spec, List<? extends @Nullable Object> args) {
    StoreKey key = keys.of(spec, args);
    if (key == null) {
      return;
    }
    Instant now = time.instant();
    ReferentialPayload stored =
        store
            .find(key)
            .orElseGet(
                () ->
                    new ReferentialPayload(
                        key,
                        now,
                        now,
                        Payload.tombstone(spec.type().getTypeName(), spec.schemaVersion())));
    store.store(stored.under(key).expiredAt(now));
  }

  void forget(FailoverSpec<?> spec, List<? extends @Nullable Object> args) {
    StoreKey key = keys.of(spec, args);
    if (key != null) {
      store.delete(key);
    }
  }

  private boolean with(String name, String id, Consumer<ReferentialPayload> what) {
    Optional<ReferentialPayload> found =
        store.findAll(name).stream().filter(stored -> stored.key().id().equals(id)).findFirst();
    found.ifPresent(what);
    return found.isPresent();
  }
}
