package failover.execution;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import failover.FailoverSpec;
import failover.Failovers;
import failover.store.InMemoryFailoverStore;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** Stages where what carries the context fails. */
class ContextOfStagesTest {
  private final FailoverSpec<String> spec = FailoverSpec.builder("price", String.class).build();
  private final AtomicInteger asked = new AtomicInteger();

  private CompletableFuture<String> ask(Failovers failovers, CompletableFuture<String> source) {
    return failovers.callLater(
        spec,
        List.of("a"),
        () -> {
          asked.incrementAndGet();
          return source;
        });
  }

  private static Failovers failovers(ContextPropagator propagator) {
    return Failovers.builder(new InMemoryFailoverStore()).contextPropagator(propagator).build();
  }

  @Test
  void aStageEndsAlsoWhereItsContextCannotBePutThere() throws Exception {
    ContextPropagator failsBefore =
        task ->
            () -> {
              throw new IllegalStateException("cannot be put there");
            };
    ContextPropagator failsAfter =
        task ->
            () -> {
              task.run();
              throw new IllegalStateException("cannot be put back");
            };
    for (ContextPropagator failing : List.of(failsBefore, failsAfter)) {
      try (Failovers failovers = failovers(failing)) {
        CompletableFuture<String> source = new CompletableFuture<>();
        CompletableFuture<String> answer = ask(failovers, source);
        source.complete("live");
        assertThat(answer.get()).isEqualTo("live");
        assertThat(ask(failovers, CompletableFuture.failedFuture(new IOException("down"))).get())
            .isEqualTo("live");
        assertThat(failovers.ledger().unaccounted()).isZero();
        assertThat(failovers.ledger().accepted()).isEqualTo(2);
      }
    }
  }

  @Test
  void whereItCannotBeTakenTheCallFailsAndTheSourceIsNotAsked() {
    IllegalStateException broken = new IllegalStateException("cannot be taken");
    ContextPropagator failing =
        task -> {
          throw broken;
        };
    try (Failovers failovers = failovers(failing)) {
      assertThatThrownBy(() -> ask(failovers, new CompletableFuture<>()).get())
          .isInstanceOf(ExecutionException.class)
          .hasCause(broken);
      assertThat(asked).hasValue(0);
      assertThat(failovers.ledger().unaccounted()).isZero();
    }
  }
}
