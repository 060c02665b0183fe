package failover.recovery.internal;

import failover.FailoverCall;
import failover.FailoverSpec;
import failover.observe.internal.PointStatistics;
import failover.slices.PayloadSplitter;
import failover.slices.PayloadSplitter.RecoverContext;
import failover.slices.PayloadSplitter.StoreContext;
import failover.slices.PayloadSplitterExecutionException;
import failover.slices.PayloadSplitterExecutionException.Operation;
import holdfast.log.LibraryLogger;
import java.lang.System.Logger.Level;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Calls splitters of the application. Whatever they throw, and what they must not return, becomes
 * one exception that says which splitter it was; it is counted, and logged once per point and
 * operation. Safe for use by many threads.
 */
public final class SplitterInvoker {
  private static final System.Logger LOGGER = LibraryLogger.of("failover");

  private final Function<FailoverSpec<?>, PointStatistics> statistics;
  private final Set<String> logged = ConcurrentHashMap.newKeySet();

  /** An invoker that counts at the counters of a point. */
  public SplitterInvoker(Function<FailoverSpec<?>, PointStatistics> statistics) {
    this.statistics = statistics;
  }

  /**
   * The slices of a live answer.
   *
   * @throws PayloadSplitterExecutionException if the splitter fails
   */
  <T, R> List<StoreContext<R>> splitOnStore(
      PayloadSplitter<T, R> splitter, FailoverCall<T> call, T answer) {
    return invoke(
        Operation.SPLIT_ON_STORE,
        splitter,
        call,
        () -> {
          StoreContext<T> whole = new StoreContext<>(call, call.args(), answer);
          List<StoreContext<R>> slices =
              withoutNulls(splitter.splitOnStore(whole), StoreContext::args);
          requireSome(slices, isEmpty(answer));
          return slices;
        });
  }

  /**
   * The slices that a call needs, without payloads.
   *
   * @param cause the failure of the source, or null where slices are to be removed
   * @throws PayloadSplitterExecutionException if the splitter fails
   */
  public <T, R> List<RecoverContext<R>> splitOnRecover(
      PayloadSplitter<T, R> splitter, FailoverCall<T> call, @Nullable Throwable cause) {
    return invoke(
        Operation.SPLIT_ON_RECOVER,
        splitter,
        call,
        () -> {
          RecoverContext<T> whole = new RecoverContext<>(call, call.args(), cause, null, null);
          List<RecoverContext<R>> slices =
              withoutNulls(splitter.splitOnRecover(whole), RecoverContext::args);
          requireSome(slices, call.args().stream().anyMatch(SplitterInvoker::isEmpty));
          return slices;
        });
  }

  /**
   * The answer that slices make; null if the splitter gives none.
   *
   * @throws PayloadSplitterExecutionException if the splitter fails
   */
  <T, R> @Nullable T merge(
      PayloadSplitter<T, R> splitter, FailoverCall<T> call, List<RecoverContext<R>> slices) {
    return this.<RecoverContext<T>>invoke(
            Operation.MERGE,
            splitter,
            call,
            () -> {
              @Nullable RecoverContext<T> merged = splitter.merge(slices);
              if (merged == null) {
                throw new IllegalStateException("merge must give a context but gave null");
              }
              return merged;
            })
        .payload();
  }

  private <V> V invoke(
      Operation operation,
      PayloadSplitter<?, ?> splitter,
      FailoverCall<?> call,
      Supplier<V> userCode) {
    try {
      return userCode.get();
    } catch (RuntimeException | Error e) {
      PayloadSplitterExecutionException failure =
          new PayloadSplitterExecutionException(operation, splitter, call.spec(), e);
      statistics.apply(call.spec()).count(PointStatistics.Count.SPLITTER_FAILED);
      if (logged.add(call.spec().name() + '|' + operation.code())) {
        LOGGER.log(
            Level.WARNING,
            "failover splitter fails, further failures are only counted name="
                + call.spec().name()
                + " operation="
                + operation.code(),
            failure);
      }
      throw failure;
    }
  }

  private static <C> List<C> withoutNulls(
      @Nullable List<? extends @Nullable C> contexts, Function<C, @Nullable Object> args) {
    if (contexts == null) {
      throw new IllegalStateException("the slices must be a list but were null");
    }
    for (@Nullable C context : contexts) {
      if (context == null || args.apply(context) == null) {
        throw new IllegalStateException(
            "each slice must have arguments for its key but one has none");
      }
    }
    return List.<C>copyOf(contexts);
  }

  private static void requireSome(List<?> slices, boolean isNoneExpected) {
    if (slices.isEmpty() && !isNoneExpected) {
      throw new IllegalStateException("there must be a slice or more but there is none");
    }
  }

  /** Whether nothing but an empty list of slices can come of it. */
  private static boolean isEmpty(@Nullable Object whole) {
    return (whole instanceof Collection<?> collection && collection.isEmpty())
        || (whole instanceof Map<?, ?> map && map.isEmpty())
        || (whole instanceof Optional<?> optional && optional.isEmpty())
        || (whole instanceof Object[] array && array.length == 0);
  }
}
