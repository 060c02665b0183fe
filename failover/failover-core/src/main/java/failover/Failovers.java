package failover;

import failover.execution.BasicFailoverExecution;
import failover.execution.Ended;
import failover.execution.FailoverExecution;
import failover.key.CanonicalKeys;
import failover.key.StoreKey;
import failover.key.UnkeyableArgumentException;
import failover.observe.PointCounts;
import failover.observe.PointStatistics.Count;
import failover.observe.Publishers;
import failover.observe.StateLog;
import failover.recovery.DefaultFailoverHandler;
import failover.store.FailoverStore;
import holdfast.ledger.Books;
import holdfast.ledger.Ledger;
import holdfast.lifecycle.Lifecycle;
import holdfast.lifecycle.Loop;
import holdfast.time.TimeSource;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/**
 * Calls whose last good answers are kept and given, with their age, when the source fails.
 *
 * <p>Every call ends in one of three ways: live, recovered or failed. A failure that is not
 * recovered reaches the caller as the very throwable the source threw; an {@link Error} is never
 * touched. Ready when built; {@link #start} adds the sweep of expired answers. Safe for use by many
 * threads.
 */
public final class Failovers implements AutoCloseable {
  private static final Duration CLOSING = Duration.ofSeconds(10);

  private final FailoverStore store;
  private final FailoverExecution execution;
  private final Points points;
  private final TimeSource time;
  private final Ledger ledger;
  private final LongAdder underWay = new LongAdder();
  private final Loop sweeper;
  private final Lifecycle life = new Lifecycle("Failovers");
  private final StateLog keyLog = new StateLog();

  Failovers(FailoversBuilder builder) {
    this.store = builder.store;
    this.time = builder.time;
    this.points = new Points(builder.codec, builder.maxPoints);
    this.ledger =
        Ledger.builder("failover")
            .reasons(List.of(FailureReason.values()))
            .held("calls", underWay::sum)
            .build();
    this.execution =
        new BasicFailoverExecution(
            new BasicFailoverExecution.Parts(
                new DefaultFailoverHandler(store, builder.codec, time, points::statistics),
                builder.recoverable,
                builder.exceptionPolicy,
                builder.recoveredPayloadHandler,
                builder.insideTransaction,
                builder.contextPropagator,
                builder.timedCalls,
                time,
                points::statistics,
                new Publishers(builder.publishers)));
    this.sweeper = Sweep.of(store, builder.sweepInterval, time);
  }

  /**
   * Begins the settings.
   *
   * @param store where answers are kept; closed with the door
   */
  public static FailoversBuilder builder(FailoverStore store) {
    return new FailoversBuilder(store);
  }

  /** Starts the sweep of expired answers; does nothing the second time. */
  public void start() {
    if (life.start()) {
      sweeper.start();
    }
  }

  /**
   * Takes note of a point before its first call, so that mistakes show early.
   *
   * @throws IllegalArgumentException if its answers cannot be kept, or another has its name
   */
  public void register(FailoverSpec<?> spec) {
    points.register(spec);
  }

  /**
   * Makes a call.
   *
   * @param spec the point, built once and shared by its calls
   * @param args what tells this call from others; each may be null
   * @param source what to ask
   * @return the live answer or a stored one
   * @throws X the very failure of the source, if there is nothing to give for it
   */
  public <T, X extends Throwable> @Nullable T call(
      FailoverSpec<T> spec, List<? extends @Nullable Object> args, Source<T, X> source) throws X {
    return callForResult(spec, args, source).value();
  }

  /**
   * Makes a call and tells how fresh its answer is.
   *
   * @param spec the point, built once and shared by its calls
   * @param args what tells this call from others; each may be null
   * @param source what to ask
   * @return the live answer or a stored one
   * @throws X the very failure of the source, if there is nothing to give for it
   */
  public <T, X extends Throwable> FailoverResult<T> callForResult(
      FailoverSpec<T> spec, List<? extends @Nullable Object> args, Source<T, X> source) throws X {
    FailoverCall<T> call = begin(spec, args);
    Ended<T> ended = execute(call, source);
    end(call, ended);
    FailoverResult<T> result = ended.result();
    if (result == null) {
      throw Failovers.<X>thrown(ended);
    }
    return result;
  }

  /** Whatever the application's own parts throw, the books are told. */
  private <T> Ended<T> execute(FailoverCall<T> call, Source<T, ?> source) {
    try {
      return execution.execute(call, source);
    } catch (RuntimeException | Error e) {
      return Ended.failed(e, FailureReason.ERROR);
    }
  }

