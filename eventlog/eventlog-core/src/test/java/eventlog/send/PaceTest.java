package eventlog.send;

import static org.assertj.core.api.Assertions.assertThat;

import eventlog.Events;
import holdfast.testkit.time.SettableTime;
import java.time.Duration;
import java.util.ArrayList;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class PaceTest {
  private final SettableTime time = new SettableTime();
  private final EventQueue live = new EventQueue(100);
  private final ExecutorService thread = Executors.newSingleThreadExecutor();

  @AfterEach
  void stop() {
    thread.shutdownNow();
  }

  private Pace pace(int eventsPerSecond) {
    return new Pace(live, 2, eventsPerSecond, time);
  }

  private CompletableFuture<Void> next(Pace pace, int events) {
    return CompletableFuture.runAsync(
        () -> {
          try {
            pace.beforeNext(events);
          } catch (InterruptedException e) {
            throw new IllegalStateException(e);
          }
        },
        thread);
  }

  @Test
  void theFirstBatchGoesAtOnceAndTheNextAfterItsTime() throws Exception {
    Pace pace = pace(1000);
    next(pace, 50).get();
    CompletableFuture<Void> second = next(pace, 50);
    time.awaitSleepers(1);

    time.advance(Duration.ofMillis(49));
    assertThat(second).isNotDone();
    time.advance(Duration.ofMillis(1));
    second.get();
  }

  @Test
  void timeThatHasPassedAnywayCounts() throws Exception {
    Pace pace = pace(1000);
    next(pace, 50).get();
    time.advance(Duration.ofMillis(50));

    next(pace, 50).get();
  }

  @Test
  void liveEventsGoFirst() throws Exception {
    for (int i = 0; i < 3; i++) {
      live.offer(new InFlightEvent(Events.event("live")));
    }
    CompletableFuture<Void> waiting = next(pace(1_000_000), 1);
    time.awaitSleepers(1);
    time.advance(Duration.ofMillis(20));
    time.awaitSleepers(1);
    assertThat(waiting).isNotDone();

    live.drain(new ArrayList<>(), 1);
    time.advance(Duration.ofMillis(20));
    waiting.get();
  }

  @Test
  void butNotForEver() throws Exception {
    for (int i = 0; i < 3; i++) {
      live.offer(new InFlightEvent(Events.event("live")));
    }
    CompletableFuture<Void> waiting = next(pace(1_000_000), 1);
    for (int i = 0; i < 50; i++) {
      time.awaitSleepers(1);
      time.advance(Duration.ofMillis(20));
    }
    waiting.get();
  }

  @Test
  void whenItIsStoppedNobodyWaits() throws Exception {
    Pace pace = pace(1);
    next(pace, 50).get();
    CompletableFuture<Void> second = next(pace, 50);
    time.awaitSleepers(1);

    pace.stop();
    second.get();
    next(pace, 50).get();
  }
}
