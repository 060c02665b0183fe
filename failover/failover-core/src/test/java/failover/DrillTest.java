package failover;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import failover.FailoverException.SourceDrillException;
import failover.Prices.Price;
import holdfast.testkit.log.CapturedLog;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.logging.Level;
import org.junit.jupiter.api.Test;

class DrillTest extends PricesFixture {

  @Test
  void theNameOfAPointCannotForgeALineOfTheLog() {
    try (CapturedLog log = new CapturedLog("failover");
        Failovers failovers = builder().build()) {
      failovers.drill("price\nERROR forged", true);
      assertThat(log.messages(Level.WARNING))
          .containsExactly("failover drill begins name=price\\nERROR forged");
    }
  }

  @Test
  void inADrillStoredAnswersAreGivenAndTheSourceIsNotAsked() throws Throwable {
    Failovers failovers = builder().build();
    ask(failovers, spec, "a");
    failovers.drill("price", true);
    assertThat(failovers.drills()).containsExactly("price");
    prices.cents = 200;
    FailoverResult<Price> result =
        failovers.callForResult(spec, List.of("a"), () -> prices.of("a"));
    assertThat(result.value()).isEqualTo(new Price("a", 100));
    assertThat(result.upToDate()).isFalse();
    assertThat(result.cause()).containsInstanceOf(SourceDrillException.class);
    assertThatThrownBy(() -> ask(failovers, spec, "b"))
        .isInstanceOf(SourceDrillException.class)
        .hasMessageContaining("'price'");
    assertThat(prices.asked).hasValue(1);
    failovers.drill("price", false);
    assertThat(ask(failovers, spec, "a")).isEqualTo(new Price("a", 200));
    assertThat(failovers.drills()).isEmpty();
    assertLedger(failovers, 4, 3);
  }

  @Test
  void aDrillBeginsNoPauseAndIsRecoveredAlsoAtChoosyPoints() throws Throwable {
    Failovers failovers = builder().build();
    FailoverSpec<Price> choosy =
        FailoverSpec.builder("choosy", Price.class)
            .pause(Duration.ofHours(1), Duration.ofHours(1))
            .recoverOn(List.of(IOException.class))
            .build();
    ask(failovers, choosy, "a");
    failovers.drill("choosy", true);
    assertThat(ask(failovers, choosy, "a")).isEqualTo(new Price("a", 100));
    failovers.drill("choosy", false);
    prices.cents = 200;
    assertThat(ask(failovers, choosy, "a")).isEqualTo(new Price("a", 200));
  }

  @Test
  void otherPointsAndStagesTakePartOnlyIfNamed() throws Throwable {
    Failovers failovers = builder().build();
    FailoverSpec<Price> later = spec("later").build();
    failovers
        .callLater(later, List.of("a"), () -> CompletableFuture.completedFuture(prices.of("a")))
        .get();
    failovers.drill("later", true);
    prices.cents = 200;
    assertThat(
            failovers
                .callLater(
                    later, List.of("a"), () -> CompletableFuture.completedFuture(prices.of("a")))
                .get())
        .isEqualTo(new Price("a", 100));
    assertThat(ask(failovers, spec, "a")).isEqualTo(new Price("a", 200));
  }
}
