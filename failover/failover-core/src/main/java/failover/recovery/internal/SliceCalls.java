package failover.recovery.internal;

import failover.FailoverCall;
import failover.FailoverSpec;
import failover.recovery.internal.ScatterGatherFailoverHandler.SliceKeys;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Makes calls for slices of the calls for whole answers. Safe for use by many threads. */
record SliceCalls(SliceKeys keys) {

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
    String name = whole.storedName();
    return new FailoverCall<>(spec, args, keys.of(spec, args, name), whole.startedAt(), name);
  }
}