  /**
   * Makes a call whose answer comes later. Timeouts do not apply to it.
   *
   * @param spec the point, of the type that the stage gives
   * @param args what tells this call from others; each may be null
   * @param source what to ask
   * @return ends as the call does; cancelling it cancels the stage of the source
   */
  public <T> CompletableFuture<T> callLater(
      FailoverSpec<T> spec,
      List<? extends @Nullable Object> args,
      Source<CompletionStage<T>, ?> source) {
    FailoverCall<T> call = begin(spec, args);
    CompletableFuture<T> answer = new CompletableFuture<>();
    CompletionStage<T> asked =
        execution.executeLater(
            call,
            source,
            ended -> {
              end(call, ended);
              complete(answer, ended);
            });
    if (asked != null) {
      cancelWith(answer, asked);
    }
    return answer;
  }

  @SuppressWarnings(
      "FutureReturnValueIgnored") // the caller has the first future, and needs no other
  private static void cancelWith(CompletableFuture<?> answer, CompletionStage<?> asked) {
    answer.whenComplete(
        (value, failure) -> {
          if (answer.isCancelled()) {
            asked.toCompletableFuture().cancel(true);
          }
        });
  }

  @SuppressWarnings("NullAway") // a stage may end with null
  private static <T> void complete(CompletableFuture<T> answer, Ended<T> ended) {
    FailoverResult<T> result = ended.result();
    if (result == null) {
      answer.completeExceptionally(thrownBy(ended));
    } else {
      answer.complete(result.value());
    }
  }

  private <T> FailoverCall<T> begin(FailoverSpec<T> spec, List<? extends @Nullable Object> args) {
    points.register(spec);
    FailoverCall<T> call = new FailoverCall<>(spec, args, keyOf(spec, args), time.instant());
    ledger.accepted(1);
    underWay.increment();
    return call;
  }

  /** Null if an argument allows no key: then the call passes unprotected. */
  private @Nullable StoreKey keyOf(FailoverSpec<?> spec, List<? extends @Nullable Object> args) {
    try {
      return spec.keyGenerator().isPresent()
          ? CanonicalKeys.ofText(spec.effectiveName(), spec.keyGenerator().get().key(spec, args))
          : CanonicalKeys.of(spec.effectiveName(), args);
    } catch (UnkeyableArgumentException | RuntimeException e) {
      points.statistics(spec.name()).count(Count.UNKEYABLE);
      keyLog.trouble(() -> "failover call passes unprotected name=" + spec.name(), e);
      return null;
    }
  }

  private void end(FailoverCall<?> call, Ended<?> ended) {
    FailureReason reason = ended.reason();
    if (reason == null) {
      ledger.delivered(1);
    } else {
      ledger.lost(reason, 1);
    }
    underWay.decrement();
    points.statistics(call.spec().name()).ended(ended.kind());
    FailoverResult<?> result = ended.result();
    FailoverOutcome.note(
        new FailoverOutcome(
            call.spec().name(),
            ended.kind(),
            result == null ? call.startedAt() : result.asOf(),
            result == null ? ended.thrown() : result.failure()));
  }

  // What the source throws is X or unchecked; what a policy throws is the policy's own affair.
  @SuppressWarnings({"unchecked", "TypeParameterUnusedInFormals"})
  private static <X extends Throwable> X thrown(Ended<?> ended) {
    return (X) thrownBy(ended);
  }

  private static Throwable thrownBy(Ended<?> ended) {
    Throwable thrown = ended.thrown();
    return thrown == null
        ? new IllegalStateException("a call must end with a result or a failure but had neither")
        : thrown;
  }

  /**
   * Removes the stored answer of a call, so that it is not given again.
   *
   * @throws failover.store.FailoverStoreException if the store fails
   */
  public void forget(FailoverSpec<?> spec, List<? extends @Nullable Object> args) {
    StoreKey key = keyOf(spec, args);
    if (key != null) {
      store.delete(key);
    }
  }

  /** The books: calls that came in, were answered, and failed by reason. */
  public Books books() {
    return ledger.books();
  }

  /** What happened at each point; points beyond the bound are counted together. */
  public Map<String, PointCounts> counts() {
    return points.counts();
  }

  /**
   * Ends the sweep, has the store write what it still has to, and closes it. Does nothing the
   * second time.
   *
   * @param timeout how long that may take
   * @return what was left
   */
  public CloseReport close(Duration timeout) {
    if (!life.close()) {
      return new CloseReport(0);
    }
    sweeper.close(timeout);
    execution.close();
    return new CloseReport(store.close(timeout));
  }

  /** Closes within ten seconds. */
  @Override
  public void close() {
    close(CLOSING);
  }
}
