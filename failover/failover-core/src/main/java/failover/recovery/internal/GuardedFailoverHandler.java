package failover.recovery.internal;

import failover.FailoverCall;
import failover.FailoverOutcome.FailureReason;
import failover.FailoverSpec;
import failover.observe.internal.PointStatistics;
import failover.observe.internal.StateLog;
import failover.recovery.FailoverHandler;
import holdfast.time.TimeSource;
import java.time.Duration;
import java.time.Instant;
import java.util.Objects;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Stands before a handler of the application: what that one throws costs no caller the answer or
 * the failure of its source. Safe for use by many threads.
 */
public final class GuardedFailoverHandler implements FailoverHandler {
  private final FailoverHandler guarded;
  private final Function<FailoverSpec<?>, PointStatistics> statistics;
  private final StateLog trouble;

  private GuardedFailoverHandler(
      FailoverHandler guarded,
      Function<FailoverSpec<?>, PointStatistics> statistics,
      StateLog trouble) {
    this.guarded = guarded;
    this.statistics = statistics;
    this.trouble = trouble;
  }

  /**
   * The handler that calls go to: the library's own if the application leaves it as it is.
   *
   * @param own the library's own
   * @param change makes the one to be used of it
   * @param statistics the counters of a point
   * @param time the clock
   * @throws IllegalArgumentException if there is none
   */
  @SuppressWarnings("ReferenceEquality") // the very one: there is nothing to guard against
  public static FailoverHandler of(
      FailoverHandler own,
      Function<FailoverHandler, FailoverHandler> change,
      Function<FailoverSpec<?>, PointStatistics> statistics,
      TimeSource time) {
    @Nullable FailoverHandler used = change.apply(own);
    if (used == null) {
      throw new IllegalArgumentException(
          "the function given to handler must return a FailoverHandler but returned null; return"
              + " the one it is given to change nothing");
    }
    return used == own ? own : new GuardedFailoverHandler(used, statistics, new StateLog(time));
  }

  @Override
  public FailoverHandler forPoint(FailoverSpec<?> spec) {
    try {
      return new GuardedFailoverHandler(given(guarded.forPoint(spec)), statistics, trouble);
    } catch (RuntimeException | Error e) {
      fails(spec, e);
      return this;
    }
  }

  @Override
  public <T> boolean store(FailoverCall<T> call, @Nullable T answer, Duration patience) {
    try {
      boolean kept = guarded.store(call, answer, patience);
      works(call.spec());
      return kept;
    } catch (RuntimeException | Error e) {
      statistics.apply(call.spec()).count(PointStatistics.Count.STORE_FAILED);
      fails(call.spec(), e);
      return false;
    }
  }

  @Override
  public <T> @Nullable Recovery<T> recoverAtOnce(
      FailoverCall<T> call, Throwable cause, Instant now) {
    try {
      return guarded.recoverAtOnce(call, cause, now);
    } catch (RuntimeException | Error e) {
      return failed(call.spec(), e);
    }
  }

  @Override
  public <T> Recovery<T> recover(FailoverCall<T> call, Throwable cause, Instant now) {
    try {
      return given(guarded.recover(call, cause, now));
    } catch (RuntimeException | Error e) {
      return failed(call.spec(), e);
    }
  }

  private static <V> V given(@Nullable V value) {
    return Objects.requireNonNull(value, "a FailoverHandler must not return null here");
  }

  private <T> Recovery<T> failed(FailoverSpec<?> spec, Throwable why) {
    fails(spec, why);
    return new Recovery.Missing<>(FailureReason.STORE_FAILED, why);
  }

  private void fails(FailoverSpec<?> spec, Throwable why) {
    trouble.troubleOf(spec.name(), () -> "failover FailoverHandler fails name=" + spec.name(), why);
  }

  private void works(FailoverSpec<?> spec) {
    trouble.well(() -> "failover FailoverHandler works again name=" + spec.name());
  }
}
