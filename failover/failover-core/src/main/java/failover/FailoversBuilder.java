package failover;

import failover.codec.JacksonPayloadCodec;
import failover.codec.PayloadCodec;
import failover.execution.ContextPropagator;
import failover.execution.FailoverExecution.ExecutionFactory;
import failover.execution.MethodExceptionPolicy;
import failover.execution.MethodExceptionPolicy.ExceptionPolicy;
import failover.execution.RecoverableFailures;
import failover.observe.FailoverLifecycleListener;
import failover.observe.ObservablePublisher;
import failover.observe.internal.AsyncPublisher;
import failover.recovery.FailoverHandler;
import failover.recovery.RecoveredPayloadHandler;
import failover.store.FailoverStore;
import failover.tenant.Tenants;
import holdfast.problems.Problems;
import holdfast.time.TimeSource;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** The settings of {@link Failovers}. Not safe for use by many threads. */
public final class FailoversBuilder {
  /** Time between two sweeps of expired answers, unless configured. */
  public static final Duration DEFAULT_SWEEP_INTERVAL = Duration.ofHours(1);

  /** Time between two reports of how points are configured, unless configured. */
  public static final Duration DEFAULT_REPORT_INTERVAL = Duration.ofDays(1);

  /** Points counted one by one, unless configured: {@value}. */
  public static final int DEFAULT_MAX_POINTS = 1_000;

  /** The time for closing unless configured: 10 seconds. */
  public static final Duration DEFAULT_CLOSE_TIMEOUT = Duration.ofSeconds(10);

  /** Events that may wait for publishers, unless configured: {@value}. */
  public static final int DEFAULT_PUBLISHER_QUEUE = AsyncPublisher.DEFAULT_CAPACITY;

  /** Threads for calls with a timeout, unless configured: {@value}. */
  public static final int DEFAULT_TIMED_CALLS = 256;

  /** How long a call waits for a store that is not in memory, unless configured: a second. */
  public static final Duration DEFAULT_READ_TIMEOUT = Duration.ofSeconds(1);

  final FailoverStore store;
  PayloadCodec codec = JacksonPayloadCodec.create();
  Predicate<Throwable> recoverable = RecoverableFailures.byDefault();
  MethodExceptionPolicy exceptionPolicy = ExceptionPolicy.RETHROW;
  Function<FailoverHandler, FailoverHandler> handler = own -> own;
  RecoveredPayloadHandler recoveredPayloadHandler = RecoveredPayloadHandler.PASS_THROUGH;
  BooleanSupplier insideTransaction = () -> false;
  ContextPropagator contextPropagator = ContextPropagator.noOp();
  final List<ObservablePublisher> publishers = new ArrayList<>();
  Duration closeTimeout = DEFAULT_CLOSE_TIMEOUT;
  final List<FailoverLifecycleListener> listeners = new ArrayList<>();
  ExecutionFactory execution = ExecutionFactory.BASIC;
  int publisherQueue = DEFAULT_PUBLISHER_QUEUE;
  Duration sweepInterval = DEFAULT_SWEEP_INTERVAL;
  Schedule sweeps = Schedule.every(DEFAULT_SWEEP_INTERVAL);
  Schedule reports = Schedule.every(DEFAULT_REPORT_INTERVAL);
  int maxPoints = DEFAULT_MAX_POINTS;
  int timedCalls = DEFAULT_TIMED_CALLS;
  Duration readTimeout = DEFAULT_READ_TIMEOUT;
  TimeSource time = TimeSource.system();
  @Nullable Tenants tenants; // null if there are none

  FailoversBuilder(FailoverStore store) {
    this.store =
        Objects.requireNonNull(
            store,
            "builder needs a FailoverStore but was given null; pass one such as new"
                + " InMemoryFailoverStore()");
  }

  /** Sets how answers become bytes; JSON otherwise. */
  public FailoversBuilder codec(PayloadCodec codec) {
    this.codec = Objects.requireNonNull(codec, "codec");
    return this;
  }

  /**
   * Sets which failures are recovered at points that do not say so themselves; otherwise {@link
   * RecoverableFailures#byDefault}. {@link RecoverableFailures#any} is for every exception.
   */
  public FailoversBuilder recoverable(Predicate<Throwable> recoverable) {
    this.recoverable = Objects.requireNonNull(recoverable, "recoverable");
    return this;
  }

  /** Sets what callers of failed calls get; {@link ExceptionPolicy#RETHROW} otherwise. */
  public FailoversBuilder exceptionPolicy(MethodExceptionPolicy policy) {
    this.exceptionPolicy = Objects.requireNonNull(policy, "exceptionPolicy");
    return this;
  }

  /**
   * Sets what keeps answers and finds them again. A handler set later stands around those set
   * before. Default: the library's own.
   *
   * @param handler makes a handler of the one there is: around it, such as an {@link
   *     failover.recovery.AbstractFailoverHandler}, or in its place
   */
  public FailoversBuilder handler(UnaryOperator<FailoverHandler> handler) {
    this.handler = this.handler.andThen(Objects.requireNonNull(handler, "handler"));
    return this;
  }

  /** Sets the handler that sees recovered answers before callers do. Default: none. */
  public FailoversBuilder recoveredPayloadHandler(RecoveredPayloadHandler handler) {
    this.recoveredPayloadHandler = Objects.requireNonNull(handler, "recoveredPayloadHandler");
    return this;
  }

