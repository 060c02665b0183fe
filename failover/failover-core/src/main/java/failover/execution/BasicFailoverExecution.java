package failover.execution;

import failover.FailoverCall;
import failover.FailoverSpec;
import failover.Source;
import failover.SourceTimeoutException;
import failover.observe.FailoverLifecycleListeners;
import failover.observe.PointStatistics;
import failover.recovery.FailoverHandler;
import failover.recovery.RecoveredPayloadHandler;
import holdfast.time.TimeSource;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Asks the source, keeps its answer, and recovers its failure. Safe for use by many threads.
 *
 * <p>After a failure the source is left alone for a while: one call at a time tries it, all others
 * are answered from the store at once; at points with a soft timeout also the one that tries.
 */
public final class BasicFailoverExecution implements FailoverExecution {
  private static final Duration ENDLESS = Duration.ofDays(36_500);

  private final Parts parts;
  private final Settlement settlement;
  private final Workers workers;
  private final Map<String, Point> points = new ConcurrentHashMap<>();

  /**
   * What an execution works with.
   *
   * @param handler keeps answers and finds them again
   * @param recoverable which failures are recovered at points that say nothing themselves
   * @param policy what callers of failed calls get
   * @param recovered sees recovered answers before callers do
   * @param insideTransaction whether the current thread is in a transaction, which must not be left
   * @param context carries what hangs on a thread to the one that calls the source
   * @param timedCalls how many calls limited in time may be under way, 1 or more
   * @param time the clock
   * @param statistics the counters of a point
   * @param listeners who is told what happens
   * @param pauses whether sources are left alone after a failure, as their points say; false where
   *     something else does so
   */
  public record Parts(
      FailoverHandler handler,
      Predicate<Throwable> recoverable,
      MethodExceptionPolicy policy,
      RecoveredPayloadHandler recovered,
      BooleanSupplier insideTransaction,
      ContextPropagator context,
      int timedCalls,
      TimeSource time,
      Function<String, PointStatistics> statistics,
      FailoverLifecycleListeners listeners,
      boolean pauses) {

    /** The same parts without pauses. */
    public Parts withoutPauses() {
      return new Parts(
          handler,
          recoverable,
          policy,
          recovered,
          insideTransaction,
          context,
          timedCalls,
          time,
          statistics,
          listeners,
          false);
    }
  }

  /** An execution of these parts. */
  public BasicFailoverExecution(Parts parts) {
    this.parts = parts;
    this.settlement = new Settlement(parts);
    this.workers = new Workers(parts.timedCalls());
  }

  @Override
  public <T> Ended<T> execute(FailoverCall<T> call, Source<T, ?> source) {
    Point point = pointOf(call.spec());
    long ticket = point.pause.enter();
    if (ticket == Pause.REFUSED) {
      return settlement.paused(call, point);
    }
    if (isTimed(call.spec()) && !parts.insideTransaction().getAsBoolean()) {
      return timed(call, source, point, ticket);
    }
    return settlement.settle(call, point, ticket, Answer.of(source, clock()));
  }

  /** Null if nobody wants to know how long things take. */
  private @Nullable TimeSource clock() {
    return parts.listeners().areAny() ? parts.time() : null;
  }

  private Point pointOf(FailoverSpec<?> spec) {
    Point known = points.get(spec.name());
    return known != null
        ? known
        : points.computeIfAbsent(spec.name(), name -> new Point(spec, parts));
  }

  private static boolean isTimed(FailoverSpec<?> spec) {
    return spec.softTimeout().isPresent() || spec.hardTimeout().isPresent();
  }

  private <T> Ended<T> timed(FailoverCall<T> call, Source<T, ?> source, Point point, long ticket) {
    TimedCall<T> timed =
        new TimedCall<>(
            source, answer -> settlement.late(call, point, ticket, answer), parts.time());
    try {
      workers.executor().execute(carried(timed));
    } catch (RejectedExecutionException e) {
      return withoutAThread(call, source, point, ticket);
    }
    Duration patience = Pause.isProbe(ticket) ? Duration.ZERO : softTimeout(call);
    Ended<T> early =
        call.spec().softTimeout().isEmpty()
            ? null
            : untilSoftTimeout(call, timed, point, ticket, patience);
    if (early == null) {
      return untilHardTimeout(call, timed, point, ticket, patience);
    }
    if (timed.isLeft()) {
      call.spec()
          .hardTimeout()
          .ifPresent(hard -> workers.after(hard.minus(patience), timed::interrupt));
    }
    return early;
  }

