package failover.execution;

import failover.FailoverCall;
import failover.FailoverOutcome.FailureReason;
import failover.FailoverOutcome.Kind;
import failover.FailoverResult;
import failover.Source;
import java.time.Duration;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Makes calls and decides what callers get. Safe for use by many threads.
 *
 * <p>Throws nothing: what the caller is to be thrown is part of how the call ended.
 */
public interface FailoverExecution extends AutoCloseable {

  /**
   * Makes a call.
   *
   * @param call the call
   * @param source what it asks
   */
  <T> CallEnd<T> execute(FailoverCall<T> call, Source<T, ?> source);

  /**
   * Makes a call whose answer comes later.
   *
   * @param call the call
   * @param source what it asks
   * @param whenEnded is told once how the call ended, on whatever thread that happens
   * @return what the source gave, to be cancelled if the caller cancels; or null if it gave nothing
   */
  <T> @Nullable CompletionStage<T> executeLater(
      FailoverCall<T> call, Source<CompletionStage<T>, ?> source, Consumer<CallEnd<T>> whenEnded);

  /**
   * Ends. Calls that go on behind may do so for that time, and are interrupted then.
   *
   * @param timeout how long to wait for them
   */
  default void close(Duration timeout) {
    close();
  }

  /**
   * Returns how many calls go on although {@link #close(Duration)} has interrupted them.
   *
   * @param patience how long to wait for them at most
   */
  default int unfinished(Duration patience) {
    return 0;
  }

  /** Ends at once; calls that go on behind are interrupted. */
  @Override
  default void close() {}

  /**
   * How a call ended. Either there is a result, or something to throw.
   *
   * @param kind how it is counted
   * @param result what the caller gets, or null if something is thrown
   * @param thrown what is thrown, or null
   * @param reason why it failed, or null if it did not
   * @param notAwaited why its source was not waited for, or null if it was
   * @param <T> what the call answers
   */
  record CallEnd<T>(
      Kind kind,
      @Nullable FailoverResult<T> result,
      @Nullable Throwable thrown,
      @Nullable FailureReason reason,
      @Nullable NotAwaited notAwaited) {

    /** Why a source is not waited for. */
    public enum NotAwaited {
      /** It had failed before. */
      PAUSED,
      /** It was slow, and there was a stored answer. */
      SLOW
    }

    /** With a live answer. */
    public static <T> CallEnd<T> live(FailoverResult<T> result) {
      return new CallEnd<>(Kind.LIVE, result, null, null, null);
    }

    /** With a stored answer. */
    public static <T> CallEnd<T> recovered(FailoverResult<T> result) {
      return new CallEnd<>(Kind.RECOVERED, result, null, null, null);
    }

    /** Without either, but with something else to give. */
    public static <T> CallEnd<T> substituted(FailoverResult<T> result, FailureReason reason) {
      return new CallEnd<>(Kind.FAILED, result, null, reason, null);
    }

    /** With a failure. */
    public static <T> CallEnd<T> failed(Throwable thrown, FailureReason reason) {
      return new CallEnd<>(Kind.FAILED, null, thrown, reason, null);
    }
  }

  /** Makes the execution of a {@link failover.Failovers} out of its parts. */
  @FunctionalInterface
  interface ExecutionFactory {
    /** {@link BasicFailoverExecution}. */
    ExecutionFactory BASIC = BasicFailoverExecution::new;

    /** The execution; it makes the calls from then on. */
    FailoverExecution create(BasicFailoverExecution.Parts parts);
  }
}
