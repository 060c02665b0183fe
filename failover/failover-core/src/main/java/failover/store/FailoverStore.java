package failover.store;

import failover.key.StoreKey;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * Where answers are kept. Safe for use by many threads.
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

  /** Keeps several answers, each as {@link #store} would. */
  default void storeAll(Collection<ReferentialPayload> answers) {
    answers.forEach(this::store);
  }

  /** Removes the answer of that key, if there is one. */
  void delete(StoreKey key);

  /** The answer of that key; may be one that has expired, or a tombstone. */
  Optional<ReferentialPayload> find(StoreKey key);

  /**
   * The answer of that key behind the one that {@link #find} gave, where that was a copy: it may be
   * newer. Asked for when the copy is no good any more; empty where there is nothing behind.
   */
  default Optional<ReferentialPayload> findBehind(StoreKey key) {
    return Optional.empty();
  }

  /** The answers of those keys that have one, in no order, each as {@link #find} would give it. */
  default List<ReferentialPayload> findAll(Collection<StoreKey> keys) {
    return keys.stream().flatMap(key -> find(key).stream()).toList();
  }

  /** Of what moment the answers of those keys are; keys without an answer are left out. */
  default Map<StoreKey, Instant> momentsOf(Collection<StoreKey> keys) {
    return findAll(keys).stream()
        .collect(Collectors.toMap(ReferentialPayload::key, ReferentialPayload::asOf));
  }

  /**
   * All answers under an effective name, in no order; may hold expired ones and tombstones. Their
   * keys are good for {@link #delete}, and for storing them again as expired.
   */
  List<ReferentialPayload> findAll(String name);

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
   * Has somebody told what happens behind the back of callers, where there is such a thing. One
   * listener at a time; the last one counts.
   */
  default void listener(StoreListener listener) {}

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
}
