package failover.tenant;

import failover.observe.internal.StateLog;
import failover.store.FailoverStore.StoreChange;
import holdfast.time.TimeSource;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;

/**
 * What has changed in the stores of tenants. One that fails keeps no other from being asked, and is
 * asked the next time for what was missed as well. For use by one thread at a time.
 */
final class TenantChanges {
  private final TimeSource time;
  private final StateLog log;
  private final Map<String, Long> missedSince = new HashMap<>();

  TenantChanges(TimeSource time) {
    this.time = time;
    this.log = new StateLog(time);
  }

  /**
   * Asks all of them.
   *
   * @param stores their ids
   * @param ask asks one for what happened within a time
   * @param last how long ago the first change was
   * @param limit how many at most
   * @return removals first; empty if no store can tell
   */
  synchronized Optional<List<StoreChange>> of(
      Collection<String> stores,
      BiFunction<String, Duration, Optional<List<StoreChange>>> ask,
      Duration last,
      int limit) {
    List<StoreChange> all = new ArrayList<>();
    boolean canTell = stores.isEmpty();
    RuntimeException failure = null;
    int failed = 0;
    for (String id : stores) {
      try {
        List<StoreChange> own = ask.apply(id, window(id, last)).orElse(null);
        missedSince.remove(id);
        canTell |= own != null;
        if (own != null && own.size() >= limit && areRemovals(own)) {
          return Optional.of(own); // there may be more of them, and nobody can tell which
        }
        all.addAll(own == null ? List.of() : own);
      } catch (RuntimeException e) {
        missedSince.putIfAbsent(id, time.nanoTime() - last.toNanos());
        failure = e;
        failed++;
      }
    }
    report(failure, failed == stores.size());
    all.sort(Comparator.comparing(change -> change.stored() != null));
    return canTell
        ? Optional.of(all.size() > limit ? List.copyOf(all.subList(0, limit)) : all)
        : Optional.empty();
  }

  private Duration window(String id, Duration last) {
    Long since = missedSince.get(id);
    Duration missed = since == null ? last : Duration.ofNanos(time.nanoTime() - since);
    return missed.compareTo(last) > 0 ? missed : last;
  }

  private static boolean areRemovals(List<StoreChange> changes) {
    return changes.stream().allMatch(change -> change.stored() == null);
  }

  /** Where all have failed, whoever asked says so. */
  private void report(@Nullable RuntimeException failure, boolean haveAllFailed) {
    if (failure == null) {
      log.well(() -> "failover checks copies in memory against the tables of all tenants again");
    } else if (haveAllFailed) {
      throw failure;
    } else {
      log.trouble(
          () ->
              "failover cannot check copies in memory against the tables of some tenants, they are"
                  + " given as they are",
          failure);
    }
  }
}
