package holdfast.work;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class PrefetchTest {
  private static final Duration SECOND = Duration.ofSeconds(1);

  private final Prefetch prefetch = new Prefetch(4);

  @Test
  void beforeHandlersAreMeasuredNothingIsKnown() {
    assertThat(prefetch.events(100)).isZero();
    assertThat(prefetch.eventsWithin(SECOND)).isEqualTo(Integer.MAX_VALUE);
  }

  @Test
  void asManyAreHandledInASecondAsWorkersTakeByTheirTime() {
    prefetch.handled(1, Duration.ofMillis(100).toNanos());
    assertThat(prefetch.eventsWithin(SECOND)).isEqualTo(40);
    prefetch.handled(10, Duration.ofSeconds(1).toNanos());
    assertThat(prefetch.eventsWithin(SECOND)).as("a batch, 100 ms each").isEqualTo(40);
    prefetch.handled(1, 0);
    assertThat(prefetch.eventsWithin(SECOND)).as("one of about eight").isBetween(41, 50);
    for (int i = 0; i < 100; i++) {
      prefetch.handled(1, Duration.ofMinutes(1).toNanos());
    }
    assertThat(prefetch.eventsWithin(SECOND)).isZero();
  }

  @Test
  void handlersThatTakeNoTimeAreHandledWithoutALimit() {
    prefetch.handled(1, 0);
    assertThat(prefetch.eventsWithin(SECOND)).isEqualTo(Integer.MAX_VALUE);
  }
}
