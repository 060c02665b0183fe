package failover.execution;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import failover.FailoverException.SourceBusyException;
import failover.FailoverException.SourceTimeoutException;
import failover.FailoverSpec;
import failover.Failovers;
import failover.store.FailoverStore;
import failover.store.GatedStore;
import failover.store.InMemoryFailoverStore;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** How exactly calls end within their time, on a machine that does nothing else. */
@Tag("long")
@Timeout(300)
class ExactDeadlinesTest {
  private static final Duration SHORT = Duration.ofMillis(200);
  private static final Duration HARD = Duration.ofSeconds(2);
  private static final Duration EXACT = Duration.ofMillis(50);
  private static final int CALLERS = 500;

  private final GatedStore hungReads = GatedStore.hungReads();
  private final GatedStore hungWrites = GatedStore.hungWrites();
  private final CountDownLatch released = new CountDownLatch(1);

  @AfterEach
  void release() {
    released.countDown();
    hungReads.release();
    hungWrites.release();
  }

  /** What is made of a point whose calls all end when their time is over. */
  private interface Case {
    Consumer<List<Integer>> call(Failovers failovers, FailoverSpec<String> spec);
  }

  private Consumer<List<Integer>> hungSource(Failovers failovers, FailoverSpec<String> spec) {
    return key ->
        assertThatThrownBy(() -> failovers.call(spec, key, this::hung))
            .isInstanceOfAny(SourceTimeoutException.class, SourceBusyException.class);
  }

  private String hung() {
    Uninterruptibly.await(released);
    return "late";
  }

  /** Those that get no thread in time get no answer either. */
  private Consumer<List<Integer>> healthySource(Failovers failovers, FailoverSpec<String> spec) {
    return key -> {
      try {
        assertThat(failovers.call(spec, key, () -> "live")).isEqualTo("live");
      } catch (SourceTimeoutException | SourceBusyException e) {
        assertThat(e.name()).isEqualTo(spec.name());
      }
    };
  }

  private Duration slowest(FailoverStore store, int callers, Duration hard, Case of)
      throws Exception {
    FailoverSpec<String> spec =
        FailoverSpec.builder("hard", String.class)
            .pause(Duration.ZERO, Duration.ZERO)
            .hardTimeout(hard)
            .build();
    try (Failovers failovers =
        Failovers.builder(store)
            .readTimeout(Duration.ofMinutes(1))
            .closeTimeout(Duration.ofMillis(10))
            .build()) {
      return SlowestCaller.of(callers, failovers, of.call(failovers, spec));
    }
  }

  private void assertExact(String what, FailoverStore store, Case of) throws Exception {
    slowest(store, CALLERS, SHORT, of); // loads classes
    for (int callers : new int[] {CALLERS, 10 * CALLERS}) {
      Duration slowest = slowest(store, callers, HARD, of);
      System.out.printf(
          "failover deadlines: %s, %,d callers, hard timeout %,d ms: slowest %,d ms%n",
          what, callers, HARD.toMillis(), slowest.toMillis());
      assertThat(slowest).as(what + ", callers: " + callers).isLessThan(HARD.plus(EXACT));
    }
  }

  @Test
  void callersOfAHungSourceLeaveWithinFiftyMilliseconds() throws Exception {
    assertExact("hung source", new InMemoryFailoverStore(), this::hungSource);
  }

  @Test
  void soDoThoseOfAHungSourceWhoseStoreGivesNothing() throws Exception {
    assertExact("hung source and hung reads", hungReads, this::hungSource);
  }

  @Test
  void soDoThoseOfAHealthySourceWhoseStoreTakesNothing() throws Exception {
    assertExact("healthy source and hung writes", hungWrites, this::healthySource);
  }
}
