package failover.slices;

import failover.FailoverCall;
import failover.TypeRef;
import java.lang.reflect.Type;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A splitter made of four steps without contexts. Safe for use by many threads if its steps are.
 *
 * @param <T> what calls answer
 * @param <R> what a slice is
 */
public abstract class AbstractPayloadSplitter<T, R> implements PayloadSplitter<T, R> {
  private final Type sliceType;

  /** A splitter into slices of a class. */
  protected AbstractPayloadSplitter(Class<R> sliceType) {
    this.sliceType = Objects.requireNonNull(sliceType, "sliceType");
  }

  /** A splitter into slices of a generic type. */
  protected AbstractPayloadSplitter(TypeRef<R> sliceType) {
    this.sliceType = sliceType.type();
  }

  /**
   * The slices of a live answer; those that are null are left out.
   *
   * @param call the call that brought it
   * @param whole the answer
   */
  protected abstract List<R> splitIntoSlices(FailoverCall<?> call, T whole);

  /**
   * The arguments that make the key of a slice, usually its id alone.
   *
   * @param call the call that brought it
   * @param slice the slice
   */
  protected abstract List<? extends @Nullable Object> keyArgsForSlice(
      FailoverCall<?> call, R slice);

  /**
   * The arguments that make the keys of the slices that a call needs, as {@link #keyArgsForSlice}
   * gives them, in the order of its answer.
   *
   * @param call the call
   */
  protected abstract List<? extends List<? extends @Nullable Object>> keyArgsToRecover(
      FailoverCall<?> call);

  /**
   * The answer that slices make.
   *
   * @param slices all that were looked for, in order; those that were not found have no payload
   */
  protected abstract MergeResult<T> mergeSlices(List<RecoverContext<R>> slices);

  /**
   * A merged answer. Immutable, as far as the answer is.
   *
   * @param payload the answer; null if it is not to be given
   * @param args the arguments of the call
   * @param <T> what the call answers
   */
  public record MergeResult<T>(@Nullable T payload, List<? extends @Nullable Object> args) {}

  @Override
  public final Type sliceType() {
    return sliceType;
  }

  @Override
  public final List<StoreContext<R>> splitOnStore(StoreContext<T> whole) {
    T payload = whole.payload();
    if (payload == null) {
      return List.of();
    }
    List<StoreContext<R>> slices = new ArrayList<>();
    for (@Nullable R slice : splitIntoSlices(whole.call(), payload)) {
      if (slice != null) {
        slices.add(whole.slice(keyArgsForSlice(whole.call(), slice), slice));
      }
    }
    return slices;
  }

  @Override
  public final List<RecoverContext<R>> splitOnRecover(RecoverContext<T> whole) {
    List<RecoverContext<R>> slices = new ArrayList<>();
    for (List<? extends @Nullable Object> args : keyArgsToRecover(whole.call())) {
      slices.add(whole.slice(args));
    }
    return slices;
  }

  @Override
  public final RecoverContext<T> merge(List<RecoverContext<R>> slices) {
    RecoverContext<R> first = slices.get(0);
    MergeResult<T> merged = mergeSlices(slices);
    return new RecoverContext<>(first.call(), merged.args(), first.cause(), merged.payload(), null);
  }
}
