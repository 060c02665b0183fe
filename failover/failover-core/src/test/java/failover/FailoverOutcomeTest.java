package failover;

import static org.assertj.core.api.Assertions.assertThat;

import failover.FailoverOutcome.Kind;
import java.time.Instant;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class FailoverOutcomeTest {
  private static final Instant EARLY = Instant.parse("2026-01-01T00:00:00.123456789Z");
  private static final Instant BEFORE_1970 = Instant.ofEpochSecond(-1, 999_999_999);

  private final Throwable down = new IllegalStateException("down");

  @AfterEach
  void forget() {
    FailoverOutcome.clear();
  }

  @Test
  void lastOutcomeTakesThePlaceOfTheOneBeforeWithAllItsParts() {
    FailoverOutcome.note("price", Kind.RECOVERED, EARLY, down);
    FailoverOutcome first = FailoverOutcome.last().orElseThrow();
    FailoverOutcome.note("stock", Kind.LIVE, BEFORE_1970, null);

    assertThat(FailoverOutcome.last())
        .contains(new FailoverOutcome("stock", Kind.LIVE, BEFORE_1970, null));
    assertThat(first).isEqualTo(new FailoverOutcome("price", Kind.RECOVERED, EARLY, down));
  }

  @Test
  void nothingIsLeftOfAnOutcomeThatIsForgotten() {
    FailoverOutcome.note("price", Kind.FAILED, EARLY, down);
    FailoverOutcome.clear();
    assertThat(FailoverOutcome.last()).isEmpty();
  }
}