  /**
   * Sets what tells whether a thread is in a transaction. A call stays on such a thread: its soft
   * timeout does not apply, and at its hard timeout the caller is interrupted.
   */
  public FailoversBuilder insideTransaction(BooleanSupplier insideTransaction) {
    this.insideTransaction = Objects.requireNonNull(insideTransaction, "insideTransaction");
    return this;
  }

  /**
   * Sets what carries the context of callers to the threads on which their calls go on: sources
   * with a timeout, also after their callers have left, the store, publishers, and stages that end
   * later. Default: nothing is carried.
   */
  public FailoversBuilder contextPropagator(ContextPropagator propagator) {
    this.contextPropagator = Objects.requireNonNull(propagator, "contextPropagator");
    return this;
  }

  /**
   * Sets that answers are kept for tenants, each of which gets its own only. The store may be a
   * {@link failover.tenant.MultiTenantFailoverStore}, also behind others, and need not be. Default:
   * no tenants.
   */
  public FailoversBuilder tenants(Tenants tenants) {
    this.tenants = Objects.requireNonNull(tenants, "tenants");
    return this;
  }

  /** Sets what makes the calls; {@link failover.execution.BasicFailoverExecution} otherwise. */
  public FailoversBuilder execution(ExecutionFactory execution) {
    this.execution = Objects.requireNonNull(execution, "execution");
    return this;
  }

  /** Adds a listener, which is called on the thread on which something happens. */
  public FailoversBuilder lifecycleListener(FailoverLifecycleListener listener) {
    listeners.add(Objects.requireNonNull(listener, "lifecycleListener"));
    return this;
  }

  /**
   * Sets how many events may wait for publishers, which have a thread of their own; 0 for telling
   * them on the threads of callers. {@value #DEFAULT_PUBLISHER_QUEUE} otherwise.
   */
  public FailoversBuilder publisherQueue(int capacity) {
    this.publisherQueue = capacity;
    return this;
  }

  /** Adds a publisher of events. */
  public FailoversBuilder publisher(ObservablePublisher publisher) {
    publishers.add(Objects.requireNonNull(publisher, "publisher"));
    return this;
  }

  /** Sets the time for {@link Failovers#close()}, zero or more. Default: 10 seconds. */
  public FailoversBuilder closeTimeout(Duration closeTimeout) {
    this.closeTimeout = Objects.requireNonNull(closeTimeout, "closeTimeout");
    return this;
  }

  /** Sets the time between two sweeps of expired answers, once started; an hour otherwise. */
  public FailoversBuilder sweepInterval(Duration interval) {
    this.sweepInterval = Objects.requireNonNull(interval, "sweepInterval");
    this.sweeps = Schedule.every(interval);
    return this;
  }

  /** Sets when expired answers are swept, besides at the start; replaces the interval. */
  public FailoversBuilder sweeps(Schedule schedule) {
    this.sweeps = Objects.requireNonNull(schedule, "sweeps");
    return this;
  }

  /** Sets when publishers get the settings of all points again, besides at the start. */
  public FailoversBuilder reports(Schedule schedule) {
    this.reports = Objects.requireNonNull(schedule, "reports");
    return this;
  }

  /** Sets how many points are counted one by one; the others are counted together. */
  public FailoversBuilder maxPoints(int maxPoints) {
    this.maxPoints = maxPoints;
    return this;
  }

  /**
   * Sets how many threads there are for calls with a timeout, 1 or more. Further calls wait for one
   * within their own time. A point uses at most three times as many threads as are still free.
   */
  public FailoversBuilder timedCalls(int timedCalls) {
    this.timedCalls = timedCalls;
    return this;
  }

  /**
   * Sets how long a call waits for the store to give an answer, and to take one where no queue is
   * before it, more than zero; a call with a timeout never waits longer than that. Stores in memory
   * are not waited for. Default: 1 second.
   */
  public FailoversBuilder readTimeout(Duration readTimeout) {
    this.readTimeout = Objects.requireNonNull(readTimeout, "readTimeout");
    return this;
  }

  /** Sets the clock. */
  public FailoversBuilder time(TimeSource time) {
    this.time = Objects.requireNonNull(time, "time");
    return this;
  }

  /**
   * Builds it, ready for calls; {@link Failovers#start} adds the sweep.
   *
   * @throws IllegalArgumentException if a setting is out of range, naming all that are
   */
  public Failovers build() {
    new Problems("Failovers")
        .requirePositive("sweepInterval", sweepInterval)
        .requireZeroOrMore("closeTimeout", closeTimeout)
        .require(publisherQueue >= 0, "publisherQueue", "be 0 or more", publisherQueue)
        .require(maxPoints >= 1, "maxPoints", "be 1 or more", maxPoints)
        .require(timedCalls >= 1, "timedCalls", "be 1 or more", timedCalls)
        .requirePositive("readTimeout", readTimeout)
        .throwIfAny();
    return new Failovers(this);
  }

  /** When something is done again. Safe for use by many threads. */
  @FunctionalInterface
  public interface Schedule {

    /** How long to wait from that moment on, more than zero. */
    Duration waitFrom(Instant now);

    /** Each time when so much time has passed. */
    static Schedule every(Duration interval) {
      return now -> interval;
    }
  }
}
