package failover;

import failover.execution.FailoverExecution.CallEnd;
import failover.threads.InnerCalls;
import failover.threads.StaleAnswers;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * The answer of a call that ends later. Made on the thread of the caller; from then on safe for use
 * by many threads.
 */
final class LaterAnswer<T> {
  private final CompletableFuture<T> answer = new CompletableFuture<>();
  private final @Nullable StaleAnswers around = InnerCalls.ofSource();

  /** The answer, whose cancellation cancels what was asked. */
  CompletableFuture<T> of(@Nullable CompletionStage<T> asked) {
    if (asked != null) {
      cancelWith(asked);
    }
    return answer;
  }

  @SuppressWarnings(
      "FutureReturnValueIgnored") // the caller has the first future, and needs no other
  private void cancelWith(CompletionStage<?> asked) {
    answer.whenComplete(
        (value, failure) -> {
          if (answer.isCancelled()) {
            asked.toCompletableFuture().cancel(true);
          }
        });
  }

  /** Ends it; what follows is still part of the source that made the call, if one did. */
  void complete(CallEnd<T> ended) {
    FailoverResult<T> result = ended.result();
    if (around != null && result != null && !result.upToDate()) {
      around.add(result.asOf(), result.failure());
    }
    InnerCalls.within(around, () -> end(ended, result));
  }

  @SuppressWarnings("NullAway") // a stage may end with null
  private void end(CallEnd<T> ended, @Nullable FailoverResult<T> result) {
    if (result == null) {
      answer.completeExceptionally(thrownBy(ended));
    } else {
      answer.complete(result.value());
    }
  }

  static Throwable thrownBy(CallEnd<?> ended) {
    Throwable thrown = ended.thrown();
    return thrown == null
        ? new IllegalStateException("a call must end with a result or a failure but had neither")
        : thrown;
  }
}
