package failover.execution;

import failover.FailoverCall;
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
  <T> Ended<T> execute(FailoverCall<T> call, Source<T, ?> source);

  /**
   * Makes a call whose answer comes later.
   *
   * @param call the call
   * @param source what it asks
   * @param whenEnded is told once how the call ended, on whatever thread that happens
   * @return what the source gave, to be cancelled if the caller cancels; or null if it gave nothing
   */
  <T> @Nullable CompletionStage<T> executeLater(
      FailoverCall<T> call, Source<CompletionStage<T>, ?> source, Consumer<Ended<T>> whenEnded);

  /**
   * Ends. Calls that go on behind may do so for that time, and are interrupted then.
   *
   * @param timeout how long to wait for them
   */
  default void close(Duration timeout) {
    close();
  }

  /** Ends at once; calls that go on behind are interrupted. */
  @Override
  default void close() {}
}
