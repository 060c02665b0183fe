package holdfast.work;

import static org.assertj.core.api.Assertions.assertThat;

import holdfast.lifecycle.Deadline;
import holdfast.log.Outage;
import holdfast.time.TimeSource;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Asynchronous handlers do not wait until their outcomes are recorded, so publishers have to. */
@Timeout(60)
class AsyncBacklogTest {
  private static final int MANY = 8_000;

  private final TimeSource time = TimeSource.system();
  private final CountDownLatch answered = new CountDownLatch(1);
  private final FakeStore table = new FakeStore();
  private final InFlight<TestItem> inFlight = new InFlight<>(1_000_000, (item, current) -> {});

  /** A table that does not answer for now. */
  private final WorkStore<TestItem> slow =
      new WorkStore<>() {
        @Override
        public Start start(TestItem item, boolean renew) {
          return Start.GRANTED;
        }

        @Override
        public Set<TestItem> renew(List<TestItem> items) {
          return Set.of();
        }

        @Override
        public Set<TestItem> record(List<Ended<TestItem>> outcomes) throws Exception {
          answered.await();
          return table.record(outcomes);
        }

        @Override
        public int retryNow(String type, int limit) {
          return 0;
        }
      };

  private TestItem item(int number) {
    long now = time.nanoTime();
    return new TestItem("item " + number, 0, false, now, now + Duration.ofMinutes(1).toNanos());
  }

  @Test
  void whileOutcomesAreNotRecordedCommittedEventsAreLeftToTheTable() {
    WorkEngine<TestItem> engine =
        new WorkEngine<>(
            TestSettings.ofOneWorker(new HandlerTimeouts(null, Map.of()), true),
            slow,
            item -> new Outcome.Pending(CompletableFuture.completedFuture(item)),
            recorded -> {},
            inFlight,
            Nodes.ALONE,
            new Outage("test", time),
            time);
    engine.start();
    int taken = 0;
    boolean full = false;
    while (taken < MANY && !full) {
      if (engine.committedRoom() > 0 && engine.offerCommitted(item(taken))) {
        taken++;
      } else {
        full = engine.committedSize() == 0 && engine.committedRoom() == 0;
      }
    }
    assertThat(taken).as("bounded, though all handlers have ended").isBetween(1_000, 6_000);
    answered.countDown();
    assertThat(engine.close(Deadline.after(Duration.ofSeconds(30), time), () -> {}).isClean())
        .isTrue();
  }
}
