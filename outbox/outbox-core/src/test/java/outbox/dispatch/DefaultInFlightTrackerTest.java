package outbox.dispatch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import holdfast.testkit.time.SettableTime;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;

/** Who has an event in flight. */
class DefaultInFlightTrackerTest {
  private final SettableTime time = new SettableTime();

  private static int winners(InFlightTracker tracker, String id) throws Exception {
    int threads = 8;
    ExecutorService pool = Executors.newFixedThreadPool(threads);
    try {
      CyclicBarrier start = new CyclicBarrier(threads);
      List<Future<Boolean>> results = new ArrayList<>();
      for (int i = 0; i < threads; i++) {
        results.add(
            pool.submit(
                () -> {
                  start.await();
                  return tracker.tryAcquire(id);
                }));
      }
      int won = 0;
      for (Future<Boolean> result : results) {
        won += result.get() ? 1 : 0;
      }
      return won;
    } finally {
      pool.shutdown();
    }
  }

  @Test
  void ofEightThreadsOneWins() throws Exception {
    DefaultInFlightTracker tracker = new DefaultInFlightTracker();
    for (int round = 0; round < 100; round++) {
      assertThat(winners(tracker, "event-" + round)).isEqualTo(1);
    }
  }

  @Test
  void ofEightThreadsOneTakesAStaleEntryOver() throws Exception {
    DefaultInFlightTracker tracker = new DefaultInFlightTracker(100, time);
    assertThat(tracker.tryAcquire("event")).isTrue();
    for (int round = 0; round < 50; round++) {
      time.advance(Duration.ofMillis(100));
      assertThat(winners(tracker, "event")).isEqualTo(1);
    }
  }

  @Test
  void whatIsReleasedCanBeTakenAgain() {
    DefaultInFlightTracker tracker = new DefaultInFlightTracker();
    assertThat(tracker.tryAcquire("a")).isTrue();
    assertThat(tracker.tryAcquire("a")).isFalse();
    assertThat(tracker.tryAcquire("b")).isTrue();
    tracker.release("a");
    assertThat(tracker.tryAcquire("a")).isTrue();
    tracker.release("never taken");
  }

  @Test
  void anEntryGrowsStaleAfterItsTime() {
    DefaultInFlightTracker tracker = new DefaultInFlightTracker(100, time);
    assertThat(tracker.tryAcquire("a")).isTrue();
    time.advance(Duration.ofMillis(99));
    assertThat(tracker.tryAcquire("a")).isFalse();
    time.advance(Duration.ofMillis(1));
    assertThat(tracker.tryAcquire("a")).isTrue();
    assertThat(tracker.tryAcquire("a")).as("taken over, and fresh again").isFalse();
  }

  @Test
  void settingTheTimeOfDayMakesNothingStale() {
    DefaultInFlightTracker tracker = new DefaultInFlightTracker(100, time);
    tracker.tryAcquire("a");
    time.setInstant(SettableTime.START.plus(Duration.ofDays(9)));
    assertThat(tracker.tryAcquire("a")).isFalse();
  }

  @Test
  void withoutATimeEntriesStay() {
    DefaultInFlightTracker tracker = new DefaultInFlightTracker(0, time);
    tracker.tryAcquire("a");
    time.advance(Duration.ofDays(10_000));
    assertThat(tracker.tryAcquire("a")).isFalse();
  }

  @Test
  void aNegativeTimeIsRefused() {
    assertThatThrownBy(() -> new DefaultInFlightTracker(-1))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("ttlMs must be 0 or more but was -1");
  }
}