  /** With what hangs on the caller's thread; whatever that does, the call ends. */
  private Runnable carried(TimedCall<?> timed) {
    Runnable carried = parts.context().wrap(timed);
    return () -> {
      try {
        carried.run();
      } catch (RuntimeException | Error e) {
        timed.endUnlessAsked(e);
      }
    };
  }

  /** So many calls hang that no thread is free: a stored answer, or else a call without a limit. */
  private <T> Ended<T> withoutAThread(
      FailoverCall<T> call, Source<T, ?> source, Point point, long ticket) {
    if (Pause.isProbe(ticket)) {
      point.pause.withdrawn(ticket);
      return settlement.paused(call, point);
    }
    Ended<T> stored = null;
    if (call.spec().softTimeout().isPresent()) {
      Throwable cause = new SourceTimeoutException(call.spec().name(), softTimeout(call));
      stored = settlement.slow(call, point, () -> true, cause);
    }
    return stored != null
        ? stored
        : settlement.settle(call, point, ticket, Answer.of(source, clock()));
  }

  private static Duration softTimeout(FailoverCall<?> call) {
    return call.spec().softTimeout().orElse(Duration.ZERO);
  }

  /**
   * How the call ended by then; null if it has not, and there is nothing to give meanwhile. Nobody
   * waits to see whether a source that failed is back: who tries it is answered at once.
   */
  private <T> @Nullable Ended<T> untilSoftTimeout(
      FailoverCall<T> call, TimedCall<T> timed, Point point, long ticket, Duration patience) {
    if (Pause.isProbe(ticket)) {
      return settlement.probed(call, point, timed::leave);
    }
    Answer<T> answer = timed.await(patience);
    if (answer != null) {
      return settlement.settle(call, point, ticket, answer);
    }
    Throwable cause = new SourceTimeoutException(call.spec().name(), patience);
    return settlement.slow(call, point, timed::leave, cause);
  }

  private <T> Ended<T> untilHardTimeout(
      FailoverCall<T> call, TimedCall<T> timed, Point point, long ticket, Duration waited) {
    Duration hard = call.spec().hardTimeout().orElse(ENDLESS);
    Answer<T> answer = timed.await(hard.minus(waited));
    if (answer == null && timed.leave()) {
      timed.interrupt();
      answer =
          new Answer<>(null, new SourceTimeoutException(call.spec().name(), hard), hard.toNanos());
    }
    return settlement.settle(call, point, ticket, answer == null ? timed.answer() : answer);
  }

  @Override
  public <T> @Nullable CompletionStage<T> executeLater(
      FailoverCall<T> call, Source<CompletionStage<T>, ?> source, Consumer<Ended<T>> whenEnded) {
    Point point = pointOf(call.spec());
    long ticket = point.pause.enter();
    if (ticket == Pause.REFUSED) {
      whenEnded.accept(settlement.paused(call, point));
      return null;
    }
    long began = parts.time().nanoTime();
    Answer<CompletionStage<T>> asked = Answer.of(source, clock());
    CompletionStage<T> stage = asked.value();
    if (stage == null) {
      Throwable failure =
          asked.failure() == null
              ? new NullPointerException("the source must give a stage but gave null")
              : asked.failure();
      whenEnded.accept(
          settlement.settle(call, point, ticket, new Answer<>(null, failure, asked.nanos())));
      return null;
    }
    stage.whenComplete(
        (value, failure) ->
            whenEnded.accept(
                settlement.settle(
                    call,
                    point,
                    ticket,
                    new Answer<>(value, unwrapped(failure), parts.time().nanoTime() - began))));
    return stage;
  }

  /** Stages that depend on another wrap its failure, which is none of the source's doing. */
  private static @Nullable Throwable unwrapped(@Nullable Throwable failure) {
    return failure instanceof CompletionException && failure.getCause() != null
        ? failure.getCause()
        : failure;
  }

  @Override
  public void close(Duration timeout) {
    workers.close(timeout);
  }

  @Override
  public void close() {
    close(Duration.ZERO);
  }
}
