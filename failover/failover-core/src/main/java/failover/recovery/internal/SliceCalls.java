package failover.recovery.internal;

import failover.FailoverCall;
import failover.FailoverSpec;
import failover.key.StoreKey;
import java.util.List;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;

/** Makes calls for slices of the calls for whole answers. Safe for use by many threads. */
record SliceCalls(
    BiFunction<FailoverSpec<?>, List<? extends @Nullable Object>, @Nullable StoreKey> keys) {

  /** Whether the call needs all slices that are stored, and not some by their keys. */
  static boolean needsAll(FailoverCall<?> call) {
    return call.spec().recoversAll() || call.args().isEmpty();
  }

  @SuppressWarnings("unchecked") // the type of its splitter's slices
  static <R> FailoverSpec<R> specOf(FailoverCall<?> whole) {
    return (FailoverSpec<R>) whole.spec().stored();
  }

  <R> FailoverCall<R> of(
      FailoverCall<?> whole, FailoverSpec<R> spec, List<? extends @Nullable Object> args) {
    return new FailoverCall<>(spec, args, keys.apply(spec, args), whole.startedAt());
  }
}
