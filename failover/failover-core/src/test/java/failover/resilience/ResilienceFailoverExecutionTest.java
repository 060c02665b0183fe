package failover.resilience;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import failover.FailoverException.SourcePausedException;
import failover.FailoverSpec;
import failover.Failovers;
import failover.SwitchedSource;
import failover.store.InMemoryFailoverStore;
import io.github.resilience4j.circuitbreaker.CallNotPermittedException;
import io.github.resilience4j.circuitbreaker.CircuitBreaker;
import io.github.resilience4j.circuitbreaker.CircuitBreaker.State;
import io.github.resilience4j.circuitbreaker.CircuitBreakerConfig;
import io.github.resilience4j.circuitbreaker.CircuitBreakerRegistry;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

class ResilienceFailoverExecutionTest {
  private final CircuitBreakerRegistry registry =
      CircuitBreakerRegistry.of(
          CircuitBreakerConfig.custom().slidingWindowSize(4).minimumNumberOfCalls(4).build());
  private final CircuitBreaker breaker = registry.circuitBreaker("price");
  private final Failovers failovers =
      Failovers.builder(new InMemoryFailoverStore())
          .execution(ResilienceFailoverExecution.with(registry))
          .build();
  private final FailoverSpec<String> spec =
      FailoverSpec.builder("price", String.class).recoverOn(List.of(IOException.class)).build();
  private final SwitchedSource source = new SwitchedSource();

  private String ask(String arg) throws IOException {
    return failovers.call(spec, List.of(arg), () -> source.answer(arg));
  }

  @Test
  void theBreakerDecidesWhenTheSourceIsLeftAlone() throws IOException {
    ask("a");
    source.isDown = true;
    for (int i = 0; i < 3; i++) {
      assertThat(ask("a")).isEqualTo("a");
      assertThat(source.asked).hasValue(2 + i); // no pause of its own
    }
    assertThat(breaker.getState()).isEqualTo(State.OPEN);
    assertThat(ask("a")).isEqualTo("a");
    assertThat(source.asked).hasValue(4);
    assertThatThrownBy(() -> ask("unknown"))
        .isInstanceOf(SourcePausedException.class)
        .hasCauseInstanceOf(CallNotPermittedException.class);
    source.isDown = false;
    breaker.transitionToHalfOpenState();
    assertThat(ask("b")).isEqualTo("b");
    assertThat(source.asked).hasValue(5);
    assertThat(failovers.ledger().accepted()).isEqualTo(7);
    assertThat(failovers.ledger().unaccounted()).isZero();
  }

  @Test
  void theCallerGetsTheVeryThrowable() {
    source.isDown = true;
    assertThatThrownBy(() -> ask("a")).isSameAs(source.down);
    assertThat(breaker.getMetrics().getNumberOfFailedCalls()).isEqualTo(1);
  }

  @Test
  void aDrillSaysNothingToTheBreaker() throws IOException {
    ask("a");
    failovers.drill("price", true);
    for (int i = 0; i < 10; i++) {
      assertThat(ask("a")).isEqualTo("a");
    }
    assertThat(breaker.getState()).isEqualTo(State.CLOSED);
    assertThat(breaker.getMetrics().getNumberOfFailedCalls()).isZero();
  }

  @Test
  void stagesPassTheBreakerToo() throws Exception {
    failovers.callLater(spec, List.of("a"), () -> CompletableFuture.completedFuture("a")).get();
    for (int i = 0; i < 5; i++) {
      CompletableFuture<String> answer =
          failovers.callLater(
              spec,
              List.of("a"),
              () -> {
                source.asked.incrementAndGet();
                return CompletableFuture.failedFuture(source.down);
              });
      assertThat(answer.get()).isEqualTo("a");
    }
    assertThat(source.asked).hasValue(3);
    assertThat(breaker.getState()).isEqualTo(State.OPEN);
    breaker.reset();
    CompletableFuture<String> source = new CompletableFuture<>();
    failovers.callLater(spec, List.of("b"), () -> source).cancel(true);
    assertThat(source).isCancelled();
    assertThatThrownBy(() -> failovers.callLater(spec, List.of("b"), () -> null).get())
        .hasCauseInstanceOf(NullPointerException.class);
    assertThat(failovers.ledger().unaccounted()).isZero();
  }
}
