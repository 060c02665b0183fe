package failover.slices;

import failover.FailoverCall;
import failover.TypeRef;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A splitter of lists: each element is a slice. Only {@link #keyArgsForSlice} is left to say, where
 * calls have one argument, a collection of ids.
 *
 * <p>A recovered list has the elements that were found, in the order of the request; those that are
 * missing are left out, and named by {@link failover.FailoverResult#slices}.
 *
 * @param <R> what an element is
 */
public abstract class AbstractListPayloadSplitter<R> extends AbstractPayloadSplitter<List<R>, R> {

  /** A splitter into elements of a class. */
  protected AbstractListPayloadSplitter(Class<R> sliceType) {
    super(sliceType);
  }

  /** A splitter into elements of a generic type. */
  protected AbstractListPayloadSplitter(TypeRef<R> sliceType) {
    super(sliceType);
  }

  @Override
  protected List<R> splitIntoSlices(FailoverCall<?> call, List<R> whole) {
    return whole;
  }

  /** Each element of the only argument, which must be a collection. */
  @Override
  protected List<? extends List<? extends @Nullable Object>> keyArgsToRecover(
      FailoverCall<?> call) {
    if (call.args().size() == 1 && call.args().get(0) instanceof Collection<?> ids) {
      List<List<? extends @Nullable Object>> keys = new ArrayList<>();
      for (@Nullable Object id : ids) {
        keys.add(Collections.<@Nullable Object>singletonList(id));
      }
      return keys;
    }
    throw new IllegalArgumentException(
        "the calls of failover '%s' must have one argument, a collection of ids, but have %d that say"
                .formatted(call.spec().name(), call.args().size())
            + " something else; override keyArgsToRecover");
  }

  @Override
  protected MergeResult<List<R>> mergeSlices(List<RecoverContext<R>> slices) {
    List<R> found = new ArrayList<>();
    for (RecoverContext<R> slice : slices) {
      R payload = slice.payload();
      if (payload != null) {
        found.add(payload);
      }
    }
    return new MergeResult<>(found, slices.get(0).call().args());
  }
}
