package failover.resilience;

import failover.FailoverCall;
import failover.FailoverException.SourceDrillException;
import failover.FailoverException.SourcePausedException;
import failover.Source;
import failover.execution.BasicFailoverExecution;
import failover.execution.FailoverExecution;
import failover.execution.FailoverExecution.CallEnd;
import failover.execution.FailoverExecution.ExecutionFactory;
import io.github.resilience4j.circuitbreaker.CallNotPermittedException;
import io.github.resilience4j.circuitbreaker.CircuitBreaker;
import io.github.resilience4j.circuitbreaker.CircuitBreakerRegistry;
import java.time.Duration;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Makes calls through a circuit breaker of Resilience4j for each point, of the point's name. While
 * the breaker is open the source is not asked and stored answers are given. The breaker takes the
 * place of the pause after a failure. Safe for use by many threads.
 *
 * <pre>{@code
 * Failovers.builder(store).execution(ResilienceFailoverExecution.with(registry)).build();
 * }</pre>
 */
public final class ResilienceFailoverExecution implements FailoverExecution {
  private final BasicFailoverExecution calls;
  private final CircuitBreakerRegistry breakers;

  private ResilienceFailoverExecution(
      BasicFailoverExecution calls, CircuitBreakerRegistry breakers) {
    this.calls = calls;
    this.breakers = breakers;
  }

  /** Calls through the breakers of that registry. */
  public static ExecutionFactory with(CircuitBreakerRegistry breakers) {
    return parts ->
        new ResilienceFailoverExecution(
            new BasicFailoverExecution(parts.withoutPauses()), breakers);
  }

  @Override
  public <T> CallEnd<T> execute(FailoverCall<T> call, Source<T, ?> source) {
    String name = call.spec().name();
    CircuitBreaker breaker = breakers.circuitBreaker(name);
    return calls.execute(call, () -> guarded(breaker, name, source));
  }

  private static <T> @Nullable T guarded(CircuitBreaker breaker, String name, Source<T, ?> source)
      throws Throwable {
    acquire(breaker, name);
    long began = breaker.getCurrentTimestamp();
    try {
      T answer = source.get();
      breaker.onResult(since(breaker, began), breaker.getTimestampUnit(), answer);
      return answer;
    } catch (Throwable failure) {
      failed(breaker, began, failure);
      throw failure;
    }
  }

  @Override
  public <T> @Nullable CompletionStage<T> executeLater(
      FailoverCall<T> call, Source<CompletionStage<T>, ?> source, Consumer<CallEnd<T>> whenEnded) {
    String name = call.spec().name();
    CircuitBreaker breaker = breakers.circuitBreaker(name);
    return calls.executeLater(call, () -> guardedLater(breaker, name, source), whenEnded);
  }

  @SuppressWarnings("FutureReturnValueIgnored") // the stage itself is what may be cancelled
  private static <T> @Nullable CompletionStage<T> guardedLater(
      CircuitBreaker breaker, String name, Source<CompletionStage<T>, ?> source) throws Throwable {
    acquire(breaker, name);
    long began = breaker.getCurrentTimestamp();
    try {
      CompletionStage<T> stage = source.get();
      if (stage == null) {
        breaker.releasePermission();
        return null;
      }
      stage.whenComplete(
          (answer, failure) -> {
            if (failure == null) {
              breaker.onResult(since(breaker, began), breaker.getTimestampUnit(), answer);
            } else {
              Throwable inner = failure instanceof CompletionException ? failure.getCause() : null;
              failed(breaker, began, inner == null ? failure : inner);
            }
          });
      return stage;
    } catch (Throwable failure) {
      failed(breaker, began, failure);
      throw failure;
    }
  }

  private static void acquire(CircuitBreaker breaker, String name) {
    try {
      breaker.acquirePermission();
    } catch (CallNotPermittedException e) {
      throw new SourcePausedException(name, e);
    }
  }

  /** A drill says nothing about the source. */
  private static void failed(CircuitBreaker breaker, long began, Throwable failure) {
    if (failure instanceof SourceDrillException) {
      breaker.releasePermission();
    } else {
      breaker.onError(since(breaker, began), breaker.getTimestampUnit(), failure);
    }
  }

  private static long since(CircuitBreaker breaker, long began) {
    return breaker.getCurrentTimestamp() - began;
  }

  @Override
  public void close(Duration timeout) {
    calls.close(timeout);
  }

  @Override
  public int unfinished(Duration patience) {
    return calls.unfinished(patience);
  }

  @Override
  public void close() {
    close(Duration.ZERO);
  }
}
