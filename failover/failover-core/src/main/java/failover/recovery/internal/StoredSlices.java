package failover.recovery.internal;

import failover.FailoverCall;
import failover.FailoverOutcome.FailureReason;
import failover.FailoverSpec;
import failover.key.StoreKey;
import failover.observe.internal.PointStatistics;
import failover.recovery.FailoverHandler.Recovery;
import failover.store.FailoverStore;
import failover.store.FailoverStore.StoredEntry;
import failover.store.ReferentialPayload;
import failover.store.ReferentialPayload.Payload;
import holdfast.log.LibraryLogger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Keeps the slices of an answer in one write, and finds them in one read. Safe for use by many
 * threads.
 */
final class StoredSlices {
  /** Where all slices are recovered, how many at most. */
  static final int MOST = 10_000;

  private static final System.Logger LOGGER = LibraryLogger.of("failover");

  private final FailoverStore store;
  private final StoreWrites writes;
  private final DefaultFailoverHandler answers;
  private final Function<FailoverSpec<?>, PointStatistics> statistics;
  private final Set<String> cut = ConcurrentHashMap.newKeySet(); // points, each logged once

  StoredSlices(
      FailoverStore store,
      StoreWrites writes,
      DefaultFailoverHandler answers,
      Function<FailoverSpec<?>, PointStatistics> statistics) {
    this.store = store;
    this.writes = writes;
    this.answers = answers;
    this.statistics = statistics;
  }

  /** A slice to be kept, as the answer of a call for it alone. */
  record Live<R>(FailoverCall<R> call, @Nullable R slice) {}

  /**
   * Keeps the slices of one answer. One that cannot be encoded keeps no other from being stored.
   *
   * @return whether the store took all that there was to keep
   */
  <R> boolean store(FailoverSpec<R> spec, Collection<Live<R>> slices, Duration patience) {
    PointStatistics counters = statistics.apply(spec);
    List<ReferentialPayload> kept = new ArrayList<>();
    Throwable failure = null;
    for (Live<R> slice : slices) {
      try {
        Payload payload = answers.payloadOfLive(slice.call(), slice.slice());
        StoreKey key = slice.call().key();
        if (payload != null && key != null) {
          kept.add(DefaultFailoverHandler.stored(slice.call(), key, payload));
        }
      } catch (RuntimeException | Error e) { // the others are good
        failure = e;
      }
    }
    try {
      if (!kept.isEmpty()) {
        writes.writeAll(kept, patience);
        counters.count(PointStatistics.Count.STORED, kept.size());
      }
    } catch (RuntimeException | Error e) { // the call has its answer, and that is what counts
      failure = e;
    }
    if (failure != null) {
      writeFailed(spec, failure);
    } else if (!kept.isEmpty()) {
      answers.writesWell(spec);
    }
    return failure == null && !kept.isEmpty();
  }

  /** Something other than a splitter has failed before the store was reached, or the store has. */
  void writeFailed(FailoverSpec<?> spec, Throwable why) {
    statistics.apply(spec).count(PointStatistics.Count.STORE_FAILED);
    answers.writesFail(spec, why);
  }

  /** The same when slices are recovered. */
  <R> Recovery<R> readFailed(FailoverSpec<?> spec, Throwable why) {
    answers.readsFail(spec, why);
    return new Recovery.Missing<>(FailureReason.STORE_FAILED, why);
  }

  /** What is stored for each of those calls, in their order. */
  <R> List<Recovery<R>> recover(
      FailoverSpec<R> spec, List<FailoverCall<R>> calls, Throwable cause, Instant now) {
    try {
      Map<StoreKey, ReferentialPayload> found = newest(spec, keysOf(calls), now);
      answers.readsWell(spec);
      return calls.stream().map(call -> recovery(call, found, cause, now)).toList();
    } catch (RuntimeException | Error e) {
      Recovery<R> failed = readFailed(spec, e);
      return calls.stream().map(call -> failed).toList();
    }
  }

