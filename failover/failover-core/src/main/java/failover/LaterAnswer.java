package failover;

import failover.execution.FailoverExecution.CallEnd;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/** The answer of a call that ends later. Safe for use by many threads. */
final class LaterAnswer<T> {
  private final CompletableFuture<T> answer = new CompletableFuture<>();

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

  @SuppressWarnings("NullAway") // a stage may end with null
  void complete(CallEnd<T> ended) {
    FailoverResult<T> result = ended.result();
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
