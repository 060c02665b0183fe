package failover;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import failover.FailoverOutcome.Kind;
import failover.Prices.Price;
import failover.execution.MethodExceptionPolicy.ExceptionPolicy;
import failover.execution.RecoverableFailures;
import failover.recovery.RecoveredPayloadHandler;
import holdfast.lifecycle.CloseReport;
import holdfast.testkit.time.SettableTime;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class FailoversTest extends PricesFixture {

  @Test
  void aLiveAnswerIsGivenAndKeptForTheDayTheSourceFails() throws Throwable {
    Failovers failovers = builder().build();
    assertThat(ask(failovers, spec, "a")).isEqualTo(new Price("a", 100));
    assertThat(FailoverOutcome.last().orElseThrow().kind()).isEqualTo(Kind.LIVE);
    time.advance(Duration.ofMinutes(59));
    IOException down = new IOException("down");
    prices.failure = down;
    FailoverResult<Price> result =
        failovers.callForResult(spec, List.of("a"), () -> prices.of("a"));
    assertThat(result.value()).isEqualTo(new Price("a", 100));
    assertThat(result.upToDate()).isFalse();
    assertThat(result.asOf()).isEqualTo(SettableTime.START);
    assertThat(result.cause()).containsSame(down);
    assertThat(FailoverOutcome.last())
        .contains(new FailoverOutcome("price", Kind.RECOVERED, SettableTime.START, down));
    assertLedger(failovers, 2, 2);
    assertThat(failovers.counts().get("price").recovered()).isEqualTo(1);
    assertThat(failovers.counts().get("price").stale()).isEqualTo(0.5);
  }

  @Test
  void withoutAStoredAnswerTheCallerGetsTheVeryThrowable() throws Throwable {
    Failovers failovers = builder().build();
    ask(failovers, spec, "a");
    for (Throwable failure :
        List.of(new IOException("checked"), new IllegalStateException("unchecked"))) {
      prices.failure = failure;
      assertThat(catchThrowable(() -> ask(failovers, spec, "b"))).isSameAs(failure);
      assertThat(FailoverOutcome.last().orElseThrow().failure()).isSameAs(failure);
    }
    assertThat(failovers.ledger().lostByReason()).containsEntry("nothing_stored", 2L);
    assertLedger(failovers, 3, 1);
  }

  @Test
  void anErrorIsNeverTouched() throws Throwable {
    Failovers failovers =
        builder()
            .recoverable(RecoverableFailures.any())
            .exceptionPolicy(ExceptionPolicy.NEVER_THROW)
            .build();
    ask(failovers, spec, "a");
    AssertionError error = new AssertionError("broken");
    prices.failure = error;
    assertThat(catchThrowable(() -> ask(failovers, spec, "a"))).isSameAs(error);
    assertThat(failovers.ledger().lostByReason()).containsEntry("error", 1L);
    assertLedger(failovers, 2, 1);
  }

  @Test
  void mistakesOfCallersAreNotRecovered() throws Throwable {
    Failovers failovers = builder().build();
    ask(failovers, spec, "a");
    for (Throwable failure :
        List.of(new IllegalArgumentException("no"), new NumberFormatException("no"))) {
      prices.failure = failure;
      assertThat(catchThrowable(() -> ask(failovers, spec, "a"))).isSameAs(failure);
    }
    assertThat(failovers.ledger().lostByReason()).containsEntry("not_recoverable", 2L);
    Failovers lenient = builder().recoverable(RecoverableFailures.any()).build();
    assertThat(ask(lenient, spec, "a")).isNotNull();
  }

  @Test
  void aPointSaysWhatToRecoverAndWhatNever() throws Throwable {
    Failovers failovers = builder().build();
    FailoverSpec<Price> choosy =
        spec("choosy")
            .recoverOn(List.of(RuntimeException.class))
            .neverOn(List.of(IllegalStateException.class))
            .build();
    ask(failovers, choosy, "a");
    prices.failure = new IllegalArgumentException("named");
    assertThat(ask(failovers, choosy, "a")).isNotNull();
    prices.failure = new IllegalStateException("excepted");
    assertThatThrownBy(() -> ask(failovers, choosy, "a")).isSameAs(prices.failure);
    prices.failure = new IOException("not named");
    assertThatThrownBy(() -> ask(failovers, choosy, "a")).isSameAs(prices.failure);
  }

  @Test
  void neverThrowGivesNullWhereItCan() throws Throwable {
    Failovers failovers = builder().exceptionPolicy(ExceptionPolicy.NEVER_THROW).build();
    prices.failure = new IOException("down");
    assertThat(ask(failovers, spec, "a")).isNull();
    FailoverSpec<Integer> count = FailoverSpec.builder("count", int.class).build();
    assertThatThrownBy(
            () ->
                failovers.call(
                    count,
                    List.of(),
                    () -> {
                      throw prices.failure;
                    }))
        .isSameAs(prices.failure);
    assertLedger(failovers, 2, 0);
  }

  @Test
  void theHookMayGiveADefaultAndItsOwnFailureDoesNotCount() throws Throwable {
    Price none = new Price("none", 0);
    AtomicInteger seen = new AtomicInteger();
    RecoveredPayloadHandler hook =
        new RecoveredPayloadHandler() {
          @Override
          @SuppressWarnings("unchecked")
          public <T> T handle(FailoverCall<T> call, T recovered, Throwable cause) {
            seen.incrementAndGet();
            if (recovered != null) {
              throw new IllegalStateException("broken hook");
            }
            return (T) none;
          }
        };
    Failovers failovers = builder().recoveredPayloadHandler(hook).build();
    ask(failovers, spec, "a");
    assertThat(seen).hasValue(0);
    prices.failure = new IOException("down");
    assertThat(ask(failovers, spec, "b")).isSameAs(none);
    assertThat(ask(failovers, spec, "a")).isEqualTo(new Price("a", 100));
    assertThat(failovers.counts().get("price").failed()).isEqualTo(1);
    assertLedger(failovers, 3, 2);
  }

  @Test
  void everyCallIsAccountedForAlsoWhenAPartOfTheApplicationThrows() {
    IllegalStateException broken = new IllegalStateException("broken rule");
    Failovers failovers =
        builder()
            .recoverable(
                failure -> {
                  throw broken;
                })
            .build();
    prices.failure = new IOException("down");
    assertThatThrownBy(() -> ask(failovers, spec, "a")).isSameAs(broken);
    assertThat(failovers.ledger().lostByReason()).containsEntry("error", 1L);
    assertLedger(failovers, 1, 0);
  }

  @Test
  void mistakesShowAtTheStart() {
    Failovers failovers = builder().build();
    failovers.register(spec);
    failovers.register(spec);
    assertThatThrownBy(() -> failovers.register(spec("price").build()))
        .hasMessageContaining("'price' is taken");
    assertThatThrownBy(
            () -> failovers.register(FailoverSpec.builder("open", Runnable.class).build()))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(
            () ->
                FailoverSpec.builder("x".repeat(51), Price.class)
                    .softTimeout(Duration.ofSeconds(2))
                    .hardTimeout(Duration.ofSeconds(1))
                    .build())
        .hasMessageContaining("1 to 50 characters")
        .hasMessageContaining("softTimeout must be less than hardTimeout");
    assertThatThrownBy(() -> builder().maxPoints(0).timedCalls(0).build())
        .hasMessageContaining("maxPoints")
        .hasMessageContaining("timedCalls");
  }

  @Test
  void closingTwiceIsClosingOnce() {
    Failovers failovers = builder().build();
    failovers.start();
    assertThat(failovers.close(Duration.ofSeconds(5))).isEqualTo(CloseReport.CLEAN);
    failovers.close();
    assertThatThrownBy(failovers::start).isInstanceOf(IllegalStateException.class);
  }
}
