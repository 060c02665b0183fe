package failover.execution;

import failover.FailoverCall;
import failover.FailoverSpec;
import failover.Source;
import failover.execution.FailoverExecution.CallEnd;
import failover.observe.FailoverLifecycleListener;
import failover.recovery.FailoverHandler;
import failover.recovery.RecoveredPayloadHandler;
import holdfast.time.TimeSource;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Asks the source, keeps its answer, and recovers its failure. Safe for use by many threads.
 *
 * <p>A source that fails too often is left alone for a while: one call at a time tries it, all
 * others are answered from the store at once; at points with a soft timeout also the one that
 * tries. Calls with nothing stored still ask the source, a few at once.
 */
public final class BasicFailoverExecution implements FailoverExecution {
  private final Parts parts;
  private final Settlement settlement;
  private final StoreReads reads;
  private final TimedCalls timedCalls;
  private final Map<String, Point> points = new ConcurrentHashMap<>();

  /**
   * What an execution works with.
   *
   * @param handler keeps answers and finds them again
   * @param recoverable which failures are recovered at points that say nothing themselves
   * @param policy what callers of failed calls get
   * @param recovered sees recovered answers before callers do
   * @param insideTransaction whether the current thread is in a transaction, which must not be left
   * @param context carries what hangs on a thread to those on which its call goes on
   * @param timedCalls how many threads there are for calls with a timeout, 1 or more
   * @param readTimeout how long a call waits for the store to give an answer
   * @param time the clock
   * @param listener is told what happens; {@link FailoverLifecycleListener#NONE} if nobody wants to
   *     know
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
      Duration readTimeout,
      TimeSource time,
      FailoverLifecycleListener listener,
      boolean pauses) {

    /** Whether somebody wants to know how long things take. */
    @SuppressWarnings("ReferenceEquality") // nobody else is NONE, whatever it says of itself
    boolean isObserved() {
      return listener != FailoverLifecycleListener.NONE;
    }

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
          readTimeout,
          time,
          listener,
          false);
    }
  }

  /** An execution of these parts. */
  public BasicFailoverExecution(Parts parts) {
    this.parts = parts;
    this.reads = new StoreReads(parts);
    this.settlement = new Settlement(parts, reads);
    this.timedCalls = new TimedCalls(parts.timedCalls(), parts.context());
  }

  @Override
  public <T> CallEnd<T> execute(FailoverCall<T> call, Source<T, ?> source) {
    Point point = pointOf(call.spec());
    Ticket ticket = point.enter(call);
    if (call.spec().isTimed()) {
      boolean staysHere = parts.insideTransaction().getAsBoolean();
      return new TimedExecution<>(
              call, source, point, parts, settlement, reads, timedCalls, staysHere)
          .execute(ticket);
    }
    return ticket.isRefused()
        ? whilePaused(call, source, point, ticket)
        : settlement.settle(call, point, ticket, Answer.of(source, clock()), null, null);
  }

  private <T> CallEnd<T> whilePaused(
      FailoverCall<T> call, Source<T, ?> source, Point point, Ticket refused) {
    StoredAnswer<T> stored = reads.of(call, point);
    CallEnd<T> ended = settlement.paused(call, point, refused, stored, null);
    if (ended != null) {
      return ended;
    }
    Ticket direct = refused.pause().enterDirectly();
    return direct == null
        ? settlement.refused(call, point, refused, stored, null)
        : settlement.settle(call, point, direct, Answer.of(source, clock()), stored, null);
  }

  /** Null if nobody wants to know how long things take. */
  private @Nullable TimeSource clock() {
    return parts.isObserved() ? parts.time() : null;
  }

  private Point pointOf(FailoverSpec<?> spec) {
    Point known = points.get(spec.name());
    return known != null
        ? known
        : points.computeIfAbsent(spec.name(), name -> new Point(spec, parts));
  }

  @Override
  public <T> @Nullable CompletionStage<T> executeLater(
      FailoverCall<T> call, Source<CompletionStage<T>, ?> source, Consumer<CallEnd<T>> whenEnded) {
    Point point = pointOf(call.spec());
    Ticket ticket = point.enter(call);
    if (!ticket.isRefused()) {
      return ask(call, source, point, ticket, null, whenEnded);
    }
    StoredAnswer<T> stored = reads.of(call, point);
    CallEnd<T> ended = settlement.paused(call, point, ticket, stored, null);
    Ticket direct = ended == null ? ticket.pause().enterDirectly() : null;
    if (direct != null) {
      return ask(call, source, point, direct, stored, whenEnded);
    }
    whenEnded.accept(ended == null ? settlement.refused(call, point, ticket, stored, null) : ended);
    return null;
  }

  private <T> @Nullable CompletionStage<T> ask(
      FailoverCall<T> call,
      Source<CompletionStage<T>, ?> source,
      Point point,
      Ticket ticket,
      @Nullable StoredAnswer<T> stored,
      Consumer<CallEnd<T>> whenEnded) {
    CarriedEnd<T> end;
    try {
      end =
          new CarriedEnd<>(
              parts.context(),
              answer ->
                  whenEnded.accept(settlement.settle(call, point, ticket, answer, stored, null)));
    } catch (RuntimeException | Error e) { // of what carries the context
      point.withdrawn(ticket);
      throw e;
    }
    long began = parts.time().nanoTime();
    Answer<CompletionStage<T>> asked = Answer.of(source, clock());
    CompletionStage<T> stage = asked.value();
    if (stage == null) {
      Throwable failure =
          asked.failure() == null
              ? new NullPointerException("the source must give a stage but gave null")
              : asked.failure();
      Answer<T> failed = Answer.failed(failure, asked.nanos());
      whenEnded.accept(settlement.settle(call, point, ticket, failed, stored, null));
      return null;
    }
    stage.whenComplete(
        (value, failure) -> {
          long nanos = parts.time().nanoTime() - began;
          end.with(new Answer<>(value, unwrapped(failure), nanos, asked.inner()));
        });
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
    timedCalls.close(timeout, parts.time());
    reads.close();
  }

  @Override
  public int unfinished(Duration patience) {
    return timedCalls.unfinished(patience, parts.time());
  }

  @Override
  public void close() {
    close(Duration.ZERO);
  }
}
