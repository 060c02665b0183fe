package holdfast.work;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class PrefetchTest {
  private static final Duration SECOND = Duration.ofSeconds(1);

  private final Prefetch prefetch = new Prefetch();

  @Test
  void beforeHandlersAreMeasuredNothingIsKnown() {
    assertThat(prefetch.events(100, 4)).isZero();
    assertThat(prefetch.eventsWithin(SECOND, 4)).isEqualTo(Integer.MAX_VALUE);
  }

  @Test
  void asManyAreHandledInASecondAsWorkersTakeByTheirTime() {
    prefetch.handled(1, Duration.ofMillis(100).toNanos());
    assertThat(prefetch.eventsWithin(SECOND, 4)).isEqualTo(40);
    prefetch.handled(10, Duration.ofSeconds(1).toNanos());
    assertThat(prefetch.eventsWithin(SECOND, 4)).as("a batch, 100 ms each").isEqualTo(40);
    prefetch.handled(1, 0);
    assertThat(prefetch.eventsWithin(SECOND, 4)).as("one of about eight").isBetween(41, 50);
    for (int i = 0; i < 100; i++) {
      prefetch.handled(1, Duration.ofMinutes(1).toNanos());
    }
    assertThat(prefetch.eventsWithin(SECOND, 4)).isZero();
  }

  @Test
  void workersThatHangDoNotCount() {
    for (int i = 0; i < 50; i++) {
      prefetch.handled(1, Duration.ofMillis(1).toNanos());
    }
    assertThat(prefetch.events(1_000, 4)).isEqualTo(800);
    assertThat(prefetch.events(1_000, 1)).isEqualTo(200);
    assertThat(prefetch.events(1_000, 0)).isZero();
    assertThat(prefetch.eventsWithin(SECOND, 1)).isEqualTo(1_000);
    assertThat(prefetch.eventsWithin(SECOND, 0)).isZero();
  }

  @Test
  void handlersThatTakeNoTimeAreHandledWithoutALimit() {
    prefetch.handled(1, 0);
    assertThat(prefetch.eventsWithin(SECOND, 4)).isEqualTo(Integer.MAX_VALUE);
  }
}
