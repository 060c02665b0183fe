package failover.store;

import failover.key.StoreKey;
import failover.store.ReferentialPayload.Payload;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Where answers are kept. Safe for use by many threads.
 *
 * <p>Names are effective names; where there are tenants they are texts of a {@link
 * failover.key.StoredName}, which a store treats like any other name.
 *
 * <p>Every store passes the contract test that is published beside this module. All methods may
 * throw a {@link FailoverStoreException}; the call that the answer belongs to does not notice.
 */
public interface FailoverStore extends AutoCloseable {

  /**
   * Keeps an answer in the place of the one with the same key, unless that one is {@linkplain
   * ReferentialPayload#replaces newer}.
   */
  void store(ReferentialPayload answer);

  /**
   * Keeps several answers, each as {@link #store} would. Stores in a database use one batch of
   * statements; a queue takes all of them or none, as one write.
   */
  default void storeAll(Collection<ReferentialPayload> answers) {
    answers.forEach(this::store);
  }

  /**
   * Removes the answer of that key, if there is one. A key made by {@link StoreKey#stored} stands
   * for the answer with its name and id.
   */
  void delete(StoreKey key);

  /**
   * Removes the answer of that key, unless a newer one has taken its place meanwhile. Stores in
   * memory do so in one step, so that they can be the near one of a {@link NearFarFailoverStore}.
   *
   * @param key as {@link #delete} takes it
   * @param asOf the moment of the answer to be removed
   */
  default void deleteUnlessNewer(StoreKey key, Instant asOf) {
    Instant stored = momentsOf(List.of(key)).get(key);
    if (stored != null && !stored.isAfter(asOf)) {
      delete(key);
    }
  }

  /**
   * Removes all answers under an effective name.
   *
   * @return how many it removed
   */
  int deleteAll(String name);

  /**
   * Makes all answers under an effective name {@linkplain ReferentialPayload#expiredAt expire}.
   *
   * @return how many there are
   */
  int expireAll(String name, Instant now);

  /** The answer of that key; may be one that has expired, or a tombstone. */
  Optional<ReferentialPayload> find(StoreKey key);

  /** Whether reading waits for nothing outside of this process: then it needs no time limit. */
  default boolean isInProcess() {
    return false;
  }

  /**
   * Whether storing waits for nothing outside of this process, because another thread writes. For a
   * store that neither is {@linkplain #isInProcess in this process} nor does so, callers wait only
   * for some time.
   */
  default boolean isAsynchronous() {
    return false;
  }

  /**
   * The copy of that key that is kept in this process, found without waiting; empty if there is
   * none, which says nothing about {@link #find}.
   */
  default Optional<ReferentialPayload> findNear(StoreKey key) {
    return Optional.empty();
  }

  /**
   * The answer of that key behind the one that {@link #find} gave, where that was a copy: it may be
   * newer. Asked for when the copy is no good any more; empty where there is nothing behind.
   */
  default Optional<ReferentialPayload> findBehind(StoreKey key) {
    return Optional.empty();
  }

  /**
   * The answers behind those that {@link #findAll} gave, where these were copies; each as {@link
   * #findBehind} would give it.
   */
  default List<ReferentialPayload> findAllBehind(Collection<StoreKey> keys) {
    return keys.stream().flatMap(key -> findBehind(key).stream()).toList();
  }

  /**
   * The answers of those keys that have one, in no order, each as {@link #find} would give it.
   * Stores in a database use one statement for many keys.
   */
  default List<ReferentialPayload> findAll(Collection<StoreKey> keys) {
    return keys.stream().flatMap(key -> find(key).stream()).toList();
  }

  /**
   * Of what moment the answers of those keys are; keys without an answer are left out. Stores with
   * large contents read none for it.
   */
  default Map<StoreKey, Instant> momentsOf(Collection<StoreKey> keys) {
    return findAll(keys).stream()
        .collect(Collectors.toMap(ReferentialPayload::key, ReferentialPayload::asOf));
  }

  /**
   * What is stored under an effective name, without content, the newest first; may hold expired
   * answers and tombstones. No content is read for it.
   *
   * @param limit how many at most
   */
  List<StoredEntry> entries(String name, int limit);

  /**
   * What any node has stored or removed within a time, by the clock of the store, so that copies of
   * it can be dropped; removals of the last 24 hours at least, and before what was stored. May tell
   * more than that.
   *
   * @param last how long ago the first change was
   * @param limit how many at most; as many as that may not be all
   * @return empty if the store cannot tell
   */
  default Optional<List<StoreChange>> changes(Duration last, int limit) {
    return Optional.empty();
  }

  /**
   * The names under which something is kept. Stores in memory can tell, so that they can be the
   * near one of a {@link NearFarFailoverStore} for many tenants.
   *
   * @return empty if the store cannot tell
   */
  default Optional<Set<String>> names() {
    return Optional.empty();
  }

  /**
   * Removes the answers whose last moment lies before that one.
   *
   * @return how many it removed
   */
  long cleanByExpiry(Instant cutoff);

