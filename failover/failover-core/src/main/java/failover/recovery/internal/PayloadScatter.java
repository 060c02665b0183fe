package failover.recovery.internal;

import failover.FailoverCall;
import failover.FailoverSpec;
import failover.key.StoreKey;
import failover.recovery.internal.StoredSlices.Live;
import failover.slices.PayloadSplitter;
import failover.slices.PayloadSplitter.RecoverContext;
import failover.slices.PayloadSplitter.StoreContext;
import failover.slices.PayloadSplitterExecutionException;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Keeps live answers in slices. Safe for use by many threads. */
final class PayloadScatter {
  private final StoredSlices store;
  private final SplitterInvoker splitters;
  private final SliceCalls calls;

  PayloadScatter(StoredSlices store, SplitterInvoker splitters, SliceCalls calls) {
    this.store = store;
    this.splitters = splitters;
    this.calls = calls;
  }

  /** Keeps an answer; false if the store did not take all of it, or there was nothing to keep. */
  <T> boolean store(
      PayloadSplitter<T, ?> splitter, FailoverCall<T> call, @Nullable T answer, Duration patience) {
    try {
      return answer == null
          ? remove(splitter, call, patience)
          : keep(splitter, call, answer, patience);
    } catch (PayloadSplitterExecutionException e) { // counted and logged; the call has its answer
      return false;
    } catch (RuntimeException | Error e) { // of another part of the application
      store.writeFailed(call.spec(), e);
      return false;
    } finally {
      FreshnessLabels.live(answer, call.startedAt());
    }
  }

  private <T, R> boolean keep(
      PayloadSplitter<T, R> splitter, FailoverCall<T> call, T answer, Duration patience) {
    if (!call.spec().keeps(answer)) {
      return false;
    }
    FailoverSpec<R> spec = SliceCalls.specOf(call);
    Map<StoreKey, Live<R>> byKey = new LinkedHashMap<>(); // the last one of a key
    for (StoreContext<R> slice : splitters.splitOnStore(splitter, call, answer)) {
      FailoverCall<R> mine = calls.of(call, spec, slice.args());
      StoreKey key = mine.key();
      if (key != null) {
        byKey.put(key, new Live<>(mine, slice.payload()));
      }
    }
    return store.store(spec, byKey.values(), patience);
  }

  /** A source that has nothing any more says so of one slice; of several, nobody knows of which. */
  private <T, R> boolean remove(
      PayloadSplitter<T, R> splitter, FailoverCall<T> call, Duration patience) {
    if (SliceCalls.needsAll(call)) {
      return false;
    }
    List<RecoverContext<R>> slices = splitters.splitOnRecover(splitter, call, null);
    if (slices.size() != 1) {
      return false;
    }
    FailoverSpec<R> spec = SliceCalls.specOf(call);
    FailoverCall<R> gone = calls.of(call, spec, slices.get(0).args());
    return store.store(spec, List.of(new Live<>(gone, null)), patience);
  }
}