  /** The same, if that takes no waiting; null if it does. */
  <R> @Nullable List<Recovery<R>> recoverAtOnce(
      FailoverSpec<R> spec, List<FailoverCall<R>> calls, Throwable cause, Instant now) {
    if (store.isInProcess()) {
      return recover(spec, calls, cause, now);
    }
    try {
      Map<StoreKey, ReferentialPayload> found = new HashMap<>();
      for (StoreKey key : keysOf(calls)) {
        ReferentialPayload near = store.findNear(key).orElse(null);
        if (near == null || DefaultFailoverHandler.whyNot(spec, near, now) != null) {
          return null;
        }
        found.put(key, near);
      }
      return calls.stream().map(call -> recovery(call, found, cause, now)).toList();
    } catch (RuntimeException | Error e) { // reading it all fails for the same reason, and is told
      return null;
    }
  }

  /**
   * All that is stored under a name, in the order of its ids. What has expired, or was null, is not
   * there any more; but if there is nothing else, the reason is told.
   */
  <R> List<Recovery<R>> recoverAll(
      FailoverSpec<R> spec, String storedName, Throwable cause, Instant now) {
    List<FailoverCall<R>> calls;
    try {
      calls =
          entries(spec, storedName).stream()
              .filter(entry -> !entry.isTombstone())
              .map(StoredEntry::key)
              .sorted(Comparator.comparing(StoreKey::id))
              .map(key -> new FailoverCall<>(spec, List.of(), key, now, storedName))
              .toList();
    } catch (RuntimeException | Error e) {
      return List.of(readFailed(spec, e));
    }
    List<Recovery<R>> all = recover(spec, calls, cause, now);
    List<Recovery<R>> there = all.stream().filter(it -> !isOver(it)).toList();
    return there.isEmpty() && !all.isEmpty() ? List.of(all.get(0)) : there;
  }

  private List<StoredEntry> entries(FailoverSpec<?> spec, String storedName) {
    List<StoredEntry> entries = store.entries(storedName, MOST);
    if (entries.size() == MOST && cut.add(spec.name())) {
      LOGGER.log(
          Level.WARNING,
          "failover recovers no more slices than the newest {0} name={1}",
          MOST,
          spec.name());
    }
    return entries;
  }

  private static boolean isOver(Recovery<?> recovery) {
    return recovery instanceof Recovery.Missing<?> missing
        && (missing.reason() == FailureReason.EXPIRED
            || missing.reason() == FailureReason.NOTHING_STORED);
  }

  private static <R> Set<StoreKey> keysOf(List<FailoverCall<R>> calls) {
    Set<StoreKey> keys = new LinkedHashSet<>();
    for (FailoverCall<R> call : calls) {
      StoreKey key = call.key();
      if (key != null) {
        keys.add(key);
      }
    }
    return keys;
  }

  /** What is stored, and where that is a copy that is no good any more, what others have stored. */
  private Map<StoreKey, ReferentialPayload> newest(
      FailoverSpec<?> spec, Set<StoreKey> keys, Instant now) {
    Map<StoreKey, ReferentialPayload> found = new HashMap<>();
    if (keys.isEmpty()) {
      return found;
    }
    store.findAll(keys).forEach(answer -> found.put(answer.key(), answer));
    List<StoreKey> outdated =
        found.values().stream()
            .filter(answer -> DefaultFailoverHandler.whyNot(spec, answer, now) != null)
            .map(ReferentialPayload::key)
            .toList();
    if (!outdated.isEmpty()) {
      store
          .findAllBehind(outdated)
          .forEach(
              behind ->
                  found.merge(
                      behind.key(), behind, (old, young) -> young.replaces(old) ? young : old));
    }
    return found;
  }

  private <R> Recovery<R> recovery(
      FailoverCall<R> call, Map<StoreKey, ReferentialPayload> found, Throwable cause, Instant now) {
    StoreKey key = call.key();
    if (key == null) {
      return new Recovery.Missing<>(FailureReason.UNKEYABLE, null);
    }
    ReferentialPayload stored = found.get(key);
    FailureReason whyNot =
        stored == null
            ? FailureReason.NOTHING_STORED
            : DefaultFailoverHandler.whyNot(call.spec(), stored, now);
    return stored == null || whyNot != null
        ? new Recovery.Missing<>(whyNot == null ? FailureReason.NOTHING_STORED : whyNot, null)
        : answers.decode(call, stored, cause);
  }
}