  /**
   * Does what {@link #cleanByExpiry} does, if it is this node's turn where nodes share a store.
   *
   * @param cutoff the moment
   * @param interval for how long it is nobody else's turn then
   * @return how many answers it removed
   */
  default long sweep(Instant cutoff, Duration interval) {
    return cleanByExpiry(cutoff);
  }

  /**
   * Sets the listener for what happens asynchronously, where something does. One listener at a
   * time; the last one counts.
   */
  default void listener(StoreListener listener) {}

  /**
   * Checks that answers can be kept here; called when the library is started. A store that cannot
   * be reached now is no mistake, since it may come later.
   *
   * @throws FailoverStoreException if something is wrong that will not pass by itself, such as a
   *     missing table
   */
  default void start() {}

  /**
   * Writes what is still to be written, if there is such a thing, and ends.
   *
   * @param timeout how long that may take
   * @return how many writes were left undone
   */
  default int close(Duration timeout) {
    return 0;
  }

  /** Ends at once. */
  @Override
  default void close() {
    close(Duration.ZERO);
  }

  /**
   * A stored answer without its content. Immutable.
   *
   * @param key under which it is kept
   * @param asOf when the call that brought it began
   * @param expireOn the last moment at which it may be served
   * @param type its declared type
   * @param schemaVersion the version of the type
   * @param isTombstone whether the live answer was null
   * @param bytes the size of its content; an estimate where it is kept by reference
   */
  record StoredEntry(
      StoreKey key,
      Instant asOf,
      Instant expireOn,
      String type,
      int schemaVersion,
      boolean isTombstone,
      long bytes) {

    /** Returns what there is to know of an answer without its content. */
    public static StoredEntry of(ReferentialPayload answer) {
      Payload payload = answer.payload();
      return new StoredEntry(
          answer.key(),
          answer.asOf(),
          answer.expireOn(),
          payload.type(),
          payload.schemaVersion(),
          payload.isTombstone(),
          payload.estimatedBytes());
    }
  }

  /**
   * A change in a store that several nodes share. Immutable.
   *
   * @param name the effective name
   * @param id the {@link failover.key.StoreKey#id()} of the answer, or null for all under the name
   * @param stored what moment the stored answer is of and until when it may be served, or null if
   *     it was removed
   */
  record StoreChange(String name, @Nullable String id, @Nullable Moments stored) {

    /**
     * The moments of an answer.
     *
     * @param asOf when the call that brought it began
     * @param expireOn the last moment at which it may be served
     */
    public record Moments(Instant asOf, Instant expireOn) {

      /** Whether a copy with the other moments is out of date. */
      boolean outdates(Moments copy) {
        return asOf.isAfter(copy.asOf)
            || (asOf.equals(copy.asOf) && expireOn.isBefore(copy.expireOn));
      }
    }
  }

  /** A listener for what happens asynchronously to writes. Must not throw. */
  interface StoreListener {
    /** Does nothing. */
    StoreListener NONE =
        new StoreListener() {
          @Override
          public void failed(String name, String operation, RuntimeException failure) {}

          @Override
          public void dropped(StoreKey key, DropReason reason) {}
        };

    /**
     * A write failed; it is kept and tried again.
     *
     * @param name the effective name
     * @param operation store or delete
     * @param failure what the store threw
     */
    void failed(String name, String operation, RuntimeException failure);

    /** A write succeeded. */
    default void written(String name) {}

    /** A write was dropped. */
    void dropped(StoreKey key, DropReason reason);

    /**
     * Copies near by were checked against the far store.
     *
     * @param failure why they could not be, or null
     */
    default void checked(@Nullable Exception failure) {}
  }

  /** Why a write was dropped. */
  enum DropReason {
    /** As many writes or bytes as may wait wait already. */
    QUEUE_FULL("check that the store takes writes, or let more of them wait"),
    /** The answer takes more bytes than all writes that wait may take together. */
    TOO_LARGE("let more bytes wait, or give a smaller answer"),
    /** The store refused it several times, and took others in between. */
    REFUSED("see the failure logged before it"),
    /** The answer cannot be encoded. */
    NOT_ENCODABLE("see the failure logged before it"),
    /** The store is closed. */
    CLOSED("close it after its callers");

    private final String fix;

    DropReason(String fix) {
      this.fix = fix;
    }

    /** Returns the name in meters and log lines, such as {@code queue_full}. */
    public String code() {
      return name().toLowerCase(Locale.ROOT);
    }

    /** Returns what to do about it. */
    public String fix() {
      return fix;
    }
  }

  /** A store that can count its answers. */
  interface FailoverStoreSizeAware {

    /**
     * How many answers there are under an effective name, those of all tenants and expired ones
     * included.
     */
    long liveEntryCount(String name);

    /** Whether counting works and is cheap enough for a gauge. */
    default boolean liveEntryCountSupported() {
      return true;
    }
  }
}
