package failover;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import failover.FailoverException.SourceDrillException;
import failover.Prices.Price;
import holdfast.testkit.log.CapturedLog;
import holdfast.testkit.time.SettableTime;
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

  @Test
  void aDrillWithAnEndIsOverByItself() throws Throwable {
    try (CapturedLog log = new CapturedLog("failover");
        Failovers failovers = builder().build()) {
      ask(failovers, spec, "a");
      failovers.drill("price", Duration.ofMinutes(30));
      prices.cents = 200;
      time.setInstant(SettableTime.START.minus(Duration.ofDays(1))); // people may do that
      time.advance(Duration.ofMinutes(30).minusNanos(1));
      assertThat(ask(failovers, spec, "a")).isEqualTo(new Price("a", 100));
      assertThat(failovers.drills()).containsExactly("price");
      assertThat(failovers.drillEnd("price"))
          .contains(SettableTime.START.plus(Duration.ofMinutes(30)));
      time.advance(Duration.ofNanos(1));
      assertThat(ask(failovers, spec, "a")).isEqualTo(new Price("a", 200));
      assertThat(failovers.drills()).isEmpty();
      assertThat(failovers.drillEnd("price")).isEmpty();
      assertThat(log.messages(Level.WARNING))
          .filteredOn(line -> line.contains("drill") && !line.contains("source"))
          .containsExactly(
              "failover drill begins name=price until=2026-01-01T00:30:00Z",
              "failover drill is over name=price");
    }
  }

  @Test
  void itsEndIsSeenWithoutCallsToo() {
    try (Failovers failovers = builder().build()) {
      failovers.drill("price", Duration.ofMinutes(30));
      failovers.drill("stock", true);
      time.advance(Duration.ofMinutes(30));
      assertThat(failovers.drills()).containsExactly("stock");
      assertThat(failovers.drillEnd("stock")).isEmpty();
    }
  }

  @Test
  void theLastWordAboutADrillCounts() {
    try (Failovers failovers = builder().build()) {
      failovers.drill("longer", Duration.ofMinutes(1));
      failovers.drill("longer", Duration.ofMinutes(3));
      failovers.drill("open", Duration.ofMinutes(1));
      failovers.drill("open", true);
      failovers.drill("ended", Duration.ofMinutes(3));
      failovers.drill("ended", false);
      assertThat(failovers.drills()).containsExactly("longer", "open");
      time.advance(Duration.ofMinutes(2));
      assertThat(failovers.drills()).containsExactly("longer", "open");
    }
  }

  @Test
  void noDrillOutlastsTheProcess() throws Throwable {
    try (Failovers before = builder().build()) {
      ask(before, spec, "a");
      before.drill("price", Duration.ofDays(1));
    }
    prices.cents = 200;
    try (Failovers after = builder().build()) {
      assertThat(after.drills()).isEmpty();
      assertThat(ask(after, spec, "a")).isEqualTo(new Price("a", 200));
    }
  }

  @Test
  void aDrillOfNoTimeOrOfYearsIsRefused() {
    try (Failovers failovers = builder().build()) {
      for (Duration wrong : List.of(Duration.ZERO, Duration.ofDays(-1), Duration.ofDays(366))) {
        assertThatThrownBy(() -> failovers.drill("price", wrong))
            .isInstanceOf(IllegalArgumentException.class)
            .hasMessageContaining("duration")
            .hasMessageContaining(wrong.toString());
      }
      assertThat(failovers.drills()).isEmpty();
    }
  }
}
