package failover.recovery.internal;

import failover.FailoverCall;
import failover.FailoverSpec;
import failover.key.StoreKey;
import failover.recovery.FailoverHandler;
import failover.slices.PayloadSplitter;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Keeps answers in slices at points that have a splitter, and leaves others to the handler that
 * keeps them as a whole. Safe for use by many threads.
 */
public final class ScatterGatherFailoverHandler implements FailoverHandler {
  /** Makes the key of a slice. */
  @FunctionalInterface
  public interface SliceKeys {

    /** The key; null if the arguments allow none, or there is no name to keep it under. */
    @Nullable StoreKey of(
        FailoverSpec<?> spec, List<? extends @Nullable Object> args, @Nullable String storedName);
  }

  private final DefaultFailoverHandler whole;
  private final PayloadScatter scatter;
  private final PayloadGather gather;

  /**
   * A handler.
   *
   * @param whole keeps answers as a whole, in the same store
   * @param splitters calls splitters
   * @param keys makes the keys of slices
   */
  public ScatterGatherFailoverHandler(
      DefaultFailoverHandler whole, SplitterInvoker splitters, SliceKeys keys) {
    StoredSlices store = whole.slices();
    SliceCalls calls = new SliceCalls(keys);
    this.whole = whole;
    this.scatter = new PayloadScatter(store, splitters, calls);
    this.gather = new PayloadGather(store, splitters, calls);
  }

  @Override
  public FailoverHandler forPoint(FailoverSpec<?> spec) {
    return spec.payloadSplitter().isPresent() ? this : whole;
  }

  @Override
  public <T> boolean store(FailoverCall<T> call, @Nullable T answer, Duration patience) {
    PayloadSplitter<T, ?> splitter = call.spec().payloadSplitter().orElse(null);
    return splitter == null
        ? whole.store(call, answer, patience)
        : scatter.store(splitter, call, answer, patience);
  }

  @Override
  public <T> @Nullable Recovery<T> recoverAtOnce(
      FailoverCall<T> call, Throwable cause, Instant now) {
    PayloadSplitter<T, ?> splitter = call.spec().payloadSplitter().orElse(null);
    return splitter == null
        ? whole.recoverAtOnce(call, cause, now)
        : gather.recoverAtOnce(splitter, call, cause, now);
  }

  @Override
  public <T> Recovery<T> recover(FailoverCall<T> call, Throwable cause, Instant now) {
    PayloadSplitter<T, ?> splitter = call.spec().payloadSplitter().orElse(null);
    return splitter == null
        ? whole.recover(call, cause, now)
        : gather.recover(splitter, call, cause, now);
  }
}
