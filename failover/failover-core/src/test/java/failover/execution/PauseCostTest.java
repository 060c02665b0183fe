package failover.execution;

import static org.assertj.core.api.Assertions.assertThat;

import failover.FailoverException.SourcePausedException;
import failover.FailoverResult;
import failover.FailoverSpec;
import failover.Failovers;
import failover.store.InMemoryFailoverStore;
import holdfast.testkit.time.SettableTime;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What leaving a source alone costs those whose calls would have been answered. */
@Timeout(120)
class PauseCostTest {
  private final SettableTime time = new SettableTime();
  private final Failovers failovers =
      Failovers.builder(new InMemoryFailoverStore()).time(time).build();
  private final FailoverSpec<String> spec = FailoverSpec.builder("price", String.class).build();

  /** How calls ended, in percent. */
  private record Shares(double own, double failed, double stale) {}

  /**
   * An hour of calls, a hundred each second for fifty keys, of which half were asked for before.
   */
  private Shares simulate(Chance isBad) {
    return simulate(isBad, 0.5, 100);
  }

  /**
   * Many calls for fifty keys.
   *
   * @param isBad whether the source fails
   * @param unknown the share of calls for keys that were never asked for
   * @param perSecond how many come in a second
   */
  private Shares simulate(Chance isBad, double unknown, int perSecond) {
    int calls = 360_000;
    Random random = new Random(42);
    int own = 0;
    int failed = 0;
    int stale = 0;
    for (int i = 0; i < calls; i++) {
      int key = random.nextInt(50);
      boolean fails = isBad.at(key, random);
      String name = random.nextDouble() >= unknown ? "k" + key : "once-" + key + "-" + i;
      own += fails ? 1 : 0;
      try {
        FailoverResult<String> result =
            failovers.callForResult(
                spec,
                List.of(name),
                () -> {
                  if (fails) {
                    throw new IOException("down");
                  }
                  return name;
                });
        stale += !fails && !result.upToDate() ? 1 : 0;
      } catch (IOException | SourcePausedException e) {
        failed += fails ? 0 : 1;
      }
      time.advance(Duration.ofSeconds(1).dividedBy(perSecond));
    }
    return new Shares(100.0 * own / calls, 100.0 * failed / calls, 100.0 * stale / calls);
  }

  private interface Chance {
    boolean at(int key, Random random);
  }

  @Test
  void aSourceThatFailsNowAndThenIsNotLeftAlone() {
    for (int percent : List.of(1, 10, 30)) {
      Shares shares = simulate((key, random) -> random.nextInt(100) < percent);
      assertThat(shares.failed + shares.stale).as("without need, " + shares).isLessThan(1.0);
    }
  }

  /** Three of five calls in ten seconds fail together now and then. */
  @Test
  void atAQuietPointThatCostsOneCallInAHundred() {
    Shares shares = simulate((key, random) -> random.nextInt(100) < 30, 0.5, 1);
    assertThat(shares.failed + shares.stale).as("without need, " + shares).isLessThan(2.0);
    assertThat(shares.failed).as("without an answer, " + shares).isLessThan(0.1);
  }

  @Test
  void aSourceThatFailsForTheTenthOfASecondIsNotLeftAlone() {
    AtomicInteger call = new AtomicInteger();
    Shares shares = simulate((key, random) -> call.getAndIncrement() % 200 < 12, 0, 100); // of 2 s
    assertThat(shares.own).isEqualTo(6);
    assertThat(shares.failed + shares.stale).as("without need, " + shares).isLessThan(1.0);
  }

  @Test
  void oneBadKeyInFiftyHarmsNoOther() {
    Shares shares = simulate((key, random) -> key == 7);
    assertThat(shares.failed + shares.stale).as("without need, " + shares).isLessThan(1.0);
  }
}
