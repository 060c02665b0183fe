package failover.slices;

import failover.FailoverCall;
import java.lang.reflect.Type;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Splits an answer into slices, each kept under a key of its own, and merges the slices that are
 * found. So a call for the ids 1, 2 and 3 can be answered from what calls for 1, for 2 and 4, and
 * for 3 have brought.
 *
 * <p>The key of a slice is made of the arguments that its context has. Both ways must give the same
 * arguments for the same entity. A splitter that throws, or returns null, costs the caller nothing:
 * its failure is counted and logged, nothing is stored, and nothing is found. Must be safe for use
 * by many threads, and must not change answers.
 *
 * @param <T> what calls answer
 * @param <R> what a slice is
 */
public interface PayloadSplitter<T, R> {

  /** The type of slices, with its type arguments. It is checked at the start as any other type. */
  Type sliceType();

  /**
   * Splits a live answer. A slice whose payload is null is one that the source no longer has: it
   * takes the place of the stored one.
   *
   * @param whole the call, its arguments and its answer, which is not null
   * @return the slices; an empty list counts as a failure unless the answer is an empty collection
   */
  List<StoreContext<R>> splitOnStore(StoreContext<T> whole);

  /**
   * Says which slices a call needs, in the order in which {@link #merge} is to get them. Not called
   * where all slices are recovered.
   *
   * @param whole the call and its arguments
   * @return one for each slice, without payloads; may hold the same one several times. An empty
   *     list counts as a failure unless an argument is an empty collection
   */
  List<RecoverContext<R>> splitOnRecover(RecoverContext<T> whole);

  /**
   * Merges slices to the answer of a call. Not called if none was found.
   *
   * @param slices those of {@link #splitOnRecover}, in the same order, or all there are; those
   *     without a payload were not found
   * @return the answer; without a payload if it is not to be given
   */
  RecoverContext<T> merge(List<RecoverContext<R>> slices);

  /**
   * An answer to be stored, whole or a slice. Immutable, as far as its contents are.
   *
   * @param call the call that brought the whole answer
   * @param args the arguments that make the key; those of the call for the whole
   * @param payload the answer, or null if the source has none any more
   * @param <P> what it is
   */
  record StoreContext<P>(
      FailoverCall<?> call, List<? extends @Nullable Object> args, @Nullable P payload) {

    /** A slice of the same call. */
    public <S> StoreContext<S> slice(
        List<? extends @Nullable Object> sliceArgs, @Nullable S slice) {
      return new StoreContext<>(call, sliceArgs, slice);
    }
  }

  /**
   * An answer to be recovered, whole or a slice. Immutable, as far as its contents are.
   *
   * @param call the call that needs the whole answer
   * @param args the arguments that make the key; those of the call for the whole, and none for a
   *     slice that was found where all are recovered
   * @param cause the failure of the source, or null where slices are to be removed
   * @param payload the answer, or null if it was not found, or not looked for yet
   * @param asOf what moment the answer is of, or null if there is none
   * @param <P> what it is
   */
  record RecoverContext<P>(
      FailoverCall<?> call,
      List<? extends @Nullable Object> args,
      @Nullable Throwable cause,
      @Nullable P payload,
      @Nullable Instant asOf) {

    /** A slice for the same call, to be looked for. */
    public <S> RecoverContext<S> slice(List<? extends @Nullable Object> sliceArgs) {
      return new RecoverContext<>(call, sliceArgs, cause, null, null);
    }

    /** The same with an answer. */
    public <S> RecoverContext<S> with(@Nullable S answer, @Nullable Instant moment) {
      return new RecoverContext<>(call, args, cause, answer, moment);
    }

    /** Whether it was found. */
    public boolean isFound() {
      return payload != null;
    }
  }
}
