package tracer.spring;

import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationHandler;
import java.util.concurrent.atomic.AtomicLong;
import tracer.IndexLane;
import tracer.TraceEvent;
import tracer.Tracer;

/**
 * Records a span of every observation of Micrometer: of HTTP requests, of calls to other services,
 * of scheduled tasks, of JDBC statements, and of the application's own.
 *
 * <pre>{@code
 * registry.observationConfig().observationHandler(new ObservationSpans(tracer));
 * }</pre>
 *
 * <p>The span has the name of the observation, up to three of its low-cardinality key values, and
 * the class of the exception if there was one. Events of an observation are recorded as moments.
 *
 * <p>An observation that begins and ends on one thread, with one scope around all of its work, is a
 * span of that thread. Every other is an asynchronous span: one without a scope, with several, or
 * one that another thread stops. Safe for use by many threads.
 */
public final class ObservationSpans implements ObservationHandler<Observation.Context> {
  /** The default of how many names observations can have: {@value}. */
  public static final int DEFAULT_MOST_NAMES = 1000;

  /** What observations are called that have one name too many: {@value}. */
  public static final String OTHER = ObservationKinds.OTHER;

  /*
   * A span is recorded when the observation stops, with the times at which it began and ended. Only
   * then is it known which thread stops it, and only then are key values as the status of a response
   * known. Nothing is open on the stack of a thread meanwhile, so nothing can be left open there,
   * however scopes are opened and closed.
   */
  private final IndexLane lane;
  private final ObservationKinds kinds;
  private final AtomicLong lastId = new AtomicLong();

  /**
   * Records with up to {@value #DEFAULT_MOST_NAMES} names.
   *
   * @param tracer what spans are recorded with
   */
  public ObservationSpans(Tracer tracer) {
    this(tracer, DEFAULT_MOST_NAMES);
  }

  /**
   * Records with a number of names at most.
   *
   * @param tracer what spans are recorded with
   * @param mostNames how many names observations and their events can have, 1 or more; further ones
   *     are recorded as {@value #OTHER}
   * @throws IllegalArgumentException if that is less than 1
   */
  public ObservationSpans(Tracer tracer, int mostNames) {
    this.lane = tracer.index();
    this.kinds = new ObservationKinds(mostNames);
  }

  @Override
  public boolean supportsContext(Observation.Context context) {
    return true;
  }

  @Override
  public void onStart(Observation.Context context) {
    context.put(this, new ObservationTimes(lane.now()));
  }

  @Override
  public void onScopeOpened(Observation.Context context) {
    ObservationTimes times = context.get(this);
    if (times != null) {
      times.scopeOpened(lane.now());
    }
  }

  @Override
  public void onScopeClosed(Observation.Context context) {
    ObservationTimes times = context.get(this);
    if (times != null) {
      times.scopeClosed(lane.now());
    }
  }

  @Override
  public void onEvent(Observation.Event event, Observation.Context context) {
    lane.record(kinds.of(event));
  }

  @Override
  public void onStop(Observation.Context context) {
    ObservationTimes times = context.get(this);
    if (times == null) {
      return;
    }
    ObservationKind kind = kinds.of(context);
    TraceEvent event = kind.event();
    if (!lane.records(event)) {
      return;
    }
    long now = lane.now();
    long[] values = kind.values(context);
    if (times.isSpanOfThisThread(now)) {
      lane.recordSpan(event, times.scopeOpened(), times.scopeClosed(), values);
    } else {
      lane.recordAsync(event, lastId.incrementAndGet(), times.began(), now, values);
    }
  }

  /** Returns how many observations and events were recorded as {@value #OTHER}. */
  public long others() {
    return kinds.others();
  }
}
