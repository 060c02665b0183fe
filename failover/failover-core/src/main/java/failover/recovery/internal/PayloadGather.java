package failover.recovery.internal;

import failover.FailoverCall;
import failover.FailoverOutcome.FailureReason;
import failover.FailoverResult.Slice;
import failover.FailoverSpec;
import failover.recovery.FailoverHandler.Recovery;
import failover.recovery.FailoverHandler.Recovery.Found;
import failover.recovery.FailoverHandler.Recovery.Missing;
import failover.recovery.FailoverHandler.Recovery.Parts;
import failover.slices.PayloadSplitter;
import failover.slices.PayloadSplitter.RecoverContext;
import failover.slices.PayloadSplitterExecutionException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Finds slices and merges them to answers. Safe for use by many threads. */
final class PayloadGather {
  private final StoredSlices store;
  private final SplitterInvoker splitters;
  private final SliceCalls calls;

  PayloadGather(StoredSlices store, SplitterInvoker splitters, SliceCalls calls) {
    this.store = store;
    this.splitters = splitters;
    this.calls = calls;
  }

  <T, R> Recovery<T> recover(
      PayloadSplitter<T, R> splitter, FailoverCall<T> call, Throwable cause, Instant now) {
    FailoverSpec<R> spec = SliceCalls.specOf(call);
    try {
      if (SliceCalls.needsAll(call)) {
        String name = call.storedName();
        return name == null
            ? new Missing<>(FailureReason.UNKEYABLE, null)
            : all(splitter, call, store.recoverAll(spec, name, cause, now), cause);
      }
      List<RecoverContext<R>> wanted = splitters.splitOnRecover(splitter, call, cause);
      return some(
          splitter, call, wanted, store.recover(spec, callsOf(call, wanted), cause, now), cause);
    } catch (PayloadSplitterExecutionException e) { // counted and logged
      return new Missing<>(FailureReason.SPLITTER_FAILED, e);
    } catch (RuntimeException | Error e) { // of another part of the application
      return store.readFailed(call.spec(), e);
    }
  }

  /** The same, if that takes no waiting; null if it does. */
  <T, R> @Nullable Recovery<T> recoverAtOnce(
      PayloadSplitter<T, R> splitter, FailoverCall<T> call, Throwable cause, Instant now) {
    FailoverSpec<R> spec = SliceCalls.specOf(call);
    try {
      if (SliceCalls.needsAll(call)) {
        return null;
      }
      List<RecoverContext<R>> wanted = splitters.splitOnRecover(splitter, call, cause);
      List<Recovery<R>> found = store.recoverAtOnce(spec, callsOf(call, wanted), cause, now);
      return found == null ? null : some(splitter, call, wanted, found, cause);
    } catch (PayloadSplitterExecutionException e) {
      return new Missing<>(FailureReason.SPLITTER_FAILED, e);
    } catch (RuntimeException | Error e) { // reading it all fails for the same reason, and is told
      return null;
    }
  }

  private <R> List<FailoverCall<R>> callsOf(FailoverCall<?> call, List<RecoverContext<R>> wanted) {
    FailoverSpec<R> spec = SliceCalls.specOf(call);
    return wanted.stream().map(slice -> calls.of(call, spec, slice.args())).toList();
  }

  private <T, R> Recovery<T> some(
      PayloadSplitter<T, R> splitter,
      FailoverCall<T> call,
      List<RecoverContext<R>> wanted,
      List<Recovery<R>> recoveries,
      Throwable cause) {
    List<RecoverContext<R>> slices = new ArrayList<>();
    List<Slice> told = new ArrayList<>();
    for (int i = 0; i < wanted.size(); i++) {
      RecoverContext<R> slice = with(wanted.get(i), recoveries.get(i));
      slices.add(slice);
      told.add(new Slice(slice.args(), slice.asOf()));
    }
    return merged(splitter, call, slices, recoveries, told, cause);
  }

  private <T, R> Recovery<T> all(
      PayloadSplitter<T, R> splitter,
      FailoverCall<T> call,
      List<Recovery<R>> recoveries,
      Throwable cause) {
    RecoverContext<R> none = new RecoverContext<>(call, List.of(), cause, null, null);
    List<RecoverContext<R>> slices = recoveries.stream().map(it -> with(none, it)).toList();
    return merged(splitter, call, slices, recoveries, List.of(), cause);
  }

  private static <R> RecoverContext<R> with(RecoverContext<R> slice, Recovery<R> recovery) {
    return recovery instanceof Found<R> found
        ? slice.with(found.value(), found.asOf())
        : slice.with(null, null);
  }

  private <T, R> Recovery<T> merged(
      PayloadSplitter<T, R> splitter,
      FailoverCall<T> call,
      List<RecoverContext<R>> slices,
      List<Recovery<R>> recoveries,
      List<Slice> told,
      Throwable cause) {
    Instant oldest = oldest(slices);
    if (oldest == null) {
      return nothing(recoveries);
    }
    int found = (int) slices.stream().filter(RecoverContext::isFound).count();
    if (!call.spec().partialRecovery().allows(found, slices.size())) {
      return new Missing<>(FailureReason.INCOMPLETE, null);
    }
    T answer = splitters.merge(splitter, call, slices);
    if (answer == null) {
      return new Missing<>(FailureReason.NOTHING_STORED, null);
    }
    FreshnessLabels.recovered(answer, oldest, cause);
    return new Found<>(answer, oldest, new Parts(slices.size() - found, slices.size(), told));
  }

  private static @Nullable Instant oldest(List<? extends RecoverContext<?>> slices) {
    Instant oldest = null;
    for (RecoverContext<?> slice : slices) {
      Instant asOf = slice.asOf();
      if (asOf != null && (oldest == null || asOf.isBefore(oldest))) {
        oldest = asOf;
      }
    }
    return oldest;
  }

  /** Why none was found: the first reason that says more than that there is nothing. */
  private static <T, R> Recovery<T> nothing(List<Recovery<R>> recoveries) {
    for (Recovery<R> recovery : recoveries) {
      if (recovery instanceof Missing<R> missing
          && missing.reason() != FailureReason.NOTHING_STORED) {
        return new Missing<>(missing.reason(), missing.trouble());
      }
    }
    return new Missing<>(FailureReason.NOTHING_STORED, null);
  }
}
