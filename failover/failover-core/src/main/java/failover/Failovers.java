package failover;

import failover.FailoverOutcome.FailureReason;
import failover.execution.BasicFailoverExecution;
import failover.execution.FailoverExecution;
import failover.execution.FailoverExecution.CallEnd;
import failover.recovery.internal.DefaultFailoverHandler;
import failover.recovery.internal.GuardedFailoverHandler;
import failover.recovery.internal.ScatterGatherFailoverHandler;
import failover.recovery.internal.SplitterInvoker;
import failover.store.FailoverStore;
import failover.threads.InnerCalls;
import failover.threads.StaleAnswers;
import holdfast.ledger.LedgerSnapshot;
import holdfast.lifecycle.CloseReport;
import holdfast.lifecycle.Closing;
import holdfast.lifecycle.Deadline;
import holdfast.lifecycle.Lifecycle;
import holdfast.log.LibraryLogger;
import holdfast.time.TimeSource;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
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
  private static final System.Logger LOGGER = LibraryLogger.of("failover");
  private static final int FOR_WRITES = 10; // the share of the end that is kept for them

  private final FailoverStore store;
  private final DefaultFailoverHandler handler;
  private final FailoverExecution execution;
  private final Points points;
  private final TimeSource time;
  private final CallLedger ledger;
  private final Drills drills;
  private final Keys keys;
  private final StoredAnswers stored;
  private final Observation observation;
  private final BackgroundTasks background;
  private final Lifecycle life = new Lifecycle("Failovers");
  private final Closing closing = new Closing();
  private final Duration closeTimeout;

  Failovers(FailoversBuilder builder) {
    this.store = builder.store;
    this.time = builder.time;
    this.drills = new Drills(time);
    this.closeTimeout = builder.closeTimeout;
    this.observation = new Observation(builder);
    this.points = new Points(builder.codec, builder.maxPoints, observation.listener());
    this.keys = new Keys(points, builder.tenants);
    this.ledger = new CallLedger(points, observation.listener());
    this.handler =
        new DefaultFailoverHandler(
            store, builder.contextPropagator::wrap, builder.codec, time, points::statistics);
    SplitterInvoker splitters = new SplitterInvoker(points::statistics);
    this.stored = new StoredAnswers(store, keys, splitters, time);
    this.execution =
        builder.execution.create(
            new BasicFailoverExecution.Parts(
                GuardedFailoverHandler.of(
                    new ScatterGatherFailoverHandler(handler, splitters, keys::of),
                    builder.handler,
                    points::statistics,
                    time),
                builder.recoverable,
                builder.exceptionPolicy,
                builder.recoveredPayloadHandler,
                builder.insideTransaction,
                builder.contextPropagator,
                builder.timedCalls,
                builder.readTimeout,
                time,
                observation.listener(),
                true));
    this.background = new BackgroundTasks(builder, this);
    store.listener(observation.writes());
  }

  /**
   * Begins the settings.
   *
   * @param store where answers are kept; closed with this
   */
  public static FailoversBuilder builder(FailoverStore store) {
    return new FailoversBuilder(store);
  }

  /**
   * The arguments of a call, which may be null each, unlike those of {@link List#of}.
   *
   * @param args what tells the call from others; an array on its own is taken for its elements
   */
  public static List<@Nullable Object> args(@Nullable Object... args) {
    return Collections.unmodifiableList(Arrays.asList(args.clone()));
  }

  /**
   * Checks the store, and starts the sweep of expired answers and the reports. Idempotent.
   *
   * @throws failover.store.FailoverStoreException if the store is not as it must be, such as a
   *     table that is missing; a database that cannot be reached is only logged
   * @throws IllegalStateException if it is closed
   */
  public void start() {
    if (life.isNew()) {
      store.start();
    }
    if (life.start()) {
      background.start();
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
   * @param spec the point; one of its name must have the same rules each time
   * @param args what tells this call from others, as {@link #args} gives them; each may be null
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
   * @param spec the point; one of its name must have the same rules each time
   * @param args what tells this call from others, as {@link #args} gives them; each may be null
   * @param source what to ask
   * @return the live answer or a stored one
   * @throws X the very failure of the source, if there is nothing to give for it
   */
  public <T, X extends Throwable> FailoverResult<T> callForResult(
      FailoverSpec<T> spec, List<? extends @Nullable Object> args, Source<T, X> source) throws X {
    Points.RegisteredPoint point = points.of(spec);
    FailoverCall<T> call = begin(spec, args);
    CallEnd<T> ended;
    try {
      ended = execution.execute(call, drills.of(spec, source));
    } catch (RuntimeException | Error e) { // of the application's own parts: the ledger counts it
      ended = CallEnd.failed(e, FailureReason.ERROR);
    }
    ledger.end(point, call, ended);
    FailoverResult<T> result = ended.result();
    if (result == null) {
      throw Failovers.<X>thrown(ended);
    }
    if (!result.upToDate()) {
      notLive(result);
    }
    return result;
  }

  /** If a source has made the call, what that one answers is not live either. */
  private static void notLive(FailoverResult<?> result) {
    StaleAnswers ofSource = InnerCalls.ofSource();
    if (ofSource != null) {
      ofSource.add(result.asOf(), result.failure());
    }
  }

  /**
   * Makes a call whose answer comes later. It cannot have a timeout; the stage of the source can.
   *
   * @param spec the point, of the type that the stage gives
   * @param args what tells this call from others, as {@link #args} gives them; each may be null
   * @param source what to ask
   * @return ends as the call does; cancelling it cancels the stage of the source
   * @throws IllegalArgumentException if the spec has a timeout
   */
  public <T> CompletableFuture<T> callLater(
      FailoverSpec<T> spec,
      List<? extends @Nullable Object> args,
      Source<CompletionStage<T>, ?> source) {
    if (spec.isTimed()) {
      throw new IllegalArgumentException(
          "callLater needs a spec without timeouts but '%s' has one; limit the stage of the source, for example with orTimeout"
              .formatted(spec.name()));
    }
    Points.RegisteredPoint point = points.of(spec);
    FailoverCall<T> call = begin(spec, args);
    LaterAnswer<T> answer = new LaterAnswer<>();
    Consumer<CallEnd<T>> whenEnded =
        ended -> {
          try {
            ledger.end(point, call, ended);
          } finally { // whatever happens, the stage ends
            answer.complete(ended);
          }
        };
    try {
      return answer.of(execution.executeLater(call, drills.of(spec, source), whenEnded));
    } catch (RuntimeException | Error e) {
      whenEnded.accept(CallEnd.failed(e, FailureReason.ERROR));
      return answer.of(null);
    }
  }

  private <T> FailoverCall<T> begin(FailoverSpec<T> spec, List<? extends @Nullable Object> args) {
    String name = keys.storedName(spec);
    FailoverCall<T> call =
        new FailoverCall<>(spec, args, keys.of(spec, args, name), time.instant(), name);
    ledger.begin();
    return call;
  }

  // What the source throws is X or unchecked; what a policy throws is the policy's own affair.
  @SuppressWarnings({"unchecked", "TypeParameterUnusedInFormals"})
  private static <X extends Throwable> X thrown(CallEnd<?> ended) {
    return (X) LaterAnswer.thrownBy(ended);
  }

  /**
   * Has the stored answer of a call not be given any more. It is kept until the next sweep, too
   * old, and an answer of a call that has begun before does not take its place.
   *
   * @throws failover.store.FailoverStoreException if the store fails
   */
  public void expire(FailoverSpec<?> spec, List<? extends @Nullable Object> args) {
    stored.expire(spec, args);
  }

  /**
   * Removes the stored answer of a call with its content. Other nodes drop what they keep near with
   * their next check, 5 seconds later at most unless configured. A call under way may bring an
   * answer back, and so may a write that waits in the queue of another node.
   *
   * @throws failover.store.FailoverStoreException if the store fails
   */
  public void forget(FailoverSpec<?> spec, List<? extends @Nullable Object> args) {
    stored.forget(spec, args);
  }

  /** Lists what is stored, and expires or forgets it. */
  public StoredAnswers stored() {
    return stored;
  }

  /**
   * Begins or ends a drill of a point: its source is not asked, as if it were down. Everything else
   * is as it would be then, but the pause of the point does not begin.
   *
   * @param name the point, which need not be there yet
   * @param on whether there is to be a drill
   */
  public void drill(String name, boolean on) {
    drills.set(name, on);
  }

  /**
   * Begins a drill that is over by itself after some time; in the place of one that is under way.
   * No drill outlasts the process.
   *
   * @param duration more than zero, 365 days at most
   * @throws IllegalArgumentException if it is not
   */
  public void drill(String name, Duration duration) {
    drills.begin(name, duration);
  }

  /** The points in a drill. */
  public Set<String> drills() {
    return drills.names();
  }

  /** When the drill of a point is over by itself; empty if there is none, or it has no end. */
  public Optional<Instant> drillEnd(String name) {
    return drills.end(name);
  }

  /** The points that are known. */
  public Collection<FailoverSpec<?>> points() {
    return points.all();
  }

  /** Tells publishers how each point is configured. */
  public void observe() {
    points.all().forEach(observation::configured);
  }

  /** How many events publishers and listeners did not take. */
  public long droppedEvents() {
    return observation.dropped();
  }

  /** The ledger: calls that came in, were answered, and failed by reason. */
  public LedgerSnapshot ledger() {
    return ledger.ledger();
  }

  /** What happened at each point; points beyond the bound are counted together. */
  public Map<String, PointCounts> counts() {
    return points.counts();
  }

  /**
   * Ends the sweep, waits for calls that still run in the background, has the store write what it
   * still has to, and closes it. Calls have nine tenths of the time and are interrupted then.
   * Idempotent; a concurrent second call waits for the first.
   *
   * @param timeout the time for all of it
   * @return what was left behind: {@code stillRunning} is how many calls ignore the interrupt,
   *     {@code unwritten} how many answers the store did not write
   */
  public CloseReport close(Duration timeout) {
    Deadline deadline = Deadline.after(timeout, time);
    return closing.close(deadline, () -> close(timeout, deadline));
  }

  private CloseReport close(Duration timeout, Deadline deadline) {
    life.close();
    Deadline early = Deadline.after(timeout.minus(timeout.dividedBy(FOR_WRITES)), time);
    background.close(early.remaining());
    execution.close(early.remaining());
    handler.close();
    int unwritten = store.close(deadline.remaining());
    int unfinished = execution.unfinished(deadline.remaining());
    observation.close(deadline.remaining());
    LOGGER.log(Level.INFO, "failover closed " + ledger().toLine());
    return new CloseReport(0, unfinished, unwritten);
  }

  /** Closes within the time it was built with; see {@link #close(Duration)}. */
  @Override
  public void close() {
    close(closeTimeout);
  }

  /**
   * What happened at a point since the process began. Immutable.
   *
   * @param calls calls that have ended: live + recovered + failed
   * @param live calls answered by the source
   * @param recovered calls answered from the store
   * @param failed calls that got neither
   * @param stored answers handed to the store
   * @param storeFailures answers that could not be encoded or handed to the store. Reads that fail
   *     are not among them: such calls end as failed, with {@code store_failed} in the ledger
   * @param unreadable stored answers that could not be decoded
   * @param unkeyable calls that passed unprotected, because an argument allows no key
   * @param paused calls that did not wait for the source because it had failed before
   * @param slow calls answered from the store because the source was slow
   * @param health the share of the last 200 calls that got an answer, 1 if there were none
   * @param stale the share of the last 200 calls that were answered from the store
   * @param splitterFailures how often its splitter threw, or returned what no splitter may return
   */
  public record PointCounts(
      long calls,
      long live,
      long recovered,
      long failed,
      long stored,
      long storeFailures,
      long unreadable,
      long unkeyable,
      long paused,
      long slow,
      double health,
      double stale,
      long splitterFailures) {}
}
